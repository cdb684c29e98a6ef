/* Setting up, keeping the device busy, and moving memory. */

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

/* Steps that each wait for the last, so that no compiler or core can shorten them. */
KERNEL delay(GLOBAL float *sink, int rounds)
{
    float x = sink[X];
    for (int i = 0; i < rounds; i++) {
        x = x * 0.9999f + 0.0001f;
    }
    sink[X] = x;
}

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
