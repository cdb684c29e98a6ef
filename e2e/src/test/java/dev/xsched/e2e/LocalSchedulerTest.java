package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
            Map.of("XSCHED_COMMAND", command().toString()),
            List.of(
                TEST.toString(), Load.PROGRAM.toString(), "the higher of two XQueues goes first"));
    assertThat(answer.exitCode()).as(answer.text()).isZero();
    Assumptions.assumeFalse(answer.text().contains("skipped"), answer.text());
    assertThat(answer.text()).contains("while high launched 30");
  }

  /** What is under test in the place of the script that users have. */
  private Path command() throws Exception {
    Path command = folder.resolve("xsched");
    Files.writeString(
        command,
        "#!/bin/sh\nexec '%s' --enable-native-access=ALL-UNNAMED -Xmx128m -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                "dev.xsched.cli.Main"));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    return command;
  }
}
