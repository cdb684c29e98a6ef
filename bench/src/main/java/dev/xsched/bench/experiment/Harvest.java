package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.queue.LaunchWindow;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What both experiments about harvesting have in common: who competes with whom, under what. */
final class Harvest {
  static final String PRODUCTION = "production";
  static final String OPPORTUNISTIC = "opportunistic";
  static final String PRODUCTION_ALONE = "production standalone";
  static final String OPPORTUNISTIC_ALONE = "opportunistic standalone";
  static final String QUOTA = "quota";
  static final String RATE_CONTROL = "rate control";
  static final String SYNCHRONOUS = "xsched synchronous";

  /** With both sides, in the order of the figure. */
  static final List<String> SHARED = List.of(NATIVE, QUOTA, RATE_CONTROL, XSCHED, SYNCHRONOUS);

  private static final int PRODUCTION_QUOTA = 80;
  private static final Duration REFILL = Duration.ofMillis(10);
  private static final Duration ADJUST = Duration.ofMillis(200);

  private Harvest() {}

  static Scenes scenes(Scenes scenes, Party production, Party opportunistic) {
    Control.Scheduled xsched = Control.Scheduled.by("HPF");
    Control quota =
        new Control.Quota(
            Map.of(PRODUCTION, PRODUCTION_QUOTA, OPPORTUNISTIC, 100 - PRODUCTION_QUOTA), REFILL);
    Control rate = new Control.RateControl(PRODUCTION, OPPORTUNISTIC, ADJUST);
    Control synchronous = xsched.with(new LaunchWindow.Fixed(1, 1));
    return scenes
        .add(PRODUCTION_ALONE, new Control.Native(), production)
        .add(OPPORTUNISTIC_ALONE, new Control.Native(), opportunistic)
        .add(NATIVE, new Control.Native(), opportunistic, production)
        .add(QUOTA, quota, opportunistic, production)
        .add(RATE_CONTROL, rate, opportunistic, production)
        .add(XSCHED, xsched, opportunistic, production)
        .add(SYNCHRONOUS, synchronous, opportunistic, production);
  }

  /** The names that the paper's data has for these. */
  static String inPaper(String label) {
    return switch (label) {
      case QUOTA -> "vcuda";
      case RATE_CONTROL -> "tgs";
      case SYNCHRONOUS -> "xsched_synchronous-launch";
      default -> label;
    };
  }

  /** For names of results. */
  static String suffix(String label) {
    return label.replace(' ', '_');
  }
}
