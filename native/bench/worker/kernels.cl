/*
 * All kernels of the worker, for OpenCL, for CUDA (nvcc -x cu) and, in a test, for the host. X and Y
 * are the work item; groups are rounded up, so most kernels first ask whether it is one of theirs.
 */
#if defined(__CUDACC__)
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ inline
#define GLOBAL
#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define Y ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#elif defined(__OPENCL_VERSION__)
#define KERNEL __kernel void
#define DEVICE static inline
#define GLOBAL __global
#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#endif

/* ---- setting up ------------------------------------------------------------------------------ */

/* Random numbers from low to high that depend on the place and on the seed alone. */
KERNEL fill(GLOBAL float *data, int count, int seed, float low, float high)
{
    if (X >= count) {
        return;
    }
    unsigned int z = (unsigned int)X * 2654435761u + (unsigned int)seed * 40503u;
    z = (z ^ (z >> 16)) * 2246822519u;
    z = (z ^ (z >> 13)) * 3266489917u;
    z ^= z >> 16;
    data[X] = low + (high - low) * ((float)(z >> 8) / 16777216.0f);
}

/* ---- commands of a length -------------------------------------------------------------------- */

/* Steps that each wait for the last, so that no compiler or core can shorten them. */
KERNEL delay(GLOBAL float *sink, int rounds)
{
    float x = sink[X];
    for (int i = 0; i < rounds; i++) {
        x = x * 0.9999f + 0.0001f;
    }
    sink[X] = x;
}

/* ---- option prices (Black and Scholes, 1973) --------------------------------------------------- */

