package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drives {@code top} on a pseudo terminal that script(1) makes. */
class TopOnATerminalTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir private Path folder = Path.of("");

  /** Each is what a shell does to it while it runs; $TOP is its process id. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"printf n; sleep 1; printf rjkq", "printf '\\003'", "kill $TOP", "kill -HUP $TOP"})
  void theTerminalIsLeftAsItWas(String end) throws Exception {
    String out = onATerminal("xterm", end);
    assertThat(out).contains("before=", "\033[?1049h", "daemon away", "q:quit");
    assertThat(out).contains("\033[?25h\033[?1049l");
    assertThat(setting(out, "after")).isNotEmpty().isEqualTo(setting(out, "before"));
  }

  @Test
  void aTypeThatNobodyKnowsIsNoMatter() throws Exception {
    assertThat(onATerminal("nonsense", "printf q")).contains("q:quit").doesNotContain("infocmp");
  }

  @Test
  void aDumbTerminalIsNotPainted() throws Exception {
    assertThat(onATerminal("dumb", ":")).contains("no daemon answers").doesNotContain("\033");
  }

  private String onATerminal(String type, String end) throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(SCRIPT), "script is not installed");
    assertThat(Launcher.run("--version").code()).as("it is built").isZero();
    Path inside = folder.resolve("inside.sh");
    Files.writeString(
        inside,
        """
        stty rows 24 cols 80
        echo "before=$(stty -g)"
        echo $$ > %1$s/shell
        sh -c 'echo $$ > %1$s/pid; exec %2$s top'
        echo "after=$(stty -g)"
        """
            .formatted(folder, Launcher.script()));
    Path outside = folder.resolve("outside.sh");
    Files.writeString(
        outside,
        """
        ( for i in $(seq 200); do
            grep -qE 'quit|after=' %1$s/seen 2>/dev/null && break; sleep 0.1
          done
          TOP=$(cat %1$s/pid); sleep 0.3; %3$s; sleep 3 ) |
          timeout 60 %2$s -qfec "sh %1$s/inside.sh" %1$s/seen
        """
            .formatted(folder, SCRIPT, type.equals("dumb") ? "sleep 1" : end));
    ProcessBuilder builder = new ProcessBuilder("sh", outside.toString()).redirectErrorStream(true);
    builder.environment().putAll(Map.of("TERM", type, "XSCHED_DIR", folder.toString()));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return out;
  }

  private static String setting(String out, String name) {
    return out.lines()
        .filter(line -> line.contains(name + "="))
        .map(line -> line.replaceFirst(".*=", "").strip())
        .findFirst()
        .orElse("");
  }
}
