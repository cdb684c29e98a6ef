package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The orders {@code load} and {@code play} of the protocol. */
final class PlayLine {
  private PlayLine() {}

  /** Names of queues have no blanks. */
  static String queue(Party party) {
    return plain(party.name());
  }

  static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9]+", "_");
  }

  static String workload(Workload workload) {
    return switch (workload) {
      case Workload.Named named -> "workload=" + named.label();
      case Workload.Repeated(var what, int times) ->
          "workload=%s times=%d".formatted(what.label(), times);
      case Workload.Commands(var each, int count) ->
          "workload=commands each_ns=%d count=%d".formatted(each.toNanos(), count);
      case Workload.TinyKernels(int count) -> "workload=tiny count=%d".formatted(count);
    };
  }

  /**
   * Has some parties of a scene play in one process.
   *
   * @param throttles files by the name of the party
   */
  static String play(
      Scene scene, List<Party> parties, long startNanos, Map<String, Path> throttles) {
    StringBuilder line =
        new StringBuilder(
            "play start_ns=%d warmup_ns=%d measured_ns=%d seed=%d queues=%s"
                .formatted(
                    startNanos,
                    scene.warmUp().toNanos(),
                    scene.measured().toNanos(),
                    seed(scene, parties.getFirst().process()),
                    parties.stream().map(PlayLine::queue).collect(Collectors.joining(","))));
    for (Party party : parties) {
      String prefix = " " + queue(party) + ".";
      pattern(line, prefix, party.pattern());
      Path throttle = throttles.get(party.name());
      if (throttle != null) {
        line.append(prefix).append("throttle=").append(throttle);
      }
    }
    return line.toString();
  }

  /** Programs must not be in step; the same one has the same arrivals in every scene. */
  private static int seed(Scene scene, String process) {
    return Math.floorMod(31 * (1 + scene.repetition()) + process.hashCode(), 1 << 30);
  }

  private static void pattern(StringBuilder line, String prefix, Pattern pattern) {
    switch (pattern) {
      case Pattern.Continuous _ -> line.append(prefix).append("pattern=continuous");
      case Pattern.Paced(var period, var spacing, var whenBusy) -> {
        line.append(prefix).append("pattern=paced");
        line.append(prefix).append("period_ns=").append(period.toNanos());
        line.append(prefix).append(spacing(spacing, prefix));
        line.append(prefix).append("when_busy=").append(whenBusy.name().toLowerCase(Locale.ROOT));
      }
    }
  }

  private static String spacing(Pattern.Spacing spacing, String prefix) {
    return switch (spacing) {
      case Pattern.Spacing.Even _ -> "spacing=even";
      case Pattern.Spacing.Around(double fraction) ->
          "spacing=around%sspread=%s".formatted(prefix, fraction);
      case Pattern.Spacing.LogNormal(double sigma) ->
          "spacing=lognormal%sspread=%s".formatted(prefix, sigma);
    };
  }
}
