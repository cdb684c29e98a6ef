package dev.xsched.cli.report.figure;

import dev.xsched.cli.report.Look;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One hue for each thing in a figure, and in all figures the same for those that come again. */
final class Hues {
  private static final Map<String, Integer> KNOWN =
      Map.of("standalone", 0, "flat", 0, "native", 1, "xsched", 2, "mps", 3, "", 2);

  /** What the paper compares with, and what we call its like. */
  private static final Map<String, String> LIKE =
      Map.of(
          "vcuda",
          "quota",
          "tgs",
          "rate control",
          "xsched_synchronous-launch",
          "xsched synchronous");

  private static final List<Integer> FREE_FIRST = List.of(2, 1, 4, 7, 6, 5, 3, 0);

  private final Map<String, Integer> hues = new HashMap<>();

  Hues(Collection<String> names) {
    Deque<Integer> free = new ArrayDeque<>(FREE_FIRST);
    for (String name : names) {
      Integer known = KNOWN.get(thing(name));
      if (known != null) {
        hues.put(thing(name), known);
        free.remove(known);
      }
    }
    for (String name : names) {
      hues.computeIfAbsent(
          thing(name), _ -> free.isEmpty() ? hues.size() % Look.HUES : free.removeFirst());
    }
  }

  int of(String name) {
    return hues.getOrDefault(thing(name), 0);
  }

  /** Without what stands in brackets, such as whose device it was. */
  private static String thing(String name) {
    int bracket = name.indexOf('(');
    String thing = bracket < 0 ? name : name.substring(0, bracket);
    String word = thing.strip().toLowerCase(Locale.ROOT);
    return LIKE.getOrDefault(word, word);
  }
}
