/*
 * A gas in a box, by Euler's equations.
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
