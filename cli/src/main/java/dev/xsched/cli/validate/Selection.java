package dev.xsched.cli.validate;

import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.scene.Stage;
import dev.xsched.cli.report.experiments.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which experiments are run within some time, the most telling first.
 *
 * @param leftOut the others, each with the reason
 */
public record Selection(List<Experiment> experiments, List<Part> leftOut) {
  /**
   * Preemption by level, on AMD and NVIDIA also that of whole programs; and what users come for.
   */
  private static final List<String> FIRST = List.of("7.3.1", "4.1.1", "N.3", "7.2.1", "F.2");

  /** They kill programs, or fill hours: not on somebody's machine. */
  private static final Set<String> NEVER = Set.of("N.6", "N.7");

  /** Starting workers and compiling takes about this much for an experiment. */
  private static final Duration START = Duration.ofSeconds(5);

  public static Selection of(Stage stage, Duration time) {
    List<Experiment> chosen = new ArrayList<>();
    List<Part> leftOut = new ArrayList<>();
    Duration left = time;
    for (Experiment experiment : inOrder(stage.device())) {
      Optional<String> reason = stage.cannotRun(experiment.id());
      Duration length = length(experiment, stage);
      if (reason.isPresent()) {
        leftOut.add(Part.leftOut(name(experiment), "not on this device: " + reason.get()));
      } else if (length.compareTo(left) > 0) {
        leftOut.add(Part.leftOut(name(experiment), noTime(length)));
      } else {
        left = left.minus(length);
        chosen.add(experiment);
      }
    }
    return new Selection(chosen, leftOut);
  }

  static String name(Experiment experiment) {
    return "%s %s".formatted(experiment.id(), experiment.title());
  }

  static String noTime(Duration length) {
    return "no time left for its %d s; --minutes gives more, and what is measured is kept"
        .formatted(length.toSeconds());
  }

  private static Duration length(Experiment experiment, Stage stage) {
    double nanos = experiment.typicalLength(Extent.QUICK).toNanos() * stage.slowness();
    return Duration.ofNanos((long) nanos).plus(START);
  }

  private static List<Experiment> inOrder(String device) {
    List<Experiment> all =
        Experiments.named(
            device.equals("cuda")
                ? List.of(Experiments.ALL, Experiments.NVIDIA)
                : List.of(Experiments.ALL));
    return Stream.concat(
            FIRST.stream().flatMap(id -> all.stream().filter(e -> e.id().equals(id))),
            all.stream().filter(e -> !FIRST.contains(e.id()) && !NEVER.contains(e.id())))
        .toList();
  }
}
