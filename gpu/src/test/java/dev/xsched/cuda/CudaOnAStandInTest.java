package dev.xsched.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.gpu.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Our side of CUDA, against a library that plays its part on the host. */
class CudaOnAStandInTest {
  @TempDir private static Path folder = Path.of("");
  private static String library = "";

  @BeforeAll
  static void compile() throws Exception {
    library = folder.resolve("libstandin.so").toString();
    Process gcc =
        new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library, "src/test/c/standin_cuda.c")
            .inheritIO()
            .start();
    assertThat(gcc.waitFor()).isZero();
  }

  @TestFactory
  Stream<DynamicTest> holds() {
    CudaDevice device = new CudaProvider(library).open("");
    return CudaChecks.on(device).all().entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()::run))
        .onClose(device::close);
  }

  @Test
  void hasNameKeyAndRank() {
    CudaProvider provider = new CudaProvider(library);
    assertThat(provider.rank()).isEqualTo(100);
    try (CudaDevice device = provider.open("0")) {
      assertThat(device.name()).isEqualTo("stand-in 40 (CUDA)");
      assertThat(device.key()).isEqualTo("gpu:28292a2b-2c2d-2e2f-3031-323334353637");
      assertThat(device.simulated()).isFalse();
    }
  }

  @Test
  void aDeviceThatIsNotThereIsAnsweredWithThoseThatAre() {
    for (String wrong : List.of("1", "-1", "x")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CudaProvider(library).open(wrong))
          .withMessage("there is no CUDA device '%s'; choose cuda:0 to cuda:0", wrong);
    }
  }

  /** Pinned memory of an automatic arena is given back when the collector gets to it. */
  @AfterAll
  static void everythingWasGivenBack() throws Throwable {
    var open =
        NativeLibrary.load(library, "").bind("standin_open", FunctionDescriptor.ofVoid(ADDRESS));
    int[] counts = new int[7];
    for (int i = 0; i < 100 && (i == 0 || counts[5] > 0); i++) {
      System.gc();
      Thread.sleep(20);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment out = arena.allocate(JAVA_INT, counts.length);
        open.invokeExact(out);
        counts = out.toArray(JAVA_INT);
      }
    }
    assertThat(counts)
        .as("streams, events, buffers, modules, graphs, host memory, contexts")
        .containsOnly(0);
  }
}
