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
