package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.run.Runner;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Requests;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import dev.xsched.bench.worker.Installation;
import dev.xsched.bench.worker.Interception;
import dev.xsched.bench.worker.InterceptionProof;
import dev.xsched.bench.worker.Kind;
import dev.xsched.bench.worker.WorkerStage;
import dev.xsched.policy.Hint;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments on the OpenCL device that is here, with real workers and a real daemon. */
class RealStageTest {
  private static final Path WORKER =
      Path.of("../native/target/bench/worker").toAbsolutePath().normalize();
  private static final Workload WORK = new Workload.Commands(Duration.ofNanos(200_000), 10);

  @TempDir private Path folder;
  private WorkerStage stage;

  @BeforeEach
  void open() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(WORKER),
        "skipped: no OpenCL headers; apt-get install ocl-icd-opencl-dev");
    Assumptions.assumeTrue(
        Shell.run("sh", "-c", "echo 'load queue=a workload=black_scholes' | " + WORKER + " opencl")
            .text()
            .contains("describe"),
        "skipped: no OpenCL device; apt-get install pocl-opencl-icd");
    stage =
        new WorkerStage(
            Kind.OPENCL,
            new Installation(XschedScript.in(folder), WORKER, Path.of("bench/cuda/play.py")));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private static Scene scene(Control control, Party... parties) {
    return new Scene(
        "scene", control, List.of(parties), Duration.ofMillis(100), Duration.ofMillis(500), 0);
  }

  private static Party party(String name, int priority) {
    return Party.of(name, WORK, new Pattern.Continuous()).with(Hint.PRIORITY, priority);
  }

  @Test
  void aProgramIsSeenAndComputesTheSame() throws Exception {
    Interception seen =
        new InterceptionProof(
                Kind.OPENCL,
                new Installation(XschedScript.in(folder), WORKER, Path.of("bench/cuda/play.py")))
            .run();
    assertThat(seen.sameOutput()).isTrue();
    assertThat(seen.launched()).isPositive();
    assertThat(seen.levels()).containsExactly(1);
  }

  @Test
  void programsThatNeverPauseContend() throws Exception {
    Outcome outcome = stage.play(scene(new Control.Native(), party("low", 0), party("high", 10)));
    assertThat(outcome.party("high").requests().count()).isPositive();
    assertThat(outcome.party("low").wanting()).isGreaterThan(0.99);
    assertThat(outcome.contended()).isGreaterThan(0.99);
    assertThat(outcome.party("low").processorSeconds()).isPresent();
  }

  /** The low one has work all the time, and the high one leaves it no moment to do it. */
  @Test
  void daemonOfTheStageHoldsTheLowerOneBack() throws Exception {
    Outcome outcome =
        stage.play(scene(Control.Scheduled.by("HPF"), party("low", 0), party("high", 10)));
    assertThat(outcome.party("low").wanting()).isGreaterThan(0.99);
    assertThat(outcome.party("low").requests().count())
        .isLessThan(outcome.party("high").requests().count() / 2);
    assertThat(outcome.schedulerSeconds()).isPresent();
  }

  @Test
  void queuesOfOneProgramAreScheduledByTheirOwnPriority() throws Exception {
    Outcome outcome =
        stage.play(
            scene(
                Control.Scheduled.by("HPF"),
                party("queue 0", 1).in("program"),
                party("queue 1", 3).in("program")));
    assertThat(outcome.party("queue 0").requests().count())
        .isLessThan(outcome.party("queue 1").requests().count() / 2);
  }

  /** A goal is given to a program that runs already, and the record tells what was done for it. */
  @Test
  void tinyKernelsWithAGoalArePlayedBesideOthers() throws Exception {
    Party tiny =
        Party.of(
                "tiny",
                new Workload.TinyKernels(5),
                Pattern.Paced.queued(Duration.ofMillis(20), new Pattern.Spacing.Even()))
            .with(Hint.PRIORITY, 10);
    stage.play(scene(Control.Scheduled.by("HPF"), tiny));
    Outcome outcome =
        stage.play(
            scene(Control.Scheduled.by("SLO"), party("low", 0), tiny.with(Hint.SLO_RATIO, 3_000)));
    Requests requests = outcome.party("tiny").requests();
    assertThat(requests.count()).isPositive();
    assertThat(requests.rests()).doesNotContain(0);
    assertThat(outcome.notes()).anyMatch(n -> n.matches("after scene .*low level.*tiny level.*"));
  }

  /** Who is registered counts on some devices, also if it has no work. */
  @Test
  void programsThatNoSceneNeedsAreEnded() throws Exception {
    Control hpf = Control.Scheduled.by("HPF");
    stage.play(scene(hpf, party("earlier", 1)));
    List<Scene> next = List.of(scene(hpf, party("low", 2), party("high", 3)));
    stage.prepare(next);
    long before = workers();
    stage.endOthers(next);
    assertThat(workers()).isEqualTo(before - 1);
  }

  private static long workers() {
    return ProcessHandle.current()
        .children()
        .filter(p -> p.info().command().orElse("").equals(WORKER.toString()))
        .count();
  }

  @Test
  void suspendingIsMeasured() throws Exception {
    long[] nanos =
        stage.suspend(Level.BLOCK, Duration.ofNanos(200_000), new LaunchWindow.Fixed(8, 4), 5, 0);
    assertThat(nanos).hasSize(5).doesNotContain(0);
  }

  @Test
  void experimentLeavesACompleteRecordOfARealDevice() throws Exception {
    Runner.Order order =
        new Runner.Order(
            Experiments.named(List.of("7.3.1")),
            new Extent(true, 1, 5, Duration.ofMillis(400)),
            folder.resolve("records"),
            false,
            "1",
            "commit");
    List<ResultRecord> records = new Runner(stage, order, new Silence()).run();
    ResultRecord record = records.getFirst();
    assertThat(record.state()).as(record.notes().toString()).isEqualTo(ResultRecord.COMPLETE);
    assertThat(record.device()).isEqualTo("opencl");
    assertThat(record.simulated()).isFalse();
    assertThat(record.results()).containsKey("preemption_p99_us_level_1");
    assertThat(record.hardware()).containsKey("device");
  }

  private static final class Silence implements Runner.Listener {
    @Override
    public void starts(Experiment experiment) {}

    @Override
    public void skipped(Experiment experiment, String reason) {}

    @Override
    public void wrote(ResultRecord record, Path file) {}

    @Override
    public void begins(String what) {}

    @Override
    public void played(Duration deviceTime) {}
  }
}
