package dev.xsched.sim.experiment;

import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The paper's published results and the settings they were measured with. */
public final class PaperData {
  /** Who decided: the device itself, or XSched. */
  public enum Config {
    STANDALONE,
    NATIVE,
    XSCHED
  }

  /** Figure 9 top: latency of the foreground. */
  public record FixedPriorityRow(
      String xpu, Config config, double p50Millis, double p99Millis, double p99Ratio) {}

  /** Figure 9 bottom: throughput of each side as a part of what it has alone. */
  public record PartitionRow(String xpu, Config config, double foreground, double background) {}

  /** Figure 11: preemption latency of the GV100. */
  public record LatencyRow(Level level, Duration command, double p50Micros, double p99Micros) {}

  private PaperData() {}

  public static List<FixedPriorityRow> fixedPriority() {
    return Csv.read("paper/fixed_priority.csv").stream()
        .map(
            row ->
                new FixedPriorityRow(
                    row.text("xpu"),
                    config(row),
                    row.number("p50_ms"),
                    row.number("p99_ms"),
                    row.number("p99_vs_standalone")))
        .toList();
  }

  /** Without the standalone rows, which are 1 by definition. */
  public static List<PartitionRow> partition() {
    return Csv.read("paper/partition.csv").stream()
        .filter(row -> config(row) != Config.STANDALONE)
        .map(
            row ->
                new PartitionRow(
                    row.text("xpu"), config(row), row.number("fg_norm"), row.number("bg_norm")))
        .toList();
  }

  /** Without the rows of the endless command, which has no time to scale. */
  public static List<LatencyRow> preemptionLatency() {
    return Csv.read("paper/preemption_latency.csv").stream()
        .filter(row -> row.integer("T_us") != 9999)
        .map(
            row ->
                new LatencyRow(
                    Level.of(row.integer("level")),
                    Duration.ofNanos(1_000L * row.integer("T_us")),
                    row.number("p50"),
                    row.number("p99")))
        .toList();
  }

  /** Returns the settings of the published scripts, or the default where there are none. */
  public static Setup setup(String xpu, String experiment) {
    return Csv.read("paper/setup.csv").stream()
        .filter(row -> row.text("xpu").equals(xpu) && row.text("experiment").equals(experiment))
        .map(PaperData::setup)
        .findFirst()
        .orElse(Setup.DEFAULT);
  }

  private static Setup setup(Csv.Row row) {
    return new Setup(
        new LaunchWindow.Fixed(row.integer("fg_threshold"), row.integer("fg_batch")),
        new LaunchWindow.Fixed(row.integer("bg_threshold"), row.integer("bg_batch")),
        Level.of(row.integer("level")),
        Duration.ofNanos(1_000L * row.integer("timeslice_us")),
        Setup.PAPER_ONE_WAY);
  }

  private static Config config(Csv.Row row) {
    return Config.valueOf(row.text("config").toUpperCase(Locale.ROOT));
  }
}
