package dev.xsched.bench.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All experiments, in two groups, each in the order of the plan. */
public final class Experiments {
  /** What every kind of device can play, and what only an NVIDIA GPU can. */
  public static final String ALL = "all";

  public static final String NVIDIA = "nvidia";

  /**
   * These come first: on a real device programs are kept from one experiment to the next, and would
   * have to end before one that is about a program alone.
   */
  private static final Set<String> OF_ONE_PROGRAM =
      Set.of("7.1.1", "7.3.3", "7.4.1", "7.4.2", "4.2.1", "4.2.2");

  /**
   * These come first, one after the other: they have the same programs, which take long to start.
   */
  private static final Set<String> WITH_PYTORCH = Set.of("N.1", "N.4", "N.5");

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
        new SavedWaves(),
        UnmodifiedProgram.pyTorch(),
        UnmodifiedProgram.vendorLibraries(),
        new BertBaseline(),
        new SixQueues(),
        DualModel.light(),
        DualModel.heavy());
  }

  /** About an NVIDIA GPU's own preemption: a group of its own, as time on such a GPU is scarce. */
  public static List<Experiment> nvidia() {
    return List.of(
        new HardwarePriority(),
        new TinyKernelBursts(),
        new PreemptionFelt(),
        new ThreeRanks(),
        new GoalBesideBatches(),
        new Kills(),
        new Endurance());
  }

  /**
   * Returns the experiments of these ids, or those of a group for its name.
   *
   * @throws IllegalArgumentException in one line that names what is near, if there is no such one
   */
  public static List<Experiment> named(List<String> ids) {
    Map<String, Experiment> wanted = new LinkedHashMap<>();
    for (String id : ids) {
      of(id).forEach(experiment -> wanted.putIfAbsent(experiment.id(), experiment));
    }
    return List.copyOf(wanted.values());
  }

  private static List<Experiment> of(String id) {
    return switch (id) {
      case ALL -> first(OF_ONE_PROGRAM, all());
      case NVIDIA -> first(WITH_PYTORCH, nvidia());
      default -> List.of(named(id));
    };
  }

  private static List<Experiment> first(Set<String> ids, List<Experiment> group) {
    return Stream.concat(
            group.stream().filter(e -> ids.contains(e.id())),
            group.stream().filter(e -> !ids.contains(e.id())))
        .toList();
  }

  private static Stream<Experiment> every() {
    return Stream.concat(all().stream(), nvidia().stream());
  }

  private static Experiment named(String id) {
    return every()
        .filter(e -> e.id().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown experiment '%s'; choose all, nvidia or some of %s (xsched bench list)"
                        .formatted(id, near(id))));
  }

  /** Those of the same chapter if there are any, else all. */
  private static String near(String id) {
    int dot = id.lastIndexOf('.');
    String chapter = dot < 0 ? id : id.substring(0, dot);
    List<String> ids = every().map(Experiment::id).toList();
    List<String> close =
        ids.stream()
            .filter(i -> !chapter.isEmpty() && i.startsWith(chapter.toUpperCase(Locale.ROOT)))
            .toList();
    return (close.isEmpty() ? ids : close).stream().collect(Collectors.joining(", "));
  }
}
