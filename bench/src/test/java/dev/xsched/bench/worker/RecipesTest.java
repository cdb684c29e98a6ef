package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecipesTest {
  private static final Installation INSTALLATION =
      new Installation(Path.of("/x/xsched"), Path.of("/x/worker"), Path.of("/x/play.py"));
  private static final Path FOLDER = Path.of("/tmp/f");
  private static final Party FOREGROUND =
      Party.of("foreground", Workload.Named.RESNET152, new Pattern.Continuous())
          .with(Hint.PRIORITY, 10);

  private static Recipes on(Kind kind, boolean hasRocm) {
    Calibration none = new Calibration(List.of("/no/such/worker"), FOLDER);
    PyTorch pyTorch = new PyTorch(kind, () -> hasRocm);
    return new Recipes(
        kind, INSTALLATION, pyTorch, none, FOLDER.resolve("daemon"), FOLDER.resolve("mps"));
  }

  private static Recipe recipe(Control control, Party... parties) throws Exception {
    return on(Kind.CUDA, false).of(control, List.of(parties));
  }

  @Test
  void nativeProgramIsPlainAndItsHintsDoNotMatter() throws Exception {
    Recipe recipe = recipe(new Control.Native(), FOREGROUND);
    assertThat(recipe.command()).containsExactly("python3", "/x/play.py");
    assertThat(recipe.environment()).isEmpty();
    assertThat(recipe.loads()).containsExactly("load queue=foreground workload=resnet152");
    assertThat(recipe.priorities()).isEmpty();
    Control quota = new Control.Quota(Map.of("foreground", 80), Duration.ofMillis(10));
    assertThat(recipe(quota, FOREGROUND.with(Hint.PRIORITY, 3))).isEqualTo(recipe);
  }

  @Test
  void scheduledProgramIsStartedAsUsersDo() throws Exception {
    Recipe recipe = recipe(Control.Scheduled.by("HPF"), FOREGROUND);
    assertThat(recipe.command())
        .containsExactly(
            "/x/xsched",
            "run",
            "--name",
            "bench",
            "--priority",
            "10",
            "--",
            "python3",
            "/x/play.py");
    assertThat(recipe.environment()).isEqualTo(Map.of("XSCHED_DIR", "/tmp/f/daemon"));
    assertThat(recipe.priorities()).containsExactly(10L);
  }

  @Test
  void levelAndWindowAreHandedOnWhereTheyAreChosen() throws Exception {
    Control synchronous =
        Control.Scheduled.by("PUP").at(Level.BLOCK).with(new LaunchWindow.Fixed(1, 1));
    Recipe recipe = recipe(synchronous, FOREGROUND);
    assertThat(recipe.command()).containsSequence("--level", "1");
    assertThat(recipe.environment())
        .containsEntry("XSCHED_AUTO_XQUEUE_THRESHOLD", "1")
        .containsEntry("XSCHED_AUTO_XQUEUE_BATCH_SIZE", "1");
  }

  /** Auto asks for nothing; level 3 that is asked for is something else. */
  @Test
  void levelThatIsAskedForIsTold() throws Exception {
    Control auto = Control.Scheduled.by("HPF");
    assertThat(recipe(auto, FOREGROUND).command()).doesNotContain("--level");
    assertThat(auto.describe()).contains("level auto");
    Control forced = Control.Scheduled.by("HPF").at(Level.INTERRUPT);
    assertThat(recipe(forced, FOREGROUND).command()).containsSequence("--level", "3");
    assertThat(forced.describe()).contains("level 3 at most");
  }

  @Test
  void hintsThatRunDoesNotHaveAreGivenLater() throws Exception {
    Party speech = FOREGROUND.with(Hint.DEADLINE, 3_000).with(Hint.CRITICAL_PRIORITY, 2);
    Recipe recipe = recipe(Control.Scheduled.by("LAX"), speech);
    assertThat(recipe.command()).containsSequence("--deadline", "3000us");
    assertThat(recipe.hints()).isEqualTo(Map.of(Hint.CRITICAL_PRIORITY, 2L));
    Map<Hint, Long> lax = Map.of(Hint.LAXITY, 2_880_000L, Hint.CRITICAL_PRIORITY, 2L);
    Party patient = FOREGROUND.with(Hint.LAXITY, 2_880_000).with(Hint.CRITICAL_PRIORITY, 2);
    assertThat(recipe(Control.Scheduled.by("LAX"), patient).hints()).isEqualTo(lax);
  }

  /** To start PyTorch anew for a hint would take longer than what is measured. */
  @Test
  void programGetsALatencyGoalWhileItRuns() throws Exception {
    Recipe without = recipe(Control.Scheduled.by("SLO"), FOREGROUND);
    Recipe with = recipe(Control.Scheduled.by("SLO"), FOREGROUND.with(Hint.SLO_RATIO, 1_050));
    assertThat(with.hints()).isEqualTo(Map.of(Hint.SLO_RATIO, 1_050L));
    assertThat(without.canBecome(with)).isTrue();
    assertThat(with.canBecome(without)).isFalse();
    assertThat(OwnDaemon.option(Hint.SLO_RATIO, 1_050)).isEqualTo("--slo=1.05x");
    assertThat(OwnDaemon.option(Hint.LAXITY, 2_880_000)).isEqualTo("--laxity=2880000us");
  }

  @Test
  void tinyKernelsAreAPlainProgramInC() throws Exception {
    Party tiny = Party.of("high", new Workload.TinyKernels(100), new Pattern.Continuous());
    Recipe recipe = recipe(Control.Scheduled.by("HPF").at(Level.INTERRUPT), tiny);
    assertThat(recipe.command())
        .containsExactly(
            "/x/xsched", "run", "--name", "bench", "--level", "3", "--", "/x/worker", "cuda");
    assertThat(recipe.loads()).containsExactly("load queue=high workload=tiny count=100");
  }

  @Test
  void queuesOfOneProgramAreXQueuesOnlyUnderTheScheduler() throws Exception {
    Party high = FOREGROUND.in("program");
    Party low = Party.of("low", Workload.Named.RESNET152, new Pattern.Continuous()).in("program");
    Recipe scheduled = recipe(Control.Scheduled.by("HPF"), high, low);
    assertThat(scheduled.command()).doesNotContain("--priority");
    assertThat(scheduled.loads())
        .containsExactly(
            "load queue=foreground workload=resnet152 xqueue=1 priority=10",
            "load queue=low workload=resnet152 xqueue=1 priority=0");
    assertThat(scheduled.priorities()).containsExactly(10L, 0L);
    assertThat(recipe(new Control.Native(), high, low).loads().getFirst())
        .isEqualTo("load queue=foreground workload=resnet152");
  }

  @Test
  void clientOfMpsFindsItsFolder() throws Exception {
    assertThat(recipe(new Control.Mps(), FOREGROUND).environment())
        .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/tmp/f/mps");
  }

  @Test
  void networksArePyTorchsWhereItRunsOnTheDevice() throws Exception {
    Party solver = Party.of("solver", Workload.Named.CFD, new Pattern.Continuous());
    assertThat(recipe(new Control.Native(), solver).command()).containsExactly("/x/worker", "cuda");
    assertThat(network(Kind.OPENCL, true)).containsExactly("/x/worker", "opencl");
    assertThat(network(Kind.HIP, false)).containsExactly("/x/worker", "hip");
    assertThat(network(Kind.HIP, true)).containsExactly("python3", "/x/play.py");
  }

  private static List<String> network(Kind kind, boolean hasRocm) throws Exception {
    return on(kind, hasRocm).of(new Control.Native(), List.of(FOREGROUND)).command();
  }

  @Test
  void whatIsAboutPyTorchIsLeftOutOnHipWithoutOne() {
    assertThat(new PyTorch(Kind.HIP, () -> false).cannotRun("4.2.1"))
        .hasValueSatisfying(why -> assertThat(why).contains("pip install torch"));
    assertThat(new PyTorch(Kind.HIP, () -> true).cannotRun("4.2.1")).isEmpty();
    assertThat(new PyTorch(Kind.HIP, () -> false).cannotRun("7.2.1")).isEmpty();
  }
}
