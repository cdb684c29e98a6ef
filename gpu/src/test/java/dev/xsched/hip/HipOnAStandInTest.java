package dev.xsched.hip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.queue.DeviceException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Our side of HIP, against a library that plays its part on the host. */
class HipOnAStandInTest {
  @TempDir private static Path folder = Path.of("");
  private static List<String> library = List.of();

  @BeforeAll
  static void compile() throws Exception {
    library = List.of("libNoSuchHip.so", build("with_uuid.so").toString());
  }

  private static Path build(String name, String... options) throws Exception {
    Path built = folder.resolve(name);
    Stream<String> command =
        Stream.of("gcc", "-shared", "-fPIC", "-o", built.toString(), "src/test/c/standin_hip.c");
    Process gcc =
        new ProcessBuilder(Stream.concat(command, Stream.of(options)).toList()).inheritIO().start();
    assertThat(gcc.waitFor()).isZero();
    return built;
  }

  @TestFactory
  Stream<DynamicTest> holds() {
    HipDevice device = new HipProvider(library).open("");
    return HipChecks.on(device).all().entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()::run))
        .onClose(device::close);
  }

  @Test
  void hasNameKeyAndRank() {
    HipProvider provider = new HipProvider(library);
    assertThat(provider.rank()).isEqualTo(100);
    assertThat(provider.usage()).isEqualTo("hip[:N]");
    try (HipDevice device = provider.open("0")) {
      assertThat(device.name()).isEqualTo("stand-in 40 (HIP)");
      assertThat(device.key()).isEqualTo("gpu:28292a2b-2c2d-2e2f-3031-323334353637");
      assertThat(device.simulated()).isFalse();
    }
  }

  /** As the library in front of HIP names it to the daemon. */
  @Test
  void deviceWithoutAUuidIsNamedByItsPlace() throws Exception {
    List<String> old = List.of(build("without_uuid.so", "-DWITHOUT_UUID").toString());
    try (HipDevice device = new HipProvider(old).open("")) {
      assertThat(device.key()).isEqualTo("hip:0000:0c:00.0");
    }
    List<String> zeros = List.of(build("zero_uuid.so", "-DZERO_UUID").toString());
    try (HipDevice device = new HipProvider(zeros).open("")) {
      assertThat(device.key()).isEqualTo("hip:0000:0c:00.0");
    }
  }

  @Test
  void aDeviceThatIsNotThereIsAnsweredWithThoseThatAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HipProvider(library).open("7"))
        .withMessage("there is no HIP device '7'; choose hip:0 to hip:0");
  }

  @Test
  void withoutHipThereIsNoDeviceAndNoFailure() {
    HipProvider none = new HipProvider(List.of("libNoSuchHip.so"));
    assertThat(none.rank()).isZero();
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> none.open(""))
        .withMessageStartingWith("cannot load libNoSuchHip.so; install ROCm");
  }
}
