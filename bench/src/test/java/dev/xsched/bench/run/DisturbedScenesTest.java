package dev.xsched.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.experiment.Director;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a scene while the host of the machine does something else. */
class DisturbedScenesTest {
  private static final Scene SCENE =
      new Scene(
          "alone",
          new Control.Native(),
          List.of(Party.of("party", Workload.Named.BERT_LARGE, new Pattern.Continuous())),
          Duration.ZERO,
          Duration.ofSeconds(1),
          0);

  private final FakeStage stage = new FakeStage(_ -> {});
  private final Findings findings = new Findings();
  private final Director director =
      new Director(
          stage,
          Extent.QUICK,
          findings,
          new Director.Audience() {
            @Override
            public void begins(String what) {}

            @Override
            public void played(Duration deviceTime) {}
          });

  private List<Double> stolen(Runs runs) {
    return runs.of("alone").stream().map(Outcome::stolen).toList();
  }

  @Test
  void itIsPlayedAgainUntilTheHostLeavesItAlone() throws Exception {
    stage.disturb(0.02, 0.001);
    assertThat(stolen(director.amongThemselves(List.of(SCENE), 1))).containsExactly(0.001);
    assertThat(stage.played()).isEqualTo(2);
    assertThat(findings.notes()).singleElement().asString().contains("played 2 times", "0.10 %");
  }

  @Test
  void ofThreeTheQuietestCountsWhateverCameOut() throws Exception {
    stage.disturb(0.02, 0.01, 0.03, 0.002);
    assertThat(stolen(director.amongThemselves(List.of(SCENE), 2))).containsExactly(0.01, 0.002);
    assertThat(stage.played()).isEqualTo(4);
  }

  @Test
  void itIsPlayedOnceWhereLessIsJudgedByATail() throws Exception {
    stage.disturb(0.02);
    Runs runs = director.byTurns(List.of(SCENE));
    assertThat(stage.played()).isEqualTo(Extent.QUICK.repetitions());
    assertThat(stolen(runs)).startsWith(0.02);
  }
}
