package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.ProgramCheck;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the same networks with the scheduler and without: what they say, and how fast. */
final class ProgramComparison {
  private static final int PRIORITY = 2;
  private static final int TURNS = 5;
  private static final Duration LENGTH = Duration.ofMillis(600);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NAME = "compared";
  private static final Control NATIVE = new Control.Native();
  private static final Control XSCHED = Control.Scheduled.by("HPF");

  private final Stage stage;
  private final Recipes recipes;
  private final Crew crew;
  private final Introductions introductions;

  ProgramComparison(Stage stage, Recipes recipes, Crew crew, Introductions introductions) {
    this.stage = stage;
    this.recipes = recipes;
    this.crew = crew;
    this.introductions = introductions;
  }

  private static List<Workload> workloads(ProgramCheck.Program program) {
    return switch (program) {
      case PYTORCH ->
          List.of(Workload.Named.RESNET18, Workload.Named.RESNET152, Workload.Named.BERT_BASE);
      // Convolutions are cuDNN's, forward and backward; matrices are cuBLAS's.
      case VENDOR_LIBRARIES -> List.of(Workload.Named.RESNET50_TRAINING, Workload.Named.BERT_LARGE);
    };
  }

  ProgramCheck of(ProgramCheck.Program program) throws StageException, InterruptedException {
    long different = 0;
    boolean seen = true;
    List<String> notes = new ArrayList<>();
    double slowest = Double.NEGATIVE_INFINITY;
    for (Workload workload : workloads(program)) {
      List<Recipe> both =
          List.of(
              recipes.of(NATIVE, List.of(party(workload))),
              recipes.of(XSCHED, List.of(party(workload))));
      crew.prepare(both);
      crew.dismissAllBut(both); // Beside another, also an idle one, no program is alone.
      String plain = hash(NATIVE, workload);
      String scheduled = hash(XSCHED, workload);
      boolean same = !plain.isEmpty() && plain.equals(scheduled);
      different += same ? 0 : 1;
      seen &= introductions.seen(both.getLast(), crew.get(both.getLast()));
      double percent = slowdownPercent(workload);
      slowest = Math.max(slowest, percent);
      notes.add(
          "%s (%s): output %s, %.1f %% slower, median of %d turns"
              .formatted(
                  workload.label(),
                  stage.describe(workload),
                  same ? "the same" : "%s and %s".formatted(plain, scheduled),
                  percent,
                  TURNS));
    }
    return new ProgramCheck(workloads(program).size(), different, seen, slowest, notes);
  }

  private static Party party(Workload workload) {
    return Party.of(NAME, workload, new Pattern.Continuous()).with(Hint.PRIORITY, PRIORITY);
  }

  private String hash(Control control, Workload workload)
      throws StageException, InterruptedException {
    Recipe recipe = recipes.of(control, List.of(party(workload)));
    return crew.get(recipe).ask("output queue=" + NAME, LIMIT).path("hash").asString("");
  }

  private double slowdownPercent(Workload workload) throws StageException, InterruptedException {
    double[] percent = new double[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      double plain = nanosPerRequest(NATIVE, workload, turn);
      percent[turn] = 100 * (nanosPerRequest(XSCHED, workload, turn) / plain - 1);
    }
    Arrays.sort(percent);
    return percent[TURNS / 2];
  }

  private double nanosPerRequest(Control control, Workload workload, int turn)
      throws StageException, InterruptedException {
    Scene scene =
        new Scene(NAME, control, List.of(party(workload)), LENGTH.dividedBy(4), LENGTH, turn);
    Outcome outcome = stage.play(scene);
    return Arrays.stream(outcome.party(NAME).requests().intervals())
        .average()
        .orElseThrow(
            () ->
                new StageException(
                    "%s ended fewer than two requests in %d ms; nothing can be compared"
                        .formatted(workload.label(), LENGTH.toMillis())));
  }
}
