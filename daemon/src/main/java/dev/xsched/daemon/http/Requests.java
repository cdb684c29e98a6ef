package dev.xsched.daemon.http;

import dev.xsched.daemon.api.QueueConfig;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What bodies carry. Each record refuses what it cannot be. */
final class Requests {
  private Requests() {}

  record PolicyChange(String name) {
    PolicyChange {
      needed("name", name);
    }
  }

  /**
   * @param hints values by label; null takes back a hint that has no default
   * @param source rest if it is not given
   */
  record HintChange(String target, Map<String, @Nullable Long> hints, @Nullable String source) {
    HintChange {
      needed("target", target);
      needed("hints", hints);
      if (hints.isEmpty()) {
        throw new IllegalArgumentException("field 'hints' is empty; give one such as priority");
      }
    }

    Map<Hint, Long> values() {
      Map<Hint, Long> values = new LinkedHashMap<>();
      hints.forEach((label, value) -> values.put(Hint.of(label), value(Hint.of(label), value)));
      return values;
    }

    private static long value(Hint hint, @Nullable Long value) {
      if (value == null && hint.defaultValue() != Hint.UNSET) {
        throw new IllegalArgumentException(
            "%s cannot be null; its default is %d".formatted(hint.label(), hint.defaultValue()));
      }
      return hint.check(value == null ? Hint.UNSET : value);
    }

    Hints.Source sourceOrRest() {
      String label = source == null ? label(Hints.Source.REST) : source;
      return sources()
          .filter(s -> label(s).equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "unknown source; give one of "
                          + sources().map(HintChange::label).collect(Collectors.joining(", "))));
    }

    /** Those that come this way. */
    static Stream<Hints.Source> sources() {
      return Stream.of(Hints.Source.COMMAND_LINE, Hints.Source.REST, Hints.Source.WEB);
    }

    static String label(Hints.Source source) {
      return source.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What is not given stays as it is. */
  record ConfigChange(
      String target,
      @Nullable Long windowMicros,
      @Nullable Integer windowCommands,
      @Nullable Integer windowBatch,
      @Nullable Integer level) {
    ConfigChange {
      needed("target", target);
      if (windowMicros == null && windowCommands == null && windowBatch == null && level == null) {
        throw new IllegalArgumentException(
            "nothing to change; give window_micros, window_commands, window_batch or level");
      }
      atLeastZero("window_micros", windowMicros);
      atLeastZero("window_commands", windowCommands);
      atLeastZero("window_batch", windowBatch);
      atLeastZero("level", level);
      if (level != null && level > 3) {
        throw new IllegalArgumentException(
            "level %d is out of range; give 1 block, 2 deactivate, 3 interrupt or 0 for the best"
                .formatted(level));
      }
    }

    QueueConfig config() {
      return new QueueConfig(windowMicros, windowCommands, windowBatch, level);
    }
  }

  /** JSON that lacks a field comes here as null, whatever the type promises. */
  private static void needed(String field, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException("field '%s' is missing; give it".formatted(field));
    }
  }

  private static void atLeastZero(String field, @Nullable Number value) {
    if (value != null && value.longValue() < 0) {
      throw new IllegalArgumentException(
          "%s %d is out of range; give 0 or more".formatted(field, value.longValue()));
    }
  }
}
