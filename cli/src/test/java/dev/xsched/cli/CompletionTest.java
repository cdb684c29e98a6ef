package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void bashTakesTheScriptAndCompletesWithIt() throws IOException {
    Path script = folder.resolve("xsched.bash");
    Files.writeString(script, CommandLineHarness.run("completion").out());
    String lines =
        """
        set -e; bash -n "$1"; source "$1"; complete -p xsched
        complete_now() { _complete_xsched 2>/dev/null || true; } # it says that this is no Tab key
        COMP_WORDS=(xsched st); COMP_CWORD=1; complete_now; echo "${COMPREPLY[*]}"
        COMP_WORDS=(xsched serve --policy C); COMP_CWORD=3; complete_now; echo "${COMPREPLY[*]}"
        """;
    Process bash =
        new ProcessBuilder("bash", "-c", lines, "bash", script.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(out.lines().toList())
        .hasSize(3)
        .satisfiesExactly(
            registered -> assertThat(registered).contains("complete", "_complete_xsched xsched"),
            commands -> assertThat(commands).contains("stop", "status"),
            policies -> assertThat(policies).contains("CFS", "CHPF"));
  }

  @Test
  void saysHowToUseIt() {
    assertThat(CommandLineHarness.run("completion", "zsh").out())
        .startsWith("# For this shell: source <(xsched completion zsh)");
  }
}
