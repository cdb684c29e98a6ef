package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessFactsTest {
  @Test
  void aNameMayHoldAnything() {
    String rest = "T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 -5 17 18 4711 20";
    assertThat(ProcessFacts.parse("42 (a) b (c d) " + rest))
        .isEqualTo(new ProcessFacts("a) b (c d", 4711, -5, true));
  }

  @Test
  void thisProcessIsKnownAndNobodyElseIs() {
    assertThat(ProcessFacts.of((int) ProcessHandle.current().pid()).startTicks()).isPositive();
    assertThat(ProcessFacts.of(0)).isEqualTo(ProcessFacts.UNKNOWN);
    assertThat(ProcessFacts.of(Integer.MAX_VALUE)).isEqualTo(ProcessFacts.UNKNOWN);
    assertThat(ProcessFacts.parse("nonsense")).isEqualTo(ProcessFacts.UNKNOWN);
  }
}
