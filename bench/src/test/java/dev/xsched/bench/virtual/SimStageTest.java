package dev.xsched.bench.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.experiment.Director;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.scene.Workload;
import dev.xsched.sim.DeviceModels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Experiments as users run them, on virtual time: the same result each time. */
class SimStageTest {
  private static Findings run(String id, String model) throws Exception {
    Findings findings = new Findings();
    Director.Audience nobody =
        new Director.Audience() {
          @Override
          public void begins(String what) {}

          @Override
          public void played(Duration deviceTime) {}
        };
    try (SimStage stage = new SimStage(model)) {
      Experiments.named(List.of(id))
          .getFirst()
          .run(new Director(stage, Extent.QUICK, findings, nobody), findings);
    }
    return findings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"7.2.1", "7.3.1", "8.1.1", "F.2"})
  void passesOnTheModelOfThePapersDevice(String id) throws Exception {
    Findings findings = run(id, "gv100");
    assertThat(findings.criteria()).isNotEmpty().allMatch(c -> c.pass());
    assertThat(findings.state()).isEqualTo("complete");
    assertThat(findings.series()).anyMatch(s -> s.source().equals("measured"));
  }

  /** The model follows the paper's data, which misses what the paper's text says. */
  @Test
  void missedCriterionIsReportedMissed() throws Exception {
    Findings findings = run("7.2.1", "mi50");
    assertThat(findings.criteria())
        .anyMatch(c -> c.name().equals("foreground P99, against standalone") && !c.pass());
    assertThat(findings.pass()).isFalse();
  }

  @Test
  void sameModelGivesTheSameNumbers() throws Exception {
    assertThat(run("F.3", "gv100").results()).isEqualTo(run("F.3", "gv100").results());
  }

  @Test
  void everyWorkloadHasATaskOnEveryModelAndSaysWhereItIsFrom() {
    for (String model : DeviceModels.names()) {
      try (SimStage stage = new SimStage(model)) {
        for (Workload workload : Workload.Named.values()) {
          assertThat(stage.describe(workload)).matches(".*; .+");
        }
      }
    }
  }
}
