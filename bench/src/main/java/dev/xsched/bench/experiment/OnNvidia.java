package dev.xsched.bench.experiment;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What the experiments about an NVIDIA GPU's own preemption have in common. Time on such a GPU is
 * scarce, and PyTorch takes long to start. So programs are named by their network and play under
 * that name in all of these experiments, and quick runs have two repetitions that are long enough.
 */
final class OnNvidia {
  static final String BERT = "bert";
  static final String BERT_EAGER = "bert eager";
  static final String RESNET_64 = "resnet 64";
  static final String RESNET_1024 = "resnet 1024";

  static final Control NATIVELY = new Control.Native();
  static final Control UNDER_MPS = new Control.Mps();

  /** As users have it who choose nothing but a priority: no level is asked for. */
  static final Control.Scheduled HPF_AUTO = Control.Scheduled.by("HPF");

  static final long HIGH = 10;

  static final Duration WARM_UP = Duration.ofMillis(300);

  private OnNvidia() {}

  static int repetitions(Extent extent) {
    return extent.quick() ? 2 : extent.repetitions();
  }

  /** Bert-large as one graph, so many times a second. */
  static Party bert(int perSecond) {
    return bert(pace(perSecond));
  }

  /** The same, each exactly when it is due. */
  static Party bertByTheClock(int perSecond) {
    return bert(Pattern.Paced.queued(period(perSecond), new Pattern.Spacing.Even()));
  }

  private static Party bert(Pattern pattern) {
    return Party.of(BERT, Workload.Named.BERT_LARGE, pattern).with(Hint.PRIORITY, HIGH);
  }

  /** ResNet-50 without a pause; has the usual priority. */
  static Party resnet64() {
    return Party.of(RESNET_64, Workload.Named.RESNET50_B64, new Pattern.Continuous());
  }

  static Party resnet1024() {
    return Party.of(RESNET_1024, Workload.Named.RESNET50_B1024, new Pattern.Continuous());
  }

  /** Not quite in step, so that nothing locks step with the GPU's own turns. */
  static Pattern pace(double perSecond) {
    return Pattern.Paced.queued(period(perSecond), new Pattern.Spacing.Around(0.1));
  }

  private static Duration period(double perSecond) {
    return Duration.ofNanos(Math.round(1e9 / perSecond));
  }

  /** To learn how fast a program is alone. */
  static Scene alone(Party party) {
    return new Scene(
        "peak of " + party.name(),
        NATIVELY,
        List.of(Party.of(party.name(), party.workload(), new Pattern.Continuous())),
        WARM_UP,
        Duration.ofSeconds(1),
        0);
  }

  /**
   * Requests a second from end to end, because a count has no fractions: 1 of 25 is 4 percent. A
   * pause that has no end counts by what fits into the time.
   */
  static double perSecond(Outcome outcome, String party) {
    long[] intervals = outcome.party(party).requests().intervals();
    return intervals.length == 0
        ? outcome.perSecond(party)
        : Math.min(
            1e9 / Arrays.stream(intervals).average().orElseThrow(),
            (intervals.length + 2) / outcome.seconds());
  }
}
