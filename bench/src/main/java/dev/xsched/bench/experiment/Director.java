package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Has scenes played for one experiment: by turns, with a word about each, and keeps what came out
 * also if the rest fails.
 */
public final class Director {
  /** Hears what begins and how much of the device's time was played. */
  public interface Audience {
    void begins(String what);

    void played(Duration deviceTime);
  }

  /** Of all processors' time: a third of the requests by which a P99 is told. */
  private static final double DISTURBED = 0.003;

  private static final int MOST_PLAYS = 3;

  private final Stage stage;
  private final Extent extent;
  private final Findings findings;
  private final Audience audience;
  private final Runs played = new Runs();

  public Director(Stage stage, Extent extent, Findings findings, Audience audience) {
    this.stage = stage;
    this.extent = extent;
    this.findings = findings;
    this.audience = audience;
  }

  public Stage stage() {
    return stage;
  }

  public Extent extent() {
    return extent;
  }

  /** Everything that was played so far. */
  public Runs played() {
    return played;
  }

  /**
   * Plays all scenes by turns, A B A B. Those that the stage cannot play are left out and named.
   */
  public Runs byTurns(List<Scene> scenes) throws StageException, InterruptedException {
    List<Scene> possible = possible(scenes);
    prepare(possible);
    return play(possible, extent.repetitions(), 1);
  }

  /**
   * The same so many times, and beside no program of an earlier experiment, not even an idle one. A
   * scene from which the host took much is played again, up to {@value #MOST_PLAYS} times, and the
   * play from which it took least counts, whatever came out: some of these scenes are judged by one
   * request in a hundred, which then would tell of the host.
   */
  public Runs amongThemselves(List<Scene> scenes, int repetitions)
      throws StageException, InterruptedException {
    List<Scene> possible = possible(scenes);
    prepare(possible);
    stage.endOthers(possible);
    return play(possible, repetitions, MOST_PLAYS);
  }

  private List<Scene> possible(List<Scene> scenes) {
    List<Scene> possible = new ArrayList<>();
    for (Scene scene : scenes) {
      Optional<String> reason = stage.cannotPlay(scene);
      if (reason.isPresent()) {
        findings.note("without '%s': %s".formatted(scene.label(), reason.get()));
      } else {
        possible.add(scene);
      }
    }
    return possible;
  }

  private Runs play(List<Scene> scenes, int repetitions, int mostPlays)
      throws StageException, InterruptedException {
    Runs runs = new Runs();
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (Scene scene : scenes) {
        String what = "%s, run %d of %d".formatted(scene.label(), repetition + 1, repetitions);
        runs.add(scene.label(), play(scene.repeated(repetition), what, mostPlays));
      }
    }
    return runs;
  }

  private Outcome play(Scene scene, String what, int mostPlays)
      throws StageException, InterruptedException {
    Outcome quietest = play(scene, what);
    int plays = 1;
    while (quietest.stolen() > DISTURBED && plays < mostPlays) {
      Outcome another = play(scene, what + ", again because of the host");
      quietest = another.stolen() < quietest.stolen() ? another : quietest;
      plays++;
    }
    if (plays > 1) {
      findings.note(
          "scene '%s' was played %d times; the one counts in which the host took %.2f %% of the processors"
              .formatted(scene.label(), plays, 100 * quietest.stolen()));
    }
    return quietest;
  }

  /** Has the programs of these scenes start, all at once. */
  public void getReady(List<Scene> scenes) throws StageException, InterruptedException {
    prepare(possible(scenes));
  }

  /** Plays a scene once, to learn something that others need. */
  public Outcome once(Scene scene) throws StageException, InterruptedException {
    prepare(List.of(scene));
    return play(scene, scene.label());
  }

  /** Measures how many requests a second a workload has when it is alone and without a pause. */
  public double peak(Workload workload) throws StageException, InterruptedException {
    return once(alone("peak of " + workload.label(), new Control.Native(), workload))
        .perSecond("alone");
  }

  /** One continuous party with the device for itself. */
  Scene alone(String label, Control control, Workload workload) {
    return new Scene(
        label,
        control,
        List.of(Party.of("alone", workload, new Pattern.Continuous())),
        extent.peak().dividedBy(4),
        extent.peak(),
        0);
  }

  /** Measures preemption latencies, in nanoseconds, one array for each repetition. */
  public List<long[]> suspends(Level level, Duration command, LaunchWindow window, int times)
      throws StageException, InterruptedException {
    List<long[]> all = new ArrayList<>();
    for (int repetition = 0; repetition < extent.repetitions(); repetition++) {
      audience.begins(
          "level %d, commands of %d us".formatted(level.number(), command.toNanos() / 1_000));
      all.add(
          stage.suspend(
              level, command, window, Math.ceilDiv(times, extent.repetitions()), repetition));
      audience.played(command.multipliedBy(20L * times / extent.repetitions()));
    }
    return all;
  }

  private Outcome play(Scene scene, String what) throws StageException, InterruptedException {
    audience.begins(what);
    Outcome outcome = stage.play(scene);
    audience.played(scene.length());
    outcome.notes().forEach(findings::note);
    played.add(scene.label(), outcome);
    return outcome;
  }

  private void prepare(List<Scene> scenes) throws StageException, InterruptedException {
    audience.begins("getting ready");
    stage.prepare(scenes);
    scenes.forEach(this::describe);
  }

  private void describe(Workload.Named workload) {
    findings.configure("workload_" + workload.label(), stage.describe(workload));
  }

  private void describe(Scene scene) {
    findings.configure("control_" + scene.label().replace(' ', '_'), scene.control().describe());
    for (Party party : scene.parties()) {
      switch (party.workload()) {
        case Workload.Named named -> describe(named);
        case Workload.Repeated(var what, int _) -> describe(what);
        case Workload.Commands _, Workload.TinyKernels _ -> {}
      }
    }
  }
}
