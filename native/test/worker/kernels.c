/* The worker's kernels compute what they say: compiled for the host, one item after another. */
#include <math.h>
#include <string.h>

#include "../harness.h"

#define KERNEL static __attribute__((unused)) void
#define DEVICE static inline
#define GLOBAL
static int X, Y;
#include "kernels.cl"

#define ALL(width, height, call)                                                                   \
    do {                                                                                           \
        for (Y = 0; Y < (height); Y++) {                                                           \
            for (X = 0; X < (width); X++) {                                                        \
                call;                                                                              \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static bool near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance;
}

static void random_numbers_lie_in_their_bounds(void)
{
    enum { COUNT = 10000 };
    static float one[COUNT + 1], other[COUNT];
    double sum = 0;
    int same = 0;
    one[COUNT] = 42;
    ALL(COUNT + 1, 1, fill(one, COUNT, 1, -2, 4));
    ALL(COUNT, 1, fill(other, COUNT, 2, -2, 4));
    for (int i = 0; i < COUNT; i++) {
        CHECK(one[i] >= -2 && one[i] < 4);
        sum += one[i];
        same += one[i] == other[i];
    }
    CHECK(near(sum / COUNT, 1, 0.1));
    CHECK(same < 10);
    CHECK(one[COUNT] == 42);
}

/* Textbook: 100, 100, one year, 5 %, 20 %. */
static void options_have_their_known_price(void)
{
    float spot = 100, strike = 100, years = 1, call, put;
    X = 0;
    black_scholes(&spot, &strike, &years, &call, &put, 1, 0.05f, 0.2f);
    CHECK(near(call, 10.4506, 0.001));
    CHECK(near(put, 5.5735, 0.001));
}

#define SIDE 32
#define CELLS (SIDE * SIDE)

static void a_gas_keeps_its_mass_and_energy_and_spreads_evenly(void)
{
    static float from[4 * CELLS], to[4 * CELLS];
    double mass = 0, energy = 0, later_mass = 0, later_energy = 0;
    ALL(SIDE, SIDE, euler_begin(from, SIDE));
    for (int i = 0; i < CELLS; i++) {
        mass += from[i];
        energy += from[3 * CELLS + i];
    }
    for (int step = 0; step < 100; step++) {
        ALL(SIDE, SIDE, euler_step(from, to, SIDE, 0.15f));
        memcpy(from, to, sizeof from);
    }
    for (int i = 0; i < CELLS; i++) {
        int mirrored = i / SIDE * SIDE + SIDE - 1 - i % SIDE;
        CHECK(to[i] > 0 && to[3 * CELLS + i] > 0);
        CHECK(near(to[i], to[mirrored], 1e-4));
        CHECK(near(to[CELLS + i], -to[CELLS + mirrored], 1e-4));
        later_mass += to[i];
        later_energy += to[3 * CELLS + i];
    }
    CHECK(near(later_mass, mass, mass * 1e-4));
    CHECK(near(later_energy, energy, energy * 1e-4));
    CHECK(to[SIDE / 2 * SIDE + SIDE / 2] < 0.9f); /* it did flow out of the middle */
}

/* So slow an ebb of its waves that no run ends in numbers that are none. */
static void a_gas_stays_sane_for_long(void)
{
    static float from[4 * CELLS], to[4 * CELLS];
    ALL(SIDE, SIDE, euler_begin(from, SIDE));
    for (int step = 0; step < 2000; step++) {
        ALL(SIDE, SIDE, euler_step(step % 2 ? to : from, step % 2 ? from : to, SIDE, 0.15f));
    }
    for (int i = 0; i < CELLS; i++) {
        CHECK(from[i] > 0.01f && from[i] < 1);
        CHECK(isfinite(from[3 * CELLS + i]));
    }
}

/* One channel, one picture of 4x4, weights that pick the pixel to the left. */
static void a_convolution_sees_its_neighbours(void)
{
    float in[16], out[16], weights[9] = {0}, shortcut[16];
    for (int i = 0; i < 16; i++) {
        in[i] = (float)i;
        shortcut[i] = -2;
    }
    weights[3] = 1;
    ALL(1, 16, convolve(in, weights, shortcut, out, 4, 1, 3, 1, 1, 1));
    for (int i = 0; i < 16; i++) {
        CHECK(out[i] == (i % 4 == 0 ? 0 : fmaxf(in[i - 1] - 2, 0)));
    }
    ALL(1, 4, convolve(in, weights, in, out, 4, 1, 3, 2, 1, 0));
    CHECK(out[0] == 0 && out[1] == 1 && out[2] == 0 && out[3] == 9);
}

static void two_layers(const float *in, const float *first, const float *second, float *between,
                       float *out)
{
    ALL(3, 2 * 16, convolve(in, first, in, between, 4, 2, 3, 1, 3, 0));
    ALL(2, 2 * 4, convolve(between, second, between, out, 4, 3, 3, 2, 2, 0));
}

/* Half the square of the distance, whose slope `compare` is. */
static double loss(const float *out, const float *target, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += 0.5 * pow((double)out[i] - (double)target[i], 2);
    }
    return sum;
}

/* Two pictures of 4x4, from 2 channels to 3 to 2; the last layer halves them. */
static void errors_that_go_backwards_are_slopes(void)
{
    enum {
        IN = 2 * 16 * 2,
        BETWEEN = 2 * 16 * 3,
        OUT = 2 * 4 * 2,
        FIRST = 9 * 2 * 3,
        SECOND = 9 * 3 * 2
    };
    static float in[IN], between[BETWEEN], out[OUT], target[OUT], first[FIRST], second[SECOND];
    static float error_out[OUT], error_between[BETWEEN], error_in[IN], learned[FIRST];
    ALL(IN, 1, fill(in, IN, 1, 0, 1));
    ALL(OUT, 1, fill(target, OUT, 2, 0, 1));
    ALL(FIRST, 1, fill(first, FIRST, 3, -0.2f, 0.5f));
    ALL(SECOND, 1, fill(second, SECOND, 4, -0.2f, 0.5f));
    two_layers(in, first, second, between, out);
    ALL(OUT, 1, compare(out, target, error_out, OUT));
    ALL(3, 2 * 16, convolve_back(error_out, out, second, error_between, 4, 3, 3, 2, 2, 0));
    ALL(2, 2 * 16, convolve_back(error_between, between, first, error_in, 4, 2, 3, 1, 3, 0));
    memcpy(learned, first, sizeof first);
    /* At rate 1 and over 32 pixels, what a weight loses is its slope by 32. */
    ALL(3, 9 * 2, convolve_learn(in, error_between, between, learned, 4, 2, 3, 1, 3, 2, 1));
    double before = loss(out, target, OUT);
    for (int i = 0; i < FIRST; i += 5) {
        float kept = first[i];
        first[i] += 1e-3f;
        two_layers(in, first, second, between, out);
        double slope = (loss(out, target, OUT) - before) / 1e-3;
        first[i] = kept;
        CHECK(near(32 * (kept - learned[i]), slope, 0.02 + 0.02 * fabs(slope)));
    }
    for (int i = 0; i < IN; i += 7) {
        float kept = in[i];
        in[i] += 1e-3f;
        two_layers(in, first, second, between, out);
        double slope = (loss(out, target, OUT) - before) / 1e-3;
        in[i] = kept;
        CHECK(near(error_in[i], slope, 0.02 + 0.02 * fabs(slope)));
    }
}

static void rows_become_shares_and_standards(void)
{
    float rows[8] = {1, 2, 3, 4, -1, -1, -1, -1};
    ALL(2, 1, softmax(rows, 2, 4));
    CHECK(near(rows[0] + rows[1] + rows[2] + rows[3], 1, 1e-6));
    CHECK(near(rows[3] / rows[2], exp(1), 1e-4));
    CHECK(near(rows[5], 0.25, 1e-6));
    float others[4] = {1, 2, 3, 4};
    ALL(1, 1, standardize(others, 1, 4));
    CHECK(near(others[0] + others[3], 0, 1e-5) && near(others[3], 1.3416, 1e-3));
}

/* Two tokens of two numbers, one head: queries alike, keys alike, so that values are averaged. */
static void attention_weighs_values(void)
{
    float all[12] = {1, 0, 1, 1, 10, 20, 1, 0, 1, 1, 30, 40};
    float scores[4], out[4];
    ALL(2, 2, attend(all, scores, 2, 2, 1));
    CHECK(near(scores[0], 1 / sqrt(2), 1e-6));
    ALL(2, 1, softmax(scores, 2, 2));
    ALL(2, 2, gather(scores, all, out, 2, 2, 1));
    CHECK(near(out[0], 20, 1e-4) && near(out[1], 30, 1e-4) && near(out[3], 30, 1e-4));
}

static void rows_are_multiplied(void)
{
    float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1}, added[4] = {10, 10, 10, 10}, out[4];
    ALL(2, 2, multiply(a, b, added, out, 3, 2, 1, 0));
    CHECK(out[0] == 14 && out[1] == 15 && out[2] == 20 && out[3] == 21);
    ALL(2, 2, multiply(a, b, a, out, 3, 2, 0, 1));
    CHECK(near(out[0], 4, 1e-3));
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"random numbers lie in their bounds", random_numbers_lie_in_their_bounds},
        {"options have their known price", options_have_their_known_price},
        {"a gas keeps its mass and energy, and spreads evenly",
         a_gas_keeps_its_mass_and_energy_and_spreads_evenly},
        {"a gas stays sane for long", a_gas_stays_sane_for_long},
        {"a convolution sees its neighbours", a_convolution_sees_its_neighbours},
        {"errors that go backwards are slopes", errors_that_go_backwards_are_slopes},
        {"rows become shares and standards", rows_become_shares_and_standards},
        {"attention weighs values", attention_weighs_values},
        {"rows are multiplied", rows_are_multiplied},
    };
    return run_tests(count, arguments, tests, sizeof tests / sizeof *tests);
}
