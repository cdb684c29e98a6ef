package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A C program that starts a scheduler of its own, and has two XQueues of different priorities. */
class LocalSchedulerTest {
  private static final Path TEST =
      Path.of("../native/target/test/local").toAbsolutePath().normalize();

  @TempDir private Path folder;

  /** The test itself is in C: it counts what the lower queue launched while the higher had work. */
  @Test
  void theHigherOfTwoXQueuesGoesFirst() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(TEST), "the tests in C were not built");
    Shell.Answer answer =
        Shell.run(
            Map.of("XSCHED_COMMAND", XschedScript.in(folder).toString()),
            List.of(
                TEST.toString(), Load.PROGRAM.toString(), "the higher of two XQueues goes first"));
    assertThat(answer.exitCode()).as(answer.text()).isZero();
    Assumptions.assumeFalse(answer.text().contains("skipped"), answer.text());
    assertThat(answer.text()).contains("while high launched 30");
  }
}
