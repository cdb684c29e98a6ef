package dev.xsched.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  private final List<String> warnings = new ArrayList<>();

  private Environment of(Map<String, String> variables) {
    return Environment.of(variables, warnings::add);
  }

  @Test
  void readsEveryVariable() {
    Environment all =
        of(
            Map.of(
                "XSCHED_NAME", "trainer",
                "XSCHED_AUTO_XQUEUE_PRIORITY", "-3",
                "XSCHED_AUTO_XQUEUE_UTILIZATION", " 40 ",
                "XSCHED_AUTO_XQUEUE_TIMESLICE", "1000",
                "XSCHED_AUTO_XQUEUE_DEADLINE", "2000",
                "XSCHED_AUTO_XQUEUE_KDEADLINE", "2",
                "XSCHED_AUTO_XQUEUE_LAXITY", "0",
                "XSCHED_AUTO_XQUEUE_SLO_RATIO", "1050",
                "XSCHED_AUTO_XQUEUE_LEVEL", "2"));
    assertThat(all.name()).isEqualTo("trainer");
    assertThat(all.level()).isEqualTo(Level.DEACTIVATE);
    assertThat(all.hints())
        .containsOnly(
            Map.entry(Hint.PRIORITY, -3L),
            Map.entry(Hint.UTILIZATION, 40L),
            Map.entry(Hint.TIMESLICE, 1000L),
            Map.entry(Hint.DEADLINE, 2000L),
            Map.entry(Hint.K, 2L),
            Map.entry(Hint.LAXITY, 0L),
            Map.entry(Hint.SLO_RATIO, 1050L));
    assertThat(warnings).isEmpty();
  }

  @Test
  void anEmptyEnvironmentAsksForNothing() {
    Environment none = of(Map.of("XSCHED_AUTO_XQUEUE_PRIORITY", "", "XSCHED_NAME", " "));
    assertThat(none.hints()).isEmpty();
    assertThat(none.level()).isNull();
    assertThat(none.name()).as("the main class, without its package").doesNotContain("/", " ");
    assertThat(warnings).isEmpty();
  }
}
