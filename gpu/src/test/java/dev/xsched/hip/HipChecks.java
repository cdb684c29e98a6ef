package dev.xsched.hip;

import dev.xsched.gpu.StreamChecks;

/** The checks on a device of HIP. */
final class HipChecks {
  private static final String KERNELS =
      """
      extern "C" __global__ void vector_add(const int *a, const int *b, int *c, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {
          c[i] = a[i] + b[i];
        }
      }

      extern "C" __global__ void advance(int *p, int i)
      {
        *p = *p * 3 + i;
      }

      extern "C" __global__ void store_at(int *p, int index, int value)
      {
        p[index] = value;
      }
      """;

  private HipChecks() {}

  static StreamChecks on(HipDevice device) {
    return new StreamChecks(
        device,
        device.compile(KERNELS),
        new StreamChecks.Dialect(
            "hipErrorInvalidValue",
            "hipErrorNotFound",
            () -> device.compile("nonsense").close(),
            false));
  }
}
