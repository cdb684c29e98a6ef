package dev.xsched.cli.daemon;

import dev.xsched.policy.Hint;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be asked for a program, whether it is started or runs already. */
final class HintOptions {
  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "-255 to 255, higher is more important; -256: do not execute.")
  private @Nullable String priority;

  @Option(
      names = "--utilization",
      paramLabel = "P",
      description = "Percent of the device's time, 0 to 100.")
  private @Nullable String utilization;

  @Option(
      names = "--deadline",
      paramLabel = "D",
      description = "Work is to be done that long after it came: 20ms, 500us, 3s.")
  private @Nullable String deadline;

  @Option(
      names = "--laxity",
      paramLabel = "L",
      description = "Work can wait that long unharmed: 20ms, 500us, 3s.")
  private @Nullable String laxity;

  @Option(
      names = "--slo",
      paramLabel = "G",
      description =
          "Latency that 99 of 100 requests are to keep: 20ms, or 1.05x of what they take alone.")
  private @Nullable String slo;

  @Option(
      names = "--timeslice",
      paramLabel = "T",
      description = "Length of a slice, 100us to 10s; for the whole system.")
  private @Nullable String timeslice;

  @Option(
      names = "--k",
      paramLabel = "N",
      description = "How many queues run at once; for the whole system.")
  private @Nullable String k;

  /** Those that were given, as the user wrote them. */
  Map<Hint, String> given() {
    Map<Hint, String> given = new EnumMap<>(Hint.class);
    put(given, Hint.PRIORITY, priority);
    put(given, Hint.UTILIZATION, utilization);
    put(given, Hint.DEADLINE, deadline);
    put(given, Hint.LAXITY, laxity);
    if (slo != null) {
      given.put(HintValues.goalOf(slo), slo);
    }
    put(given, Hint.TIMESLICE, timeslice);
    put(given, Hint.K, k);
    return given;
  }

  static void put(Map<Hint, String> given, Hint hint, @Nullable String text) {
    if (text != null) {
      given.put(hint, text);
    }
  }
}
