package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonProcessTest {
  private static final int PROGRAMS = 4;

  @TempDir Path folder;

  @Test
  void programsThatAreStartedTogetherAllFindTheLog() throws Exception {
    try (var threads = Executors.newFixedThreadPool(PROGRAMS)) {
      for (int round = 0; round < 300; round++) {
        Path log = folder.resolve("log" + round);
        CyclicBarrier together = new CyclicBarrier(PROGRAMS);
        List<Future<?>> programs = new ArrayList<>();
        for (int i = 0; i < PROGRAMS; i++) {
          programs.add(
              threads.submit(
                  () -> {
                    together.await();
                    DaemonProcess.prepareLog(log);
                    return null;
                  }));
        }
        for (Future<?> program : programs) {
          program.get();
        }
        assertThat(Files.size(log)).isZero();
      }
    }
  }
}