/* The normal distribution, by Abramowitz and Stegun, 26.2.17; wrong by less than 1e-7. */
DEVICE float normal_distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) * k *
                 (0.31938153f +
                  k * (-0.356563782f +
                       k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0.0f ? 1.0f - tail : tail;
}

KERNEL black_scholes(GLOBAL const float *spot, GLOBAL const float *strike, GLOBAL const float *years,
                     GLOBAL float *call, GLOBAL float *put, int count, float rate, float volatility)
{
    if (X >= count) {
        return;
    }
    float deviation = volatility * sqrt(years[X]);
    float d1 = (log(spot[X] / strike[X]) + (rate + 0.5f * volatility * volatility) * years[X]) /
               deviation;
    float n1 = normal_distribution(d1);
    float n2 = normal_distribution(d1 - deviation);
    float discounted = strike[X] * exp(-rate * years[X]);
    call[X] = spot[X] * n1 - discounted * n2;
    put[X] = discounted * (1.0f - n2) - spot[X] * (1.0f - n1);
}

/* ---- memory bandwidth ------------------------------------------------------------------------ */

KERNEL copy(GLOBAL const float *from, GLOBAL float *to, int count)
{
    if (X < count) {
        to[X] = from[X];
    }
}

KERNEL triad(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *to, int count, float scale)
{
    if (X < count) {
        to[X] = a[X] + scale * b[X];
    }
}

/* ---- a gas in a box (Euler's equations) --------------------------------------------------------
 *
 * Finite volumes on side x side cells, first order in time and space, with Rusanov's flux. A cell's
 * state is density, momentum in x and y, and energy, each in a layer of its own of the buffer.
 */
#define GAMMA 1.4f

struct gas {
    float density, x, y, energy;
};

DEVICE float pressure(struct gas gas)
{
    return (GAMMA - 1.0f) * (gas.energy - 0.5f * (gas.x * gas.x + gas.y * gas.y) / gas.density);
}

/* Walls reflect: beyond them lies the mirror image of the cell at the wall. */
DEVICE struct gas gas_at(GLOBAL const float *state, int side, int i, int j)
{
    int cells = side * side;
    int inside_i = i < 0 ? 0 : i >= side ? side - 1 : i;
    int inside_j = j < 0 ? 0 : j >= side ? side - 1 : j;
    int cell = inside_j * side + inside_i;
    struct gas gas;
    gas.density = state[cell];
    gas.x = inside_i == i ? state[cells + cell] : -state[cells + cell];
    gas.y = inside_j == j ? state[2 * cells + cell] : -state[2 * cells + cell];
    gas.energy = state[3 * cells + cell];
    return gas;
}

/* As if the x axis went the way of the flow; swap x and y for the other one. */
DEVICE struct gas flux_along_x(struct gas left, struct gas right)
{
    float left_pressure = pressure(left), right_pressure = pressure(right);
    float left_speed = left.x / left.density, right_speed = right.x / right.density;
    float fastest = fmax(fabs(left_speed) + sqrt(GAMMA * left_pressure / left.density),
                         fabs(right_speed) + sqrt(GAMMA * right_pressure / right.density));
    struct gas flux;
    flux.density = 0.5f * (left.x + right.x - fastest * (right.density - left.density));
    flux.x = 0.5f * (left.x * left_speed + left_pressure + right.x * right_speed + right_pressure -
                     fastest * (right.x - left.x));
    flux.y = 0.5f * (left.y * left_speed + right.y * right_speed - fastest * (right.y - left.y));
    flux.energy = 0.5f * ((left.energy + left_pressure) * left_speed +
                          (right.energy + right_pressure) * right_speed -
                          fastest * (right.energy - left.energy));
    return flux;
}

DEVICE struct gas swapped(struct gas gas)
{
    float x = gas.x;
    gas.x = gas.y;
    gas.y = x;
    return gas;
}

DEVICE struct gas flux_along_y(struct gas below, struct gas above)
{
    return swapped(flux_along_x(swapped(below), swapped(above)));
}

/* A circle of dense gas under pressure in the middle of thin gas, all at rest. */
KERNEL euler_begin(GLOBAL float *state, int side)
{
    if (X >= side) {
        return;
    }
    int cells = side * side, cell = Y * side + X;
    float x = ((float)X + 0.5f) / (float)side - 0.5f, y = ((float)Y + 0.5f) / (float)side - 0.5f;
    int inside = x * x + y * y < 0.04f;
    state[cell] = inside ? 1.0f : 0.125f;
    state[cells + cell] = 0.0f;
    state[2 * cells + cell] = 0.0f;
    state[3 * cells + cell] = (inside ? 1.0f : 0.1f) / (GAMMA - 1.0f);
}

/* One step in time; step is its length, in widths of a cell at speed 1. */
KERNEL euler_step(GLOBAL const float *from, GLOBAL float *to, int side, float step)
{
    if (X >= side) {
        return;
    }
    int cells = side * side, cell = Y * side + X;
    struct gas here = gas_at(from, side, X, Y);
    struct gas west = flux_along_x(gas_at(from, side, X - 1, Y), here);
    struct gas east = flux_along_x(here, gas_at(from, side, X + 1, Y));
    struct gas south = flux_along_y(gas_at(from, side, X, Y - 1), here);
    struct gas north = flux_along_y(here, gas_at(from, side, X, Y + 1));
    to[cell] = here.density - step * (east.density - west.density + north.density - south.density);
    to[cells + cell] = here.x - step * (east.x - west.x + north.x - south.x);
    to[2 * cells + cell] = here.y - step * (east.y - west.y + north.y - south.y);
    to[3 * cells + cell] =
        here.energy - step * (east.energy - west.energy + north.energy - south.energy);
}

/* ---- layers of networks ------------------------------------------------------------------------
 *
 * Pictures are [image][row][column][channel], weights [row][column][channel in][channel out]. A
 * work item is a channel out (X) of a pixel (Y).
 */

/* A convolution of size x size, then what comes from a shortcut is added, and the result cut at 0. */
KERNEL convolve(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL const float *shortcut,
                GLOBAL float *out, int side, int channels, int size, int stride, int channels_out,
                int has_shortcut)
{
    if (X >= channels_out) {
        return;
    }
    int side_out = side / stride;
    int image = Y / (side_out * side_out);
    int row = Y / side_out % side_out * stride - size / 2;
    int column = Y % side_out * stride - size / 2;
    float sum = has_shortcut ? shortcut[Y * channels_out + X] : 0.0f;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int r = row + i, c = column + j;
            if (r < 0 || r >= side || c < 0 || c >= side) {
                continue;
            }
            int from = ((image * side + r) * side + c) * channels;
            int weight = (i * size + j) * channels * channels_out + X;
            for (int k = 0; k < channels; k++) {
                sum += in[from + k] * weights[weight + k * channels_out];
            }
        }
    }
    out[Y * channels_out + X] = fmax(sum, 0.0f);
}

/* What a pixel in would have to change: the convolution backwards. X is a channel in, Y a pixel in. */
KERNEL convolve_back(GLOBAL const float *error_out, GLOBAL const float *out,
                     GLOBAL const float *weights, GLOBAL float *error_in, int side, int channels,
                     int size, int stride, int channels_out, int adds)
{
    if (X >= channels) {
        return;
    }
    int side_out = side / stride;
    int image = Y / (side * side), row = Y / side % side, column = Y % side;
    float sum = adds ? error_in[Y * channels + X] : 0.0f;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int r = row + size / 2 - i, c = column + size / 2 - j;
            if (r < 0 || c < 0 || r % stride != 0 || c % stride != 0 || r / stride >= side_out ||
                c / stride >= side_out) {
                continue;
            }
            int from = ((image * side_out + r / stride) * side_out + c / stride) * channels_out;
            int weight = ((i * size + j) * channels + X) * channels_out;
            for (int k = 0; k < channels_out; k++) {
                sum += out[from + k] > 0.0f ? error_out[from + k] * weights[weight + k] : 0.0f;
            }
        }
    }
    error_in[Y * channels + X] = sum;
}

