package dev.xsched.bench.record;

import java.util.Comparator;

/**
 * The order of tests as in the plan: chapters 7 and 8, AMD and field tests, NVIDIA, then our own
 * speed.
 */
public final class TestOrder {
  public static final Comparator<String> BY_CHAPTER =
      Comparator.comparingInt(TestOrder::rank)
          .thenComparing(TestOrder::padded)
          .thenComparing(Comparator.naturalOrder());

  private TestOrder() {}

  /** The heading under which a test stands. */
  public static String chapter(String testId) {
    return switch (rank(testId)) {
      case 0 -> "Chapter 7: effectiveness and cost";
      case 1 -> "Chapter 8: case studies";
      case 2, 3 -> "AMD and field tests";
      case 4 -> "NVIDIA's hardware preemption";
      default -> "XSched's own speed";
    };
  }

  private static int rank(String testId) {
    int dot = testId.indexOf('.');
    return switch (dot < 0 ? "" : testId.substring(0, dot)) {
      case "7" -> 0;
      case "8" -> 1;
      case "4" -> 2;
      case "F" -> 3;
      case "N" -> 4;
      default -> 5;
    };
  }

  /** So that 7.10 comes after 7.9. */
  private static String padded(String testId) {
    StringBuilder padded = new StringBuilder();
    for (String part : testId.split("\\.", -1)) {
      padded.append(" ".repeat(Math.max(0, 6 - part.length()))).append(part);
    }
    return padded.toString();
  }
}
