package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelServingTest {
  @Test
  void measuredBarsStandBesideThoseOfThePaper() {
    Runs runs = new Runs();
    runs.add("standalone", Planted.outcome().party("high", 200, 10).get());
    runs.add("server", Planted.outcome().party("low", 900, 10).party("high", 200, 20).get());
    runs.add("xsched", Planted.outcome().party("low", 800, 10).party("high", 200, 11).get());
    Findings findings = new Findings();
    ModelServing.judge(runs, findings);
    assertThat(findings.series())
        .filteredOn(s -> "P99".equals(s.panel()))
        .satisfiesExactly(
            own ->
                assertThat(own.points())
                    .containsExactly(
                        List.of("standalone", 1.0), List.of("server", 2.0), List.of("xsched", 1.1)),
            paper ->
                assertThat(paper.points())
                    .extracting(List::getFirst)
                    .containsExactly("standalone", "server", "server priority", "xsched"));
  }
}
