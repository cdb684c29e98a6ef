package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerStageTest {
  @TempDir private Path folder;
  private StandIn standIn;
  private WorkerStage stage;

  @BeforeEach
  void open() throws Exception {
    standIn = StandIn.in(folder);
    stage = new WorkerStage(Kind.OPENCL, standIn.installation());
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private static Scene scene(Control control, String... parties) {
    return new Scene(
        "scene",
        control,
        Arrays.stream(parties)
            .map(name -> Party.of(name, Workload.Named.CFD, new Pattern.Continuous()))
            .toList(),
        Duration.ofMillis(5),
        Duration.ofMillis(100),
        0);
  }

  /** Those that were asked to play, without the one that tells how much work a command is. */
  private List<List<String>> players() throws Exception {
    return standIn.heard().stream()
        .filter(lines -> lines.stream().anyMatch(l -> l.startsWith("play")))
        .toList();
  }

  @Test
  void outcomeIsWhatWorkersSay() throws Exception {
    Outcome outcome = stage.play(scene(new Control.Native(), "a", "b"));
    assertThat(outcome.party("a").requests().latencies()).containsExactly(11_000_000, 30_000_000);
    assertThat(outcome.party("a").offered()).isEqualTo(3);
    assertThat(outcome.perSecond("a")).isEqualTo(20);
    assertThat(outcome.party("a").wanting()).isEqualTo(0.6);
    assertThat(outcome.party("a").processorSeconds()).hasValue(0.025);
    assertThat(outcome.contended()).isEqualTo(0.2); // from 40 to 60 ms of 100
    assertThat(outcome.deviceBusy()).isEmpty();
    assertThat(outcome.schedulerSeconds()).isEmpty();
    assertThat(stage.describe(Workload.Named.CFD)).isEqualTo("a stand-in");
  }

  @Test
  void allBeginAtTheSameMoment() throws Exception {
    long before = System.nanoTime();
    stage.play(scene(new Control.Native(), "a", "b"));
    List<String> starts =
        players().stream()
            .map(lines -> lines.getLast().replaceFirst(".*start_ns=(\\d+).*", "$1"))
            .toList();
    assertThat(starts).hasSize(2);
    assertThat(starts.getFirst()).isEqualTo(starts.getLast());
    assertThat(Long.parseLong(starts.getFirst())).isBetween(before, System.nanoTime());
  }

  @Test
  void workersPlayAgainInLaterScenes() throws Exception {
    stage.prepare(List.of(scene(new Control.Native(), "a"), scene(new Control.Native(), "a", "b")));
    stage.play(scene(new Control.Native(), "a"));
    stage.play(scene(new Control.Native(), "a", "b"));
    assertThat(players()).hasSize(2);
    assertThat(players()).allMatch(lines -> lines.getFirst().startsWith("load"));
    assertThat(players().stream().mapToInt(List::size).sum()).isEqualTo(2 + 3);
  }

  @Test
  void sameProgramLoadsAnewForOtherWork() throws Exception {
    stage.play(scene(new Control.Native(), "a"));
    Party other = Party.of("a", Workload.Named.RESNET18, new Pattern.Continuous());
    stage.play(
        new Scene(
            "other work",
            new Control.Native(),
            List.of(other),
            Duration.ZERO,
            Duration.ofMillis(100),
            0));
    assertThat(players()).hasSize(1);
    assertThat(players().getFirst())
        .filteredOn(line -> line.startsWith("load"))
        .containsExactly(
            "load queue=a workload=cfd fresh=1", "load queue=a workload=resnet18 fresh=1");
  }

  @Test
  void aWorkerPlaysSomebodyElseInTheNextExperiment() throws Exception {
    stage.play(scene(new Control.Native(), "a"));
    assertThatThrownBy(() -> stage.play(scene(new Control.Native(), "crash")))
        .hasMessageContaining("worker crash");
    assertThat(players()).hasSize(1);
  }

  @Test
  void partiesOfOneProcessAreQueuesOfOneWorker() throws Exception {
    Party a = Party.of("a", Workload.Named.CFD, new Pattern.Continuous()).in("program");
    Party b = Party.of("b", Workload.Named.CFD, new Pattern.Continuous()).in("program");
    Scene scene =
        new Scene(
            "one program",
            new Control.Native(),
            List.of(a, b),
            Duration.ZERO,
            Duration.ofMillis(100),
            0);
    Outcome outcome = stage.play(scene);
    assertThat(outcome.party("b").requests().count()).isZero();
    assertThat(outcome.party("a").processorSeconds()).isEmpty(); // It is that of both.
    assertThat(players()).hasSize(1);
  }

  @Test
  void crashInTheMiddleEndsTheSceneAndTheNextOneHasAFreshWorker() throws Exception {
    assertThatThrownBy(() -> stage.play(scene(new Control.Native(), "a", "crash")))
        .isInstanceOf(StageException.class)
        .hasMessageContainingAll("worker crash", "exit code 9", "out of memory");
    assertThat(stage.play(scene(new Control.Native(), "a")).perSecond("a")).isEqualTo(20);
    assertThat(players()).hasSize(3); // The other one of the scene has an answer that nobody heard.
  }

  @Test
  void nonsenseAndLiesBecomeNoResult() {
    assertThatThrownBy(() -> stage.play(scene(new Control.Native(), "nonsense")))
        .hasMessageContaining("Segmentation fault");
    assertThatThrownBy(() -> stage.play(scene(new Control.Native(), "liar")))
        .hasMessageContainingAll("does not keep to the protocol", "outside of what was measured");
  }

  @Test
  void commandsAreTheSameWorkForEverybody() throws Exception {
    Party party =
        Party.of(
            "a", new Workload.Commands(Duration.ofNanos(500_000), 20), new Pattern.Continuous());
    stage.play(
        new Scene(
            "commands",
            new Control.Native(),
            List.of(party),
            Duration.ZERO,
            Duration.ofMillis(100),
            0));
    assertThat(players().getFirst())
        .contains("load queue=a workload=commands each_ns=500000 count=20 rounds=7 fresh=1");
  }

  @Test
  void quotaIsPlayedWithAThrottleAndANote() throws Exception {
    Control quota = new Control.Quota(Map.of("a", 80), Duration.ofMillis(10));
    Outcome outcome = stage.play(scene(quota, "a"));
    assertThat(outcome.notes()).containsExactly(Throttles.NOTE);
    assertThat(players().getFirst().getLast()).contains(" a.throttle=");
  }

  @Test
  void whatItCannotPlayIsSaidBefore() {
    assertThat(stage.cannotPlay(scene(new Control.Native(), "a"))).isEmpty();
    assertThat(stage.cannotPlay(scene(new Control.Mps(), "a"))).get().asString().contains("NVIDIA");
    assertThat(stage.cannotPlay(scene(new Control.RequestPriority(), "a"))).isPresent();
    Scene far =
        new Scene(
            "far",
            new Control.Native(),
            List.of(Party.of("a", Workload.Named.CFD, new Pattern.Continuous()).onNeighbour()),
            Duration.ZERO,
            Duration.ofMillis(1),
            0);
    assertThat(stage.cannotPlay(far)).get().asString().contains("second device");
    assertThat(stage.cannotPlay(scene(Control.Scheduled.by("KEDF").with(Hint.K, 16), "a")))
        .isPresent();
  }

  @Test
  void thereAreNeverTooManyWorkers() throws Exception {
    String[] many = IntStream.range(0, Crew.MOST + 3).mapToObj(i -> "p" + i).toArray(String[]::new);
    stage.prepare(List.of(scene(new Control.Native(), many)));
    assertThat(alive()).isEqualTo(Crew.MOST + 1); // One tells how much work a command is.
  }

  private long alive() {
    return ProcessHandle.current()
        .children()
        .filter(
            p ->
                p.info()
                    .arguments()
                    .map(List::of)
                    .orElse(List.of())
                    .toString()
                    .contains(folder.toString()))
        .count();
  }

  @Test
  void missingWorkerSaysHowToGetIt() throws Exception {
    Installation none =
        new Installation(Path.of("/no/xsched"), Path.of("/no/worker"), Path.of("/no/play.py"));
    try (WorkerStage without = new WorkerStage(Kind.OPENCL, none)) {
      assertThatThrownBy(() -> without.prepare(List.of()))
          .isInstanceOf(StageException.class)
          .hasMessageContainingAll("/no/worker", "make -C native");
    }
  }
}
