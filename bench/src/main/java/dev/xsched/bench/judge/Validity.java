package dev.xsched.bench.judge;

import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Outcome.PartyOutcome;

/** Whether what was measured can mean anything. */
public final class Validity {
  /** Of the time in which the less busy of two sides had work, so much must be beside the other. */
  static final double LEAST_CONTENTION = 0.5;

  /** A device that works less than this beside a continuous party waits for its processor. */
  static final double LEAST_BUSY = 0.5;

  /** No program is faster beside others, or scheduled, than alone; so much may be chance. */
  static final double LEAST_LATENCY_RATIO = 0.9;

  static final double MOST_THROUGHPUT_RATIO = 1.1;

  private Validity() {}

  /** Marks findings as invalid if in any repetition of a scene its parties did not compete. */
  public static void contention(Findings findings, Runs runs, String... labels) {
    for (String label : labels) {
      double least = runs.of(label).stream().mapToDouble(Validity::contention).min().orElse(0);
      findings.put("contention_" + name(label), least);
      if (!(least >= LEAST_CONTENTION)) {
        findings.invalid(
            ("no contention in scene '%s': only %.0f %% of the time in which the less busy side had"
                    + " work it competed, %.0f %% are needed; give the continuous side more work")
                .formatted(label, 100 * least, 100 * LEAST_CONTENTION));
      }
    }
  }

  /** Marks findings as invalid if the device mostly idled although a party is continuous. */
  public static void busy(Findings findings, Runs runs, String... labels) {
    for (String label : labels) {
      if (runs.of(label).stream().anyMatch(o -> o.deviceBusy().isEmpty())) {
        findings.note("the device's busy time in scene '%s' is not known".formatted(label));
        continue;
      }
      double least =
          runs.of(label).stream().mapToDouble(o -> o.deviceBusy().orElse(0)).min().orElse(0);
      findings.put("device_busy_" + name(label), least);
      if (!(least >= LEAST_BUSY)) {
        findings.invalid(
            ("the device was busy only %.0f %% of the time in scene '%s', so it is bound by the"
                    + " processor that launches; use graphs or larger batches")
                .formatted(100 * least, label));
      }
    }
  }

  /**
   * Both: what every comparison between two sides must show. A device that idles natively is bound
   * by its processor, and nothing can be said. One that idles only under a scheduler is the
   * scheduler's fault: that is a criterion missed, and must not be excused as invalid.
   *
   * @param base the scene without a scheduler
   */
  public static void competition(Findings findings, Runs runs, String base, String scheduled) {
    contention(findings, runs, base, scheduled);
    busy(findings, runs, base);
    GpuLoad.put(findings, runs, base, scheduled);
    if (runs.of(scheduled).stream().allMatch(o -> o.deviceBusy().isPresent())) {
      findings.above(
          "device busy in scene '%s'".formatted(scheduled),
          runs.mean(scheduled, o -> 100 * o.deviceBusy().orElse(0)),
          100 * LEAST_BUSY,
          "%",
          null);
    }
  }

  /**
   * Marks findings as invalid if a latency is too good to be true against that of the same program
   * standalone: then what it is compared with was disturbed.
   */
  public static void latencyAgainstStandalone(Findings findings, String what, Measure ratio) {
    if (ratio.value() < LEAST_LATENCY_RATIO) {
      tooGood(findings, what, ratio);
    }
  }

  /** The same for the throughput of one program. */
  public static void throughputAgainstStandalone(Findings findings, String what, Measure ratio) {
    if (ratio.value() > MOST_THROUGHPUT_RATIO) {
      tooGood(findings, what, ratio);
    }
  }

  private static void tooGood(Findings findings, String what, Measure ratio) {
    findings.invalid(
        ("%s is %.2fx of standalone, but no program is faster beside others or scheduled than alone:"
                + " the standalone run was disturbed; measure again on a quiet machine")
            .formatted(what, ratio.value()));
  }

  /** Whether its parties competed for the device. */
  public static boolean competed(Outcome outcome) {
    return contention(outcome) >= LEAST_CONTENTION;
  }

  /** How much of what the second most busy party wanted was beside another one. */
  static double contention(Outcome outcome) {
    double[] wanting =
        outcome.parties().stream().mapToDouble(PartyOutcome::wanting).sorted().toArray();
    if (wanting.length < 2) {
      return 0;
    }
    double second = wanting[wanting.length - 2];
    return second <= 0 ? 0 : Math.min(1, outcome.contended() / second);
  }

  /** A scene as part of the name of a result. */
  static String name(String label) {
    return label.replaceAll("[^A-Za-z0-9]+", "_");
  }
}
