package dev.xsched.bench.judge;

import dev.xsched.bench.scene.DeviceLoad;
import java.util.OptionalDouble;
import java.util.function.Function;

/** At which clock and power a scene ran: two that differ in it can hardly be compared. */
public final class GpuLoad {
  private GpuLoad() {}

  /** Puts the medians over the repetitions of each scene; nothing where one does not know. */
  public static void put(Findings findings, Runs runs, String... labels) {
    for (String label : labels) {
      put(findings, "gpu_clock_mhz_", runs, label, DeviceLoad::megahertz);
      put(findings, "gpu_power_watts_", runs, label, DeviceLoad::watts);
    }
  }

  private static void put(
      Findings findings,
      String name,
      Runs runs,
      String label,
      Function<DeviceLoad, OptionalDouble> value) {
    double[] known =
        runs.of(label).stream()
            .map(outcome -> value.apply(outcome.device()))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .sorted()
            .toArray();
    if (known.length == runs.of(label).size()) {
      findings.put(name + Validity.name(label), known[known.length / 2]);
    }
  }
}
