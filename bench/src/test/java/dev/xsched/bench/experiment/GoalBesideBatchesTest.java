package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalBesideBatchesTest {
  private static Findings judged(double high, int low) {
    Runs runs = new Runs();
    runs.add("standalone", Planted.outcome().party("bert eager", 500, 10).get());
    runs.add("standalone", Planted.outcome().party("bert eager", 500, 11).get());
    runs.add("native", both(14, 1_240));
    runs.add("hpf", both(10.2, 660));
    runs.add("slo", both(high, low));
    Findings findings = new Findings();
    GoalBesideBatches.judge(runs, findings);
    return findings;
  }

  private static dev.xsched.bench.scene.Outcome both(double high, int low) {
    return Planted.outcome().party("resnet 64", low, 8).party("bert eager", 500, high).get();
  }

  private static List<String> missed(Findings findings) {
    return findings.criteria().stream().filter(c -> !c.pass()).map(Criterion::name).toList();
  }

  @Test
  void goalThatIsKeptWithTheRestGivenAwayPasses() {
    Findings findings = judged(10.4, 1_120);
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results()).containsEntry("high_p99_standalone_spread", 1.1);
  }

  @Test
  void goalThatIsNotKeptIsMissed() {
    assertThat(missed(judged(11.8, 1_120)))
        .containsExactly("high P99 under SLO, against standalone");
  }

  @Test
  void strictPriorityInDisguiseIsMissed() {
    assertThat(missed(judged(10.2, 660)))
        .containsExactly("low under SLO", "low under SLO, of native");
  }
}
