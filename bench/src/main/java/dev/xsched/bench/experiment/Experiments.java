package dev.xsched.bench.experiment;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All experiments, in the order of the plan. */
public final class Experiments {
  /**
   * These come first: on a real device programs are kept from one experiment to the next, and would
   * have to end before one that is about a program alone.
   */
  private static final Set<String> OF_ONE_PROGRAM =
      Set.of("7.1.1", "7.3.3", "7.4.1", "7.4.2", "4.2.1", "4.2.2");

  private Experiments() {}

  public static List<Experiment> all() {
    return List.of(
        new Portability(),
        new FixedPriority(),
        new BandwidthPartition(),
        new Heterogeneous(),
        new PreemptionByLevel(),
        new PreemptionByCommandTime(),
        new ThresholdOverhead(),
        new RuntimeOverhead(),
        new CpuOverhead(),
        new HarvestTraining(),
        new HarvestMixed(),
        new VideoConference(),
        new ModelServing(),
        new DeadlineServing(),
        UnmodifiedProgram.pyTorch(),
        UnmodifiedProgram.vendorLibraries(),
        new BertBaseline(),
        new SixQueues(),
        DualModel.light(),
        DualModel.heavy(),
        new Kills(),
        new Endurance());
  }

  /**
   * Returns the experiments of these ids, or all of them for "all".
   *
   * @throws IllegalArgumentException in one line that names what is near, if there is no such one
   */
  public static List<Experiment> named(List<String> ids) {
    if (ids.contains("all")) {
      return Stream.concat(
              all().stream().filter(e -> OF_ONE_PROGRAM.contains(e.id())),
              all().stream().filter(e -> !OF_ONE_PROGRAM.contains(e.id())))
          .toList();
    }
    return ids.stream().distinct().map(Experiments::named).toList();
  }

  private static Experiment named(String id) {
    return all().stream()
        .filter(e -> e.id().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown experiment '%s'; choose all or some of %s (xsched bench list)"
                        .formatted(id, near(id))));
  }

  /** Those of the same chapter if there are any, else all. */
  private static String near(String id) {
    int dot = id.lastIndexOf('.');
    String chapter = dot < 0 ? id : id.substring(0, dot);
    List<String> ids = all().stream().map(Experiment::id).toList();
    List<String> close =
        ids.stream()
            .filter(i -> !chapter.isEmpty() && i.startsWith(chapter.toUpperCase(Locale.ROOT)))
            .toList();
    return (close.isEmpty() ? ids : close).stream().collect(Collectors.joining(", "));
  }
}
