package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlayLineTest {
  private static final Party CONTINUOUS =
      Party.of("queue 0", Workload.Named.BERT_BASE, new Pattern.Continuous()).in("program");

  private static Scene scene(int repetition, Party... parties) {
    return new Scene(
        "native",
        new Control.Native(),
        List.of(parties),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        repetition);
  }

  @Test
  void patternsBecomeWords() {
    Party camera =
        Party.of(
                "b",
                Workload.Named.RESNET18,
                new Pattern.Paced(
                    Duration.ofMillis(40), new Pattern.Spacing.Even(), Pattern.WhenBusy.DROP))
            .in("program");
    Party client =
        Party.of(
                "c",
                Workload.Named.RESNET18,
                Pattern.Paced.queued(Duration.ofMillis(5), new Pattern.Spacing.LogNormal(2)))
            .in("program");
    List<Party> parties = List.of(CONTINUOUS, camera, client);
    String line =
        PlayLine.play(
            scene(0, CONTINUOUS, camera, client), parties, 9, Map.of("b", Path.of("/t/b")));
    assertThat(line.replaceFirst("seed=\\d+", "seed=S"))
        .isEqualTo(
            "play start_ns=9 warmup_ns=1000000 measured_ns=2000000 seed=S queues=queue_0,b,c"
                + " queue_0.pattern=continuous"
                + " b.pattern=paced b.period_ns=40000000 b.spacing=even b.when_busy=drop"
                + " b.throttle=/t/b"
                + " c.pattern=paced c.period_ns=5000000 c.spacing=lognormal c.spread=2.0"
                + " c.when_busy=queue");
  }

  @Test
  void programHasTheSameArrivalsInEverySceneButNotInEveryRepetition() {
    Party other = Party.of("other", Workload.Named.CFD, new Pattern.Continuous());
    String alone = PlayLine.play(scene(0, CONTINUOUS), List.of(CONTINUOUS), 9, Map.of());
    String beside = PlayLine.play(scene(0, other, CONTINUOUS), List.of(CONTINUOUS), 9, Map.of());
    String again = PlayLine.play(scene(1, CONTINUOUS), List.of(CONTINUOUS), 9, Map.of());
    assertThat(beside).isEqualTo(alone).isNotEqualTo(again);
  }

  @Test
  void workloadsAreNamedAsTheProtocolHasThem() {
    assertThat(PlayLine.workload(Workload.Named.RESNET50_B1024))
        .isEqualTo("workload=resnet50_b1024");
    assertThat(PlayLine.workload(new Workload.Commands(Duration.ofNanos(500_000), 100)))
        .isEqualTo("workload=commands each_ns=500000 count=100");
    assertThat(PlayLine.workload(new Workload.TinyKernels(100)))
        .isEqualTo("workload=tiny count=100");
  }
}
