package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.policy.Hint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
  @TempDir Path folder = Path.of("");

  private Limits read(String text) throws IOException {
    Path passwd =
        Files.writeString(
            folder.resolve("passwd"), "alice:x:1001:1001::/:/bin/sh\nbob:x:1002:1002::/:/bin/sh\n");
    return Limits.read(
        Files.writeString(folder.resolve("limits.toml"), text), Users.read(passwd), 0);
  }

  @Test
  void withoutAFileEverybodyMayAskForEverything() throws IOException {
    Limits limits = Limits.read(folder.resolve("none"), Users.none(), 0);
    assertThat(limits.clamp(1001, Hint.PRIORITY, 255)).isEqualTo(255);
  }

  @Test
  void usersHaveTheirOwnLimitOrThatOfEverybody() throws IOException {
    Limits limits =
        read(
            """
            [limits]
            max-priority = 0
            [limits.alice]
            max-priority = 10
            max-utilization = 50
            [limits.1003]
            max-priority = 20
            """);
    assertThat(limits.clamp(1002, Hint.PRIORITY, 5)).isZero();
    assertThat(limits.clamp(1002, Hint.PRIORITY, -5)).isEqualTo(-5);
    assertThat(limits.clamp(1002, Hint.CRITICAL_PRIORITY, 5)).isZero();
    assertThat(limits.clamp(1001, Hint.PRIORITY, 50)).isEqualTo(10);
    assertThat(limits.clamp(1001, Hint.UTILIZATION, 100)).isEqualTo(50);
    assertThat(limits.clamp(1003, Hint.PRIORITY, 50)).isEqualTo(20);
    assertThat(limits.clamp(1003, Hint.UTILIZATION, 100)).isEqualTo(100);
    assertThat(limits.clamp(0, Hint.PRIORITY, 255)).as("root").isEqualTo(255);
    assertThat(limits.clamp(1002, Hint.DEADLINE, 5)).isEqualTo(5);
  }

  @Test
  void whoMayNotExecuteHasTheLowestOfTheOtherPrioritiesToo() throws IOException {
    Limits limits = read("[limits]\nmax-priority = -256");
    assertThat(limits.clamp(1001, Hint.PRIORITY, 0)).isEqualTo(Hint.NO_EXECUTE);
    assertThat(limits.clamp(1001, Hint.LAX_PRIORITY, 0)).isEqualTo(Hint.LAX_PRIORITY.min());
  }

  @Test
  void onlyWhoHasNoMostPriorityMayStateAGoal() throws IOException {
    Limits limits = read("[limits]\nmax-utilization = 50\n[limits.alice]\nmax-priority = 254");
    assertThat(limits.clamp(1002, Hint.SLO_P99, 2_000)).isEqualTo(2_000);
    assertThat(limits.clamp(1001, Hint.SLO_P99, 2_000)).isEqualTo(Hint.UNSET);
    assertThat(limits.clamp(1001, Hint.SLO_RATIO, 1_050)).isEqualTo(Hint.UNSET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[limit]\nmax-priority = 1",
        "[limits]\nmax-prio = 1",
        "[limits.alice]\npriority = 1",
        "[limits]\nmax-priority = 300",
        "[limits]\nmax-priority = \"1\"",
        "[limits\n"
      })
  void mistakesAreNamedWithTheFile(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limits.toml");
  }
}
