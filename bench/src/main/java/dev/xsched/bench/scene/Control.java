package dev.xsched.bench.scene;

import dev.xsched.policy.Hint;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who decides what runs in a scene. */
public sealed interface Control {
  /** For records: what this is, with its parameters. */
  String describe();

  /** Nobody but the device. A single party under this is what experiments call standalone. */
  record Native() implements Control {
    @Override
    public String describe() {
      return "the device's own scheduler";
    }
  }

  /** NVIDIA's Multi-Process Service: all programs share one context. */
  record Mps() implements Control {
    @Override
    public String describe() {
      return "NVIDIA MPS";
    }
  }

  /**
   * A fixed part of the device's time for each program, whoever else is there, enforced where the
   * program launches: a token bucket over device time, as vCUDA has it.
   *
   * @param percent of each program, by the name of its process
   * @param refill how often it is measured and refilled
   */
  record Quota(Map<String, Integer> percent, Duration refill) implements Control {
    public Quota {
      percent = Map.copyOf(percent);
    }

    @Override
    public String describe() {
      return "quota (vCUDA-like): token bucket over device time, refilled every %d ms, percent %s"
          .formatted(refill.toMillis(), new TreeMap<>(percent));
    }
  }

  /**
   * One program's launches are throttled by feedback from how fast another one gets on, as TGS
   * does: more by a step while the other keeps its pace, half as soon as it does not.
   *
   * @param kept the party whose pace is kept
   * @param throttled the party that pays
   * @param adjust how often its rate is adjusted
   */
  record RateControl(String kept, String throttled, Duration adjust) implements Control {
    @Override
    public String describe() {
      return "rate control (TGS-like): the launches of %s are adjusted every %d ms so that %s keeps"
              .formatted(throttled, adjust.toMillis(), kept)
          + " its pace: 1 point of the device more, or half if the pace falls by 5 %";
    }
  }

  /**
   * An inference server's own priority: it begins no request of a lower priority while one of a
   * higher is there, and stops none that has begun. By {@link Hint#PRIORITY} of the parties.
   */
  record RequestPriority() implements Control {
    @Override
    public String describe() {
      return "the server's own priority: it begins no lower request while a higher one is there";
    }
  }

  /**
   * XSched.
   *
   * @param level at most; where the device lacks it, the next lower one. Empty is auto: nothing is
   *     asked for, and XSched chooses
   * @param window how much each party keeps in flight; 1/1 is synchronous launch
   * @param system hints of the whole scheduler, such as the time slice
   */
  record Scheduled(
      String policy, Optional<Level> level, LaunchWindow window, Map<Hint, Long> system)
      implements Control {
    public Scheduled {
      system = Map.copyOf(system);
    }

    /** With a policy, and otherwise as users have it who choose nothing. */
    public static Scheduled by(String policy) {
      return new Scheduled(policy, Optional.empty(), LaunchWindow.DEFAULT, Map.of());
    }

    /** Returns this with a level that is asked for. */
    public Scheduled at(Level asked) {
      return new Scheduled(policy, Optional.of(asked), window, system);
    }

    /** Returns this with another bound on work in flight. */
    public Scheduled with(LaunchWindow other) {
      return new Scheduled(policy, level, other, system);
    }

    /** Returns this with a hint of the whole scheduler. */
    public Scheduled with(Hint hint, long value) {
      Map<Hint, Long> more = new EnumMap<>(Hint.class);
      more.putAll(system);
      more.put(hint, value);
      return new Scheduled(policy, level, window, more);
    }

    @Override
    public String describe() {
      String bound =
          switch (window) {
            case LaunchWindow.Fixed(int threshold, int batch) ->
                threshold == 1 ? "synchronous launch" : "window %d/%d".formatted(threshold, batch);
            case LaunchWindow.Adaptive adaptive ->
                "adaptive window of %d us".formatted(adaptive.inFlight().toNanos() / 1_000);
          };
      StringBuilder text =
          new StringBuilder(
              "XSched, policy %s, level %s, %s"
                  .formatted(
                      policy, level.map(l -> l.number() + " at most").orElse("auto"), bound));
      new TreeMap<>(system)
          .forEach((hint, value) -> text.append(", %s %d".formatted(hint.label(), value)));
      return text.toString();
    }
  }
}
