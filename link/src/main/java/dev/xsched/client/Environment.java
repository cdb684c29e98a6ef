package dev.xsched.client;

import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the environment says about this program: the same variables that XSched's own shims read.
 *
 * @param name what lists show; empty to let the daemon find one
 * @param hints for every queue of the program
 * @param level of every queue; null for the best that it has
 * @param mark to be made when the program reaches the scheduler
 */
record Environment(String name, Map<Hint, Long> hints, @Nullable Level level, RunMark mark) {
  private static final String PREFIX = "XSCHED_AUTO_XQUEUE_";
  private static final Map<String, Hint> VARIABLES =
      Map.of(
          PREFIX + "PRIORITY", Hint.PRIORITY,
          PREFIX + "UTILIZATION", Hint.UTILIZATION,
          PREFIX + "TIMESLICE", Hint.TIMESLICE,
          PREFIX + "DEADLINE", Hint.DEADLINE,
          PREFIX + "KDEADLINE", Hint.K,
          PREFIX + "LAXITY", Hint.LAXITY,
          PREFIX + "SLO_P99", Hint.SLO_P99,
          PREFIX + "SLO_RATIO", Hint.SLO_RATIO);

  /**
   * Reads the variables. A value that makes no sense is left out.
   *
   * @param warn gets one line about each of those
   */
  static Environment of(Map<String, String> variables, Consumer<String> warn) {
    Map<Hint, Long> hints = new EnumMap<>(Hint.class);
    VARIABLES.forEach(
        (variable, hint) -> {
          String text = variables.getOrDefault(variable, "").strip();
          if (!text.isEmpty()) {
            try {
              hints.put(hint, hint.check(number(hint, text)));
            } catch (IllegalArgumentException e) {
              warn.accept("%s is ignored: %s".formatted(variable, e.getMessage()));
            }
          }
        });
    return new Environment(name(variables), hints, level(variables, warn), RunMark.of(variables));
  }

  private static long number(Hint hint, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is no number; give %d to %d (%s)"
              .formatted(text, hint.min(), hint.max(), hint.meaning()),
          e);
    }
  }

  private static @Nullable Level level(Map<String, String> variables, Consumer<String> warn) {
    String text = variables.getOrDefault(PREFIX + "LEVEL", "auto").strip();
    return switch (text) {
      case "auto", "" -> null;
      case "1", "2", "3" -> Level.of(Integer.parseInt(text));
      default -> {
        warn.accept(
            "%sLEVEL is ignored: '%s' is no level; give auto, 1, 2 or 3".formatted(PREFIX, text));
        yield null;
      }
    };
  }

  /** The name that was given, else that of the main class or jar: all JVMs are called "java". */
  private static String name(Map<String, String> variables) {
    String given = variables.getOrDefault("XSCHED_NAME", "").strip();
    if (!given.isEmpty()) {
      return given;
    }
    String main = System.getProperty("sun.java.command", "").split(" ", 2)[0];
    Path file = Path.of(main).getFileName();
    if (file == null || main.endsWith(".jar")) {
      return file == null ? "" : file.toString();
    }
    return file.toString().substring(file.toString().lastIndexOf('.') + 1);
  }
}
