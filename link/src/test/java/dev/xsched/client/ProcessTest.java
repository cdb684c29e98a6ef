package dev.xsched.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.client.StandInDaemon.Member;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Slot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program in a process of its own. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProcessTest {
  @TempDir Path folder = Path.of("");

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.add(CarelessProgram.class.getName());
    command.add(folder.toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void exitsWithoutCloseAndTheDaemonNotices() throws Exception {
    try (StandInDaemon daemon = new StandInDaemon(new ControlDirectory(folder))) {
      Process program = start();
      assertThat(program.inputReader().readLine()).isEqualTo("registered");
      assertThat(program.waitFor(60, TimeUnit.SECONDS)).as("it ends by itself").isTrue();
      assertThat(program.exitValue()).isZero();
      Conditions.await("the daemon to notice", daemon.members::isEmpty);
    }
  }

  @Test
  void aProgramThatIsKilledIsNoticed() throws Exception {
    try (StandInDaemon daemon = new StandInDaemon(new ControlDirectory(folder))) {
      Process program = start("60000");
      Member member = daemon.member("careless");
      Slot slot = member.block().slot(0);
      Conditions.await("its facts", () -> slot.readySince() > 0 && slot.submitted() == 10);
      assertThat(slot.readySince())
          .as("one clock for both processes")
          .isBetween(System.nanoTime() - 60_000_000_000L, System.nanoTime());
      program.destroyForcibly().waitFor();
      Conditions.await("the daemon to notice", daemon.members::isEmpty);
    }
  }
}