/* A step down the slope. X is a channel out, Y a weight of it; sums over all pixels out. */
KERNEL convolve_learn(GLOBAL const float *in, GLOBAL const float *error_out,
                      GLOBAL const float *out, GLOBAL float *weights, int side, int channels,
                      int size, int stride, int channels_out, int images, float rate)
{
    if (X >= channels_out) {
        return;
    }
    int side_out = side / stride;
    int k = Y % channels, i = Y / channels / size, j = Y / channels % size;
    float sum = 0.0f;
    for (int image = 0; image < images; image++) {
        for (int r = 0; r < side_out; r++) {
            int row = r * stride + i - size / 2;
            if (row < 0 || row >= side) {
                continue;
            }
            for (int c = 0; c < side_out; c++) {
                int column = c * stride + j - size / 2;
                int to = ((image * side_out + r) * side_out + c) * channels_out + X;
                if (column >= 0 && column < side && out[to] > 0.0f) {
                    sum += in[((image * side + row) * side + column) * channels + k] *
                           error_out[to];
                }
            }
        }
    }
    weights[Y * channels_out + X] -= rate * sum / (float)(images * side_out * side_out);
}

/* The error of a result goes on to the shortcut that was added to it. */
KERNEL shortcut_back(GLOBAL const float *error_out, GLOBAL const float *out, GLOBAL float *error_in,
                     int count, int adds)
{
    if (X < count) {
        float error = out[X] > 0.0f ? error_out[X] : 0.0f;
        error_in[X] = adds ? error_in[X] + error : error;
    }
}

/* The mean of each channel X of each image Y. */
KERNEL average(GLOBAL const float *in, GLOBAL float *out, int pixels, int channels)
{
    if (X >= channels) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < pixels; i++) {
        sum += in[(Y * pixels + i) * channels + X];
    }
    out[Y * channels + X] = sum / (float)pixels;
}

KERNEL average_back(GLOBAL const float *error_out, GLOBAL float *error_in, int pixels, int channels)
{
    if (X < channels) {
        error_in[Y * channels + X] = error_out[Y / pixels * channels + X] / (float)pixels;
    }
}

/* How far a result is from what it should be. */
KERNEL compare(GLOBAL const float *out, GLOBAL const float *target, GLOBAL float *error, int count)
{
    if (X < count) {
        error[X] = out[X] - target[X];
    }
}

/* Row Y of a, width long, times b; then what is added, and a bend if asked for. X is a column. */
KERNEL multiply(GLOBAL const float *a, GLOBAL const float *b, GLOBAL const float *added,
                GLOBAL float *out, int width, int columns, int has_added, int bends)
{
    if (X >= columns) {
        return;
    }
    float sum = has_added ? added[Y * columns + X] : 0.0f;
    for (int k = 0; k < width; k++) {
        sum += a[Y * width + k] * b[k * columns + X];
    }
    /* GELU, in the form that networks compute. */
    out[Y * columns + X] =
        bends ? 0.5f * sum * (1.0f + tanh(0.79788456f * (sum + 0.044715f * sum * sum * sum))) : sum;
}

/* How much token Y % tokens looks at token X, in head Y / tokens. A row of all is query, key, value. */
KERNEL attend(GLOBAL const float *all, GLOBAL float *scores, int tokens, int hidden, int heads)
{
    if (X >= tokens) {
        return;
    }
    int width = hidden / heads, head = Y / tokens, token = Y % tokens;
    float sum = 0.0f;
    for (int k = 0; k < width; k++) {
        sum += all[token * 3 * hidden + head * width + k] *
               all[X * 3 * hidden + hidden + head * width + k];
    }
    scores[Y * tokens + X] = sum / sqrt((float)width);
}

/* Row X, in place. */
KERNEL softmax(GLOBAL float *rows, int count, int width)
{
    if (X >= count) {
        return;
    }
    float most = rows[X * width], sum = 0.0f;
    for (int k = 1; k < width; k++) {
        most = fmax(most, rows[X * width + k]);
    }
    for (int k = 0; k < width; k++) {
        rows[X * width + k] = exp(rows[X * width + k] - most);
        sum += rows[X * width + k];
    }
    for (int k = 0; k < width; k++) {
        rows[X * width + k] /= sum;
    }
}

/* What token Y gets of the others' values, number X of it. */
KERNEL gather(GLOBAL const float *scores, GLOBAL const float *all, GLOBAL float *out, int tokens,
              int hidden, int heads)
{
    if (X >= hidden) {
        return;
    }
    int head = X / (hidden / heads);
    float sum = 0.0f;
    for (int k = 0; k < tokens; k++) {
        sum += scores[(head * tokens + Y) * tokens + k] * all[k * 3 * hidden + 2 * hidden + X];
    }
    out[Y * hidden + X] = sum;
}

/* Row X, in place, to mean 0 and variance 1. */
KERNEL standardize(GLOBAL float *rows, int count, int width)
{
    if (X >= count) {
        return;
    }
    float sum = 0.0f, squares = 0.0f;
    for (int k = 0; k < width; k++) {
        sum += rows[X * width + k];
        squares += rows[X * width + k] * rows[X * width + k];
    }
    float mean = sum / (float)width;
    float scale = 1.0f / sqrt(squares / (float)width - mean * mean + 1e-5f);
    for (int k = 0; k < width; k++) {
        rows[X * width + k] = (rows[X * width + k] - mean) * scale;
    }
}
