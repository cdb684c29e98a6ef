package dev.xsched.cuda;

import dev.xsched.gpu.StreamProof;

/**
 * Runs the checks on a real device of CUDA. CI has no such device. After {@code mvn verify -pl
 * core,gpu}, with the jar of assertj-core:
 *
 * <pre>
 *   java --enable-native-access=ALL-UNNAMED \
 *     -cp core/target/classes:gpu/target/classes:gpu/target/test-classes:assertj-core-3.27.7.jar \
 *     dev.xsched.cuda.CudaProof [NUMBER]
 * </pre>
 */
final class CudaProof {
  private CudaProof() {}

  public static void main(String[] args) throws InterruptedException {
    int code;
    try (CudaDevice device = new CudaProvider().open(args.length == 0 ? "0" : args[0])) {
      code = StreamProof.run(device, CudaChecks.on(device));
    }
    System.exit(code);
  }
}
