package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The judge of N.3; a tiny kernel takes 0.01 ms alone. */
class PreemptionFeltTest {
  private static final double ALONE = 0.01;

  /** What a level makes felt at 400 ms; everywhere else 0.25 ms. */
  private static Findings judged(Map<String, Double> feltAtTheLongest, int requests) {
    Runs runs = new Runs();
    runs.add("standalone", Planted.outcome().party("high", 200, ALONE).get());
    for (String level : PreemptionFelt.levels()) {
      for (int micros : PreemptionFelt.MICROS) {
        double felt = micros == 400_000 ? feltAtTheLongest.getOrDefault(level, 0.25) : 0.25;
        runs.add(
            PreemptionFelt.label(level, micros),
            Planted.outcome().party("low", 500, 1).party("high", requests, ALONE + felt).get());
      }
    }
    Findings findings = new Findings();
    PreemptionFelt.judge(runs, findings);
    return findings;
  }

  private static List<String> missed(Findings findings) {
    return findings.criteria().stream()
        .filter(c -> !c.pass() && !c.goalOnly())
        .map(Criterion::name)
        .toList();
  }

  @Test
  void flatAndShortPassesAndIsDrawnForEachLevel() {
    Findings findings = judged(Map.of(), 200);
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results().get("felt_p99_us_level_3_command_400000"))
        .asInstanceOf(DOUBLE)
        .isBetween(249.0, 251.0);
    assertThat(findings.series())
        .filteredOn(s -> "99th percentile".equals(s.panel()))
        .hasSameSizeAs(PreemptionFelt.levels())
        .allMatch(s -> s.points().size() == PreemptionFelt.MICROS.size());
  }

  @Test
  void levelOneMayGrowWithTheKernel() {
    assertThat(judged(Map.of("level 1", 400.0), 200).pass()).isTrue();
  }

  @Test
  void levelThreeMustNotGrow() {
    assertThat(missed(judged(Map.of("level 3", 0.4), 200)))
        .containsExactly("level 3, P50 felt at 400 ms against 0.5 ms (1 is flat)");
  }

  @Test
  void oneOfAutoAndLevelThreeMustBeShortAtEveryLength() {
    assertThat(missed(judged(Map.of("auto", 400.0), 200))).isEmpty();
    assertThat(missed(judged(Map.of("auto", 400.0, "level 3", 0.8), 200)))
        .contains("P99 felt, the better of auto and level 3, worst length");
  }

  @Test
  void tooFewSamplesPassNothing() {
    assertThat(missed(judged(Map.of(), 50)))
        .containsExactly("P99 felt, the better of auto and level 3, worst length");
  }
}
