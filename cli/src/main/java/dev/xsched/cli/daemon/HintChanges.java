package dev.xsched.cli.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.policy.Hint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a change of hints did, seen from outside: the state before and after. */
final class HintChanges {
  private static final String NONE = "none";

  private HintChanges() {}

  static List<String> lines(Collection<Hint> hints, DaemonState before, DaemonState after) {
    List<String> lines = new ArrayList<>();
    Map<Long, QueueRow> old = new HashMap<>();
    QueueRow.of(before).forEach(row -> old.put(row.queue().id(), row));
    for (Hint hint : hints) {
      if (hint.scope() == Hint.Scope.SYSTEM) {
        add(
            lines,
            "system",
            hint,
            before.systemHints().get(hint.label()),
            after.systemHints().get(hint.label()));
      }
      for (QueueRow row : QueueRow.of(after)) {
        QueueRow was = old.get(row.queue().id());
        if (hint.scope() == Hint.Scope.QUEUE && was != null) {
          String who = "%s %s".formatted(row.target(), row.name());
          add(lines, who, hint, was.hint(hint), row.hint(hint));
        }
      }
    }
    return lines;
  }

  private static void add(
      List<String> lines,
      String who,
      Hint hint,
      @Nullable HintState before,
      @Nullable HintState after) {
    String now = text(hint, after);
    String was = text(hint, before);
    boolean nothing = now.equals(NONE) && was.equals(NONE);
    if (after != null && !after.equals(before) && !nothing) {
      lines.add("%s: %s %s (was %s)".formatted(who, hint.label(), now, was));
    }
  }

  private static String text(Hint hint, @Nullable HintState state) {
    Long value = state == null ? null : state.value();
    return value == null || value == Hint.UNSET ? NONE : HintValues.format(hint, value);
  }
}
