package dev.xsched.cli.daemon;

import dev.xsched.policy.Hint;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the rows of {@code top} are sorted by, each chosen by a key. */
enum TopOrder {
  SHARE('c', "share", Comparator.comparingDouble(TopRow::share).reversed()),
  PRIORITY('p', "priority", Comparator.comparingLong(TopOrder::priority).reversed()),
  USER('u', "user", Comparator.comparing(t -> t.row().program().user())),
  NAME('n', "name", Comparator.comparing(t -> t.row().program().name())),
  LAUNCHES('l', "launches", Comparator.comparingDouble(TopRow::launchesPerSecond).reversed()),
  PID('i', "pid", Comparator.comparingLong(t -> t.row().program().pid()));

  static final String KEYS =
      Arrays.stream(values()).map(o -> o.key + ":" + o.label).collect(Collectors.joining(" "));

  private final char key;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // it compares, and keeps nothing
  private final Comparator<TopRow> comparator;

  TopOrder(char key, String label, Comparator<TopRow> comparator) {
    this.key = key;
    this.label = label;
    this.comparator = comparator;
  }

  static Optional<TopOrder> of(int key) {
    return Arrays.stream(values()).filter(o -> o.key == key).findFirst();
  }

  String label() {
    return label;
  }

  /** Rows that are equal otherwise keep their places from one look to the next. */
  Comparator<TopRow> comparator(boolean reversed) {
    return (reversed ? comparator.reversed() : comparator)
        .thenComparingLong(t -> t.row().program().pid())
        .thenComparingInt(t -> t.row().queue().slot());
  }

  private static long priority(TopRow row) {
    Long value = row.row().hint(Hint.PRIORITY).value();
    return value == null ? 0 : value;
  }
}
