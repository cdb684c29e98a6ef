package dev.xsched.bench.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchLockTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void secondBenchIsRefusedAndToldWhoMeasures() throws Exception {
    Path file = folder.resolve("lock");
    try (BenchLock _ = BenchLock.take(file)) {
      assertThatThrownBy(() -> BenchLock.take(file))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("pid " + ProcessHandle.current().pid())
          .hasMessageContaining("wait for it");
    }
    BenchLock.take(file).close();
  }
}
