package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.run.Stages;
import dev.xsched.bench.virtual.SimStage;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavedWavesTest {
  private static List<Boolean> verdicts(
      double block, double interrupt, double interruptOfLongCommands) {
    Findings findings = new Findings();
    SavedWaves.judge(
        Map.of(
            Level.BLOCK, Map.of(500, Measure.exactly(block), 2_000, Measure.exactly(4 * block)),
            Level.INTERRUPT,
                Map.of(
                    500, Measure.exactly(interrupt),
                    2_000, Measure.exactly(interruptOfLongCommands))),
        findings);
    return findings.criteria().stream().map(Criterion::pass).toList();
  }

  @Test
  void interruptMustBeFastMuchFasterThanWaitingAndFlat() {
    assertThat(verdicts(4_000, 90, 95)).containsExactly(true, true, true);
    assertThat(verdicts(4_000, 150, 150)).containsExactly(false, false, true);
    assertThat(verdicts(2_000, 90, 90)).containsExactly(true, false, true);
    assertThat(verdicts(4_000, 90, 360)).containsExactly(true, true, false);
  }

  @Test
  void withoutTheLevelNothingIsMet() {
    Findings findings = new Findings();
    SavedWaves.judge(Map.of(Level.BLOCK, Map.of(500, Measure.exactly(4_000))), findings);
    assertThat(findings.criteria()).hasSize(3).noneMatch(Criterion::pass);
  }

  @Test
  void modelOfTheMi308xHasIt() throws Exception {
    Findings findings = new Findings();
    Director.Audience nobody =
        new Director.Audience() {
          @Override
          public void begins(String what) {}

          @Override
          public void played(Duration deviceTime) {}
        };
    try (SimStage stage = new SimStage("mi308x")) {
      new SavedWaves().run(new Director(stage, Extent.QUICK, findings, nobody), findings);
    }
    assertThat(findings.criteria()).hasSize(3).allMatch(Criterion::pass);
  }

  @Test
  void isAboutAmd() {
    assertThat(Stages.kindsFor("4.1.1")).containsExactly("sim", "hip");
  }
}
