package dev.xsched.sim.experiment;

import dev.xsched.policy.Policy;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.DeviceModels;
import dev.xsched.sim.Samples;
import dev.xsched.sim.experiment.PaperData.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Sets the paper's published numbers beside what the models give, with one set of parameters per
 * device for all figures. Deterministic by seed.
 */
public final class Calibration {
  private static final double LATENCY_TOLERANCE = 0.15;
  private static final double RATIO_TOLERANCE = 0.10;
  private static final double SHARE_TOLERANCE = 0.03;

  /** A suspend is cheap, and the tail of level 3 is a few microseconds: many make it steady. */
  private static final int SUSPENDS_PER_SAMPLE = 4;

  /** The paper's launch configuration in figure 11. */
  private static final LaunchWindow WINDOW = new LaunchWindow.Fixed(8, 4);

  private final Policy priority;
  private final Policy shares;
  private final int samples;
  private final long seed;

  /**
   * One number of the paper and what the model gives for it.
   *
   * @param what figure, device, configuration and quantity, in one line
   * @param tolerance how far off the model may be, as a number of the same kind
   */
  public record Comparison(String what, double paper, double model, double tolerance) {
    public boolean fits() {
      return Math.abs(model - paper) <= tolerance;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: paper %.3f, model %.3f (%+.1f %%)",
          what,
          paper,
          model,
          100 * (model / paper - 1));
    }
  }

  /**
   * Prepares the comparison.
   *
   * @param priority the policy of figure 9 top: HPF
   * @param shares the policy of figure 9 bottom: PUP
   * @param samples about how many requests or tasks to measure for each number, and four times as
   *     many suspends
   */
  public Calibration(Policy priority, Policy shares, int samples, long seed) {
    this.priority = priority;
    this.shares = shares;
    this.samples = samples;
    this.seed = seed;
  }

  /** P99 of the preemption latency of the GV100, in microseconds. */
  public List<Comparison> preemptionLatency() {
    DeviceModel model = DeviceModels.load("gv100");
    List<Comparison> result = new ArrayList<>();
    for (PaperData.LatencyRow row : PaperData.preemptionLatency()) {
      Samples latencies =
          PreemptionLatency.run(
              model, row.level(), WINDOW, row.command(), SUSPENDS_PER_SAMPLE * samples, seed);
      result.add(
          new Comparison(
              "preemption gv100 level %d, T %d us"
                  .formatted(row.level().number(), row.command().toNanos() / 1_000),
              row.p99Micros(),
              latencies.percentileNanos(0.99) / 1e3,
              LATENCY_TOLERANCE * row.p99Micros()));
    }
    return result;
  }

  /** P99 of the foreground's latency as a multiple of what it is standalone. */
  public List<Comparison> fixedPriority() {
    List<PaperData.FixedPriorityRow> rows = PaperData.fixedPriority();
    List<Comparison> result = new ArrayList<>();
    for (String xpu : rows.stream().map(PaperData.FixedPriorityRow::xpu).distinct().toList()) {
      FixedPriority experiment =
          new FixedPriority(
              DeviceModels.load(xpu), PaperData.setup(xpu, "fixed_priority"), samples, seed);
      double standalone = experiment.standalone().p99Millis();
      for (PaperData.FixedPriorityRow row : rows) {
        if (row.xpu().equals(xpu) && row.config() != Config.STANDALONE) {
          FixedPriority.Result measured =
              row.config() == Config.NATIVE
                  ? experiment.unscheduled()
                  : experiment.scheduled(priority, 1);
          result.add(
              new Comparison(
                  "fixed priority %s %s".formatted(xpu, label(row.config())),
                  row.p99Ratio(),
                  measured.p99Millis() / standalone,
                  RATIO_TOLERANCE * row.p99Ratio()));
        }
      }
    }
    return result;
  }

  /** Throughput of each side as a part of what it has alone. */
  public List<Comparison> partition() {
    List<Comparison> result = new ArrayList<>();
    for (PaperData.PartitionRow row : PaperData.partition()) {
      Partition experiment =
          new Partition(
              DeviceModels.load(row.xpu()), PaperData.setup(row.xpu(), "partition"), samples, seed);
      Partition.Result measured =
          row.config() == Config.NATIVE ? experiment.unscheduled() : experiment.scheduled(shares);
      String what = "partition %s %s".formatted(row.xpu(), label(row.config()));
      result.add(share(what + " foreground", row.foreground(), measured.foreground()));
      result.add(share(what + " background", row.background(), measured.background()));
    }
    return result;
  }

  private static Comparison share(String what, double paper, double model) {
    return new Comparison(what, paper, model, SHARE_TOLERANCE);
  }

  private static String label(Config config) {
    return config.name().toLowerCase(Locale.ROOT);
  }
}
