package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class HelpTest {
  @Test
  void helpTeachesByExampleAndSaysWhatIsSimulated() {
    var outcome = CommandLineHarness.run("--help");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("Examples:", "What is simulated", "XSCHED_PLUGINS");
    assertThat(CommandLineHarness.run().out()).isEqualTo(outcome.out());
  }

  @Test
  void everyHelpFitsIntoTheLine() {
    assertThat(CommandLineHarness.run("--help").out().lines()).allMatch(l -> l.length() <= 100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "list",
        "top",
        "hint",
        "policy",
        "config",
        "serve",
        "stop",
        "status",
        "doctor",
        "demo",
        "report",
        "completion",
        "dist"
      })
  void everyCommandTeachesByExample(String command) {
    var outcome = CommandLineHarness.run(command, "--help");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("Example", "xsched " + command);
    assertThat(outcome.out().lines()).allMatch(l -> l.length() <= 100);
    assertThat(CommandLineHarness.run("--help").out()).contains("  " + command + " ");
  }

  @Test
  void everyKindOfDeviceIsNamed() {
    assertThat(CommandLineHarness.run("demo", "--help").out()).contains("hip[:N]");
  }

  @Test
  void bothWaysToAskForTheVersionAnswerTheSame() {
    var quick = CommandLineHarness.run("--version");
    assertThat(quick.code()).isZero();
    assertThat(quick.out()).startsWith("xsched ").contains("Java ");
    assertThat(CommandLineHarness.run("-V").out()).isEqualTo(quick.out());
  }

  @Test
  void policiesAreListedAsJson() {
    var outcome = CommandLineHarness.run("policy", "--available", "--json");
    assertThat(outcome.code()).isZero();
    assertThat(JsonMapper.shared().readTree(outcome.out()).isArray()).isTrue();
  }
}
