package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverheadTest {
  private final Findings findings = new Findings();

  private static Runs runs(String without, int requests, Map<String, Integer> with) {
    Runs runs = new Runs();
    runs.add(without, Planted.outcome().party("alone", requests, 1).get());
    with.forEach((label, n) -> runs.add(label, Planted.outcome().party("alone", n, 1).get()));
    return runs;
  }

  @Test
  void programThatIsMuchFasterUnderTheSchedulerWasDisturbedWithoutIt() {
    RuntimeOverhead.judge(runs("native", 100, Map.of("xsched", 125)), "", findings);
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes().getFirst()).contains("the program under XSched is 1.25x");
  }

  @Test
  void aLittleFasterMayBeChance() {
    RuntimeOverhead.judge(runs("native", 100, Map.of("xsched", 105)), "", findings);
    assertThat(findings.pass()).isTrue();
  }

  @Test
  void boundsOnWhatIsInFlightCannotMakeAProgramFasterEither() {
    Map<String, Integer> with = new LinkedHashMap<>();
    for (int threshold : List.of(1, 2, 4, 6, 8, 10, 16)) {
      with.put("threshold " + threshold, 100);
    }
    with.put("adaptive", 150);
    ThresholdOverhead.judge(Map.of(10, runs("none", 100, with)), findings);
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes().getFirst()).contains("adaptive", "1.50x");
  }
}
