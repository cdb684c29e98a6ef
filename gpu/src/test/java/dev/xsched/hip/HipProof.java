package dev.xsched.hip;

import dev.xsched.gpu.StreamProof;

/**
 * Runs the checks on a real device of HIP. CI has no such device. After {@code mvn verify -pl
 * core,gpu}, with the jar of assertj-core:
 *
 * <pre>
 *   java --enable-native-access=ALL-UNNAMED \
 *     -cp core/target/classes:gpu/target/classes:gpu/target/test-classes:assertj-core-3.27.7.jar \
 *     dev.xsched.hip.HipProof [NUMBER]
 * </pre>
 */
final class HipProof {
  private HipProof() {}

  public static void main(String[] args) throws InterruptedException {
    int code;
    try (HipDevice device = new HipProvider().open(args.length == 0 ? "0" : args[0])) {
      code = StreamProof.run(device, HipChecks.on(device));
    }
    System.exit(code);
  }
}
