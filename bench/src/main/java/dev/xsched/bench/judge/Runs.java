package dev.xsched.bench.judge;

import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Requests;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What several scenes gave, each repeated by turns (A B A B): so a slow change of the machine meets
 * all of them, and the n-th outcome of one belongs to the n-th of another.
 */
public final class Runs {
  /** Fewer than these have no 99th percentile: it would be their maximum. */
  public static final int P99_SAMPLES = 100;

  private final Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();

  public void add(String label, Outcome outcome) {
    outcomes.computeIfAbsent(label, _ -> new ArrayList<>()).add(outcome);
  }

  /** The scenes that were played, by their labels. */
  public Set<String> labels() {
    return outcomes.keySet();
  }

  public boolean has(String label) {
    return outcomes.containsKey(label);
  }

  /** All repetitions of a scene, which must have been played. */
  public List<Outcome> of(String label) {
    List<Outcome> found = outcomes.get(label);
    if (found == null) {
      throw new IllegalArgumentException("no scene '%s' was played".formatted(label));
    }
    return found;
  }

  /** All latencies of a party over all repetitions. */
  public Latencies latencies(String label, String... parties) {
    return pooled(label, Requests::latencies, all(label), parties);
  }

  /** All times between two ends of a party's requests. */
  public Latencies intervals(String label, String party) {
    return pooled(label, Requests::intervals, all(label), party);
  }

  /** A percentile of latency in ms. That of 99 needs enough samples. */
  public Measure percentile(double percent, String label, String... parties) {
    return percentile(percent, Requests::latencies, label, parties);
  }

  /** A percentile of the time between two ends in ms. */
  public Measure intervalPercentile(double percent, String label, String party) {
    return percentile(percent, Requests::intervals, label, party);
  }

  /** A percentile of some time of each request in ms, such as {@link Requests#rests}. */
  public Measure percentile(
      double percent, Function<Requests, long[]> times, String label, String... parties) {
    int samples = pooled(label, times, all(label), parties).count();
    Measure measure =
        Measure.over(
            of(label).size(),
            samples,
            drawn -> pooled(label, times, drawn, parties).percentile(percent));
    return enough(measure, percent, label);
  }

  /** By what factor a percentile exceeds that of another scene; repetitions are paired. */
  public Measure percentileRatio(double percent, String label, String base, String... parties) {
    return percentileRatio(percent, Requests::latencies, label, base, parties);
  }

  /** The same of some time of each request. */
  public Measure percentileRatio(
      double percent,
      Function<Requests, long[]> times,
      String label,
      String base,
      String... parties) {
    Measure above = percentile(percent, times, label, parties);
    Measure below = percentile(percent, times, base, parties);
    return Measure.over(
            Math.min(of(label).size(), of(base).size()),
            Math.min(above.samples(), below.samples()),
            drawn ->
                pooled(label, times, drawn, parties).percentile(percent)
                    / pooled(base, times, drawn, parties).percentile(percent))
        .flawedAs(above, below);
  }

  /** Requests of a party that ended, per second. */
  public Measure perSecond(String label, String party) {
    return mean(label, outcome -> outcome.perSecond(party));
  }

  /** The mean over the repetitions of a scene. */
  public Measure mean(String label, ToDoubleFunction<Outcome> function) {
    double[] values = of(label).stream().mapToDouble(function).toArray();
    return Measure.over(
        values.length,
        0,
        drawn -> drawn.stream().mapToDouble(i -> values[i]).average().orElse(Double.NaN));
  }

  /** The ratio of two such means, with repetitions paired. */
  public Measure meanRatio(
      String label,
      ToDoubleFunction<Outcome> function,
      String base,
      ToDoubleFunction<Outcome> baseFunction) {
    double[] above = of(label).stream().mapToDouble(function).toArray();
    double[] below = of(base).stream().mapToDouble(baseFunction).toArray();
    return Measure.over(
        Math.min(above.length, below.length),
        0,
        drawn ->
            drawn.stream().mapToDouble(i -> above[i]).sum()
                / drawn.stream().mapToDouble(i -> below[i]).sum());
  }

  static Measure enough(Measure measure, double percent, String what) {
    return percent >= 99 && measure.samples() < P99_SAMPLES
        ? measure.flawed(
            "P99 of %s is of %d samples; %d are needed"
                .formatted(what, measure.samples(), P99_SAMPLES))
        : measure;
  }

  private List<Integer> all(String label) {
    return java.util.stream.IntStream.range(0, of(label).size()).boxed().toList();
  }

  private Latencies pooled(
      String label, Function<Requests, long[]> times, List<Integer> drawn, String... parties) {
    List<Outcome> repetitions = of(label);
    List<long[]> parts = new ArrayList<>();
    for (int i : drawn) {
      for (String party : parties) {
        parts.add(times.apply(repetitions.get(i).party(party).requests()));
      }
    }
    return Latencies.of(parts);
  }
}
