package dev.xsched.gpu;

/**
 * How many blocks of how many threads a kernel runs in.
 *
 * @param sharedBytes shared memory for each block, beside what the kernel declares
 */
public record Grid(
    int blocksX,
    int blocksY,
    int blocksZ,
    int threadsX,
    int threadsY,
    int threadsZ,
    int sharedBytes) {

  /** In one dimension. */
  public static Grid of(int blocks, int threads) {
    return new Grid(blocks, 1, 1, threads, 1, 1, 0);
  }

  /** Enough blocks for that many threads in all; the last block may have some too many. */
  public static Grid covering(long items, int threadsPerBlock) {
    return of(Math.toIntExact(Math.ceilDiv(items, threadsPerBlock)), threadsPerBlock);
  }
}
