package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.run.Stages;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExperimentsTest {
  private static List<String> ids(String... names) {
    return Experiments.named(List.of(names)).stream().map(Experiment::id).toList();
  }

  @Test
  void groupsAreApart() {
    assertThat(ids("all")).hasSize(21).noneMatch(id -> id.startsWith("N."));
    assertThat(ids("nvidia")).containsExactly("N.1", "N.4", "N.5", "N.2", "N.3", "N.6", "N.7");
    assertThat(ids("n.3", "7.2.1", "N.3")).containsExactly("N.3", "7.2.1");
    assertThatThrownBy(() -> ids("N.9"))
        .hasMessageContainingAll("unknown experiment 'N.9'", "all, nvidia or some of N.1, N.2");
  }

  @Test
  void whatIsAboutNvidiaRunsOnCudaOnly() {
    for (Experiment experiment : Experiments.nvidia()) {
      assertThat(Stages.kindsFor(experiment.id())).containsExactly("cuda");
    }
  }

  /** By these a program that was started for one experiment can play in the next. */
  @Test
  void programOfANameHasTheSameWorkInAllExperiments() {
    Duration length = Duration.ofSeconds(1);
    Map<String, Workload> work = new HashMap<>();
    Stream.of(
            HardwarePriority.scenes(HardwarePriority.B64, length),
            HardwarePriority.scenes(HardwarePriority.B1024, length),
            ThreeRanks.scenes(40, length),
            GoalBesideBatches.scenes(length))
        .flatMap(List::stream)
        .map(Scene::parties)
        .flatMap(List::stream)
        .forEach(
            (Party party) ->
                assertThat(work.merge(party.name(), party.workload(), (known, _) -> known))
                    .isEqualTo(party.workload()));
    assertThat(work).hasSize(4);
  }
}
