package dev.xsched.cli.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.policy.Hint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The picture that {@code top} shows: lines of text for a screen of some size.
 *
 * @param earlier the state of a second ago, null at the beginning
 * @param now null if there was no daemon yet
 * @param away how long the daemon has not answered, empty if it does
 * @param first the first row to show
 * @param full and empty: the signs of which bars are made
 */
record TopView(
    @Nullable DaemonState earlier,
    @Nullable DaemonState now,
    String away,
    TopOrder order,
    boolean reversed,
    int first,
    char full,
    char empty) {
  private static final String FORMAT = "%7s %-12s %-8s %3s %-7s %4s %5s%s %s %8s";
  private static final int WIDTH_WITHOUT_BAR = 7 + 12 + 8 + 3 + 7 + 4 + 5 + 8 + 8;
  private static final int NUMBER = 6;

  /** Of GPUs that can do more than others; where there is none, there is no such column. */
  private static final String GPU_FORMAT = " %2s %6s";

  /** Returns the lines for a screen; without rows of its own, height is that of the rows. */
  List<String> lines(int width, int height) {
    List<String> lines = new ArrayList<>();
    DaemonState state = now;
    if (!away.isEmpty() || state == null) {
      lines.add("daemon away for %s; it is shown again when it is back".formatted(away));
    }
    if (state != null) {
      addTitle(lines, state);
      addRows(lines, state, width, height - lines.size() - 3);
    }
    while (lines.size() < height - 1) {
      lines.add("");
    }
    lines.add(TopOrder.KEYS + " r:reverse j/k:scroll q:quit");
    return lines.stream().map(line -> cut(line, width)).toList();
  }

  /** Returns the lines for paper: all rows, to their end, no keys. Bars are made for the width. */
  List<String> snapshot(int width) {
    List<String> lines = new ArrayList<>();
    DaemonState state = now;
    if (state != null) {
      addTitle(lines, state);
      addRows(lines, state, width, Integer.MAX_VALUE);
    }
    return lines.stream().map(String::stripTrailing).toList();
  }

  private void addTitle(List<String> lines, DaemonState state) {
    List<QueueRow> rows = QueueRow.of(state);
    lines.add(
        "XSched %s%s  up %s  %s  %s: %d running, %d waiting"
            .formatted(
                state.policy(),
                state.policyFailed() ? " (FAILED)" : "",
                Units.uptime(state.uptimeNanos()),
                Units.plural(state.programs().size(), "program"),
                Units.plural(rows.size(), "queue"),
                rows.stream().filter(r -> r.queue().state().equals("running")).count(),
                rows.stream().filter(r -> r.queue().state().equals("waiting")).count()));
    lines.add("");
  }

  private void addRows(List<String> lines, DaemonState state, int width, int room) {
    List<TopRow> rows =
        TopRow.of(earlier, state).stream().sorted(order.comparator(reversed)).toList();
    boolean onGpus = rows.stream().anyMatch(r -> !r.row().queue().mechanism().isEmpty());
    int others = WIDTH_WITHOUT_BAR + (onGpus ? GPU_FORMAT.formatted("", "").length() : 0);
    int bar = Math.clamp(width - others, NUMBER, 60);
    lines.add(
        FORMAT.formatted(
            "PID",
            "NAME",
            "USER",
            "Q",
            "STATE",
            "PRI",
            "UTIL",
            onGpus ? GPU_FORMAT.formatted("LV", "SLICE") : "",
            pad("SHARE, by " + order.label() + (reversed ? " reversed" : ""), bar),
            "LAUNCH/S"));
    if (rows.isEmpty()) {
      lines.add("no queue is registered; start a program with: xsched run -- PROGRAM");
    }
    int start = Math.clamp(first, 0, Math.max(0, rows.size() - 1));
    rows.stream()
        .skip(start)
        .flatMap(r -> lines(r, bar, onGpus, state.policy()))
        .limit(Math.max(0, room))
        .forEach(lines::add);
  }

  private Stream<String> lines(TopRow top, int bar, boolean onGpus, String policy) {
    return Stream.of(
            Stream.of(line(top, bar, onGpus)),
            mechanism(top.row()),
            GoalLine.of(top.row(), policy).stream())
        .flatMap(lines -> lines);
  }

  /** What keeps it apart from others on a GPU, and why. */
  private static Stream<String> mechanism(QueueRow row) {
    String mechanism = row.queue().mechanism();
    return mechanism.isEmpty()
        ? Stream.empty()
        : Stream.of("        %s: %s".formatted(mechanism, QueueRow.plain(row.queue().reason())));
  }

  private String line(TopRow top, int bar, boolean onGpus) {
    QueueRow row = top.row();
    int level = row.queue().level() == 0 ? row.bestLevel() : row.queue().level();
    return FORMAT.formatted(
        row.program().pid(),
        cut(row.name(), 12),
        cut(row.user(), 8),
        row.queue().slot(),
        row.state(),
        row.hintText(Hint.PRIORITY),
        row.hintText(Hint.UTILIZATION),
        onGpus ? GPU_FORMAT.formatted(level, row.slice()) : "",
        bar(top.share(), bar),
        Units.count(top.launchesPerSecond()));
  }

  private String bar(double share, int width) {
    String number = "%4d %%".formatted(Math.round(100 * share));
    int cells = Math.max(0, width - NUMBER);
    int filled = (int) Math.round(share * cells);
    return String.valueOf(full).repeat(filled)
        + String.valueOf(empty).repeat(cells - filled)
        + number;
  }

  private static String pad(String text, int width) {
    return cut(text, width) + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width));
  }
}
