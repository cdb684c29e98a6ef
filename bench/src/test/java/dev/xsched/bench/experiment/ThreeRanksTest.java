package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreeRanksTest {
  private static List<String> missed(double high, double middle, int low) {
    Runs runs = new Runs();
    runs.add("standalone", Planted.outcome().party("bert", 200, 4).get());
    runs.add(
        "two ranks", Planted.outcome().party("resnet 64", 400, 10).party("bert", 200, 4).get());
    runs.add("xsched", all(high, middle, low));
    runs.add("native", all(12, 30, 60));
    Findings findings = new Findings();
    ThreeRanks.judge(runs, findings);
    return findings.criteria().stream().filter(c -> !c.pass()).map(Criterion::name).toList();
  }

  private static dev.xsched.bench.scene.Outcome all(double high, double middle, int low) {
    return Planted.outcome()
        .party("resnet 1024", low, 90)
        .party("resnet 64", 400, middle)
        .party("bert", 200, high)
        .get();
  }

  @Test
  void whoIsAboveDoesNotFeelWhoIsBelow() {
    assertThat(missed(4.3, 10.9, 60)).isEmpty();
  }

  @Test
  void eachRankIsJudgedBesideItsOwnBaseline() {
    assertThat(missed(4.5, 10, 60)).containsExactly("priority 10: P99 beside both, against alone");
    assertThat(missed(4, 11.5, 60))
        .containsExactly("priority 5: P99 beside both, against beside priority 10 only");
  }

  @Test
  void lowestMustNotStarve() {
    assertThat(missed(4, 10, 5)).containsExactly("priority 0 advances");
  }
}
