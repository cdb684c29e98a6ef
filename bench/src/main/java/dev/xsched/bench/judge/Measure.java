package dev.xsched.bench.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A number with what is known about it. A criterion is never met by a number with a flaw.
 *
 * @param low between here and {@code high} it lies with 95 % confidence; both NaN if it was
 *     measured only once
 * @param samples how many requests it is about; 0 where that means nothing
 * @param flaws why it must not be relied on, such as too few samples
 */
public record Measure(double value, double low, double high, int samples, List<String> flaws) {
  private static final int RESAMPLES = 200;

  public Measure {
    flaws = List.copyOf(flaws);
  }

  /** A number that is simply so. */
  public static Measure exactly(double value) {
    return new Measure(value, Double.NaN, Double.NaN, 0, List.of());
  }

  /**
   * A statistic over several repetitions, and its interval by a bootstrap over them: whole
   * repetitions are drawn, because what disturbs a request disturbs its neighbours, too.
   *
   * @param statistic of the repetitions with these numbers
   */
  static Measure over(int repetitions, int samples, ToDoubleFunction<List<Integer>> statistic) {
    double value = statistic.applyAsDouble(IntStream.range(0, repetitions).boxed().toList());
    if (repetitions < 2) {
      return new Measure(value, Double.NaN, Double.NaN, samples, List.of());
    }
    // Always the same sequence: the same measurements give the same bounds.
    Random random = new Random(1);
    double[] values =
        DoubleStream.generate(
                () ->
                    statistic.applyAsDouble(
                        random.ints(repetitions, 0, repetitions).boxed().toList()))
            .limit(RESAMPLES)
            .sorted()
            .toArray();
    return new Measure(
        value, values[RESAMPLES * 25 / 1_000], values[RESAMPLES * 975 / 1_000], samples, List.of());
  }

  /** Returns this with one more reason for doubt. */
  Measure flawed(String flaw) {
    List<String> more = new ArrayList<>(flaws);
    more.add(flaw);
    return new Measure(value, low, high, samples, more);
  }

  /** Returns this with the doubts about others, which it was made from. */
  Measure flawedAs(Measure... others) {
    List<String> more = new ArrayList<>(flaws);
    Arrays.stream(others).map(Measure::flaws).forEach(more::addAll);
    return new Measure(value, low, high, samples, more.stream().distinct().toList());
  }

  /** Returns a measure with a function of the value and of its bounds, which must be monotone. */
  public Measure map(java.util.function.DoubleUnaryOperator function) {
    double a = function.applyAsDouble(low);
    double b = function.applyAsDouble(high);
    return new Measure(
        function.applyAsDouble(value), Math.min(a, b), Math.max(a, b), samples, flaws);
  }

  public boolean sound() {
    return flaws.isEmpty() && Double.isFinite(value);
  }

  boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }
}
