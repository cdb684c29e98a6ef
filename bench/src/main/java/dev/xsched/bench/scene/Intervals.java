package dev.xsched.bench.scene;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Times in which something holds, in order and apart from each other. */
public final class Intervals {
  private final long[] fromTo;

  /**
   * Takes {@code from, to, from, to, ...}.
   *
   * @throws IllegalArgumentException in a few words, if they are not in order
   */
  public Intervals(long... fromTo) {
    if (fromTo.length % 2 != 0) {
      throw new IllegalArgumentException("an interval has no end");
    }
    for (int i = 1; i < fromTo.length; i++) {
      if (fromTo[i] < fromTo[i - 1]) {
        throw new IllegalArgumentException("intervals are out of order");
      }
    }
    this.fromTo = fromTo.clone();
  }

  public boolean within(long from, long to) {
    return fromTo.length == 0 || (fromTo[0] >= from && fromTo[fromTo.length - 1] <= to);
  }

  public long length() {
    long sum = 0;
    for (int i = 0; i < fromTo.length; i += 2) {
      sum += fromTo[i + 1] - fromTo[i];
    }
    return sum;
  }

  /** For how long at least two of these hold at the same time. */
  public static long ofTwo(List<Intervals> all) {
    long[] begins = all.stream().flatMapToLong(i -> i.every(0)).sorted().toArray();
    long[] ends = all.stream().flatMapToLong(i -> i.every(1)).sorted().toArray();
    long sum = 0;
    long last = 0;
    int open = 0;
    int begun = 0;
    for (long end : ends) {
      while (begun < begins.length && begins[begun] < end) {
        sum += open >= 2 ? begins[begun] - last : 0;
        last = begins[begun++];
        open++;
      }
      sum += open >= 2 ? end - last : 0;
      last = end;
      open--;
    }
    return sum;
  }

  private LongStream every(int first) {
    return IntStream.range(0, fromTo.length / 2).mapToLong(i -> fromTo[2 * i + first]);
  }
}
