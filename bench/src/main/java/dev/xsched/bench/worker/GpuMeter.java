package dev.xsched.bench.worker;

import dev.xsched.bench.scene.DeviceLoad;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the NVIDIA driver ten times a second how busy its first GPU is, how fast it runs and what it
 * draws, until it is closed.
 */
final class GpuMeter implements AutoCloseable {
  private static final List<String> QUESTION =
      List.of(
          "--id=0",
          "--query-gpu=utilization.gpu,clocks.sm,power.draw",
          "--format=csv,noheader,nounits",
          "-lms",
          "100");

  /** Clock and power are not a number where the GPU does not tell. */
  private record Sample(long atNanos, double percent, double megahertz, double watts) {}

  private final List<Sample> samples = new ArrayList<>();
  private final @Nullable Process process;

  private GpuMeter(@Nullable Process process) {
    this.process = process;
  }

  /** Measures nothing. */
  static GpuMeter none() {
    return new GpuMeter(null);
  }

  /**
   * Begins. Where the driver cannot be asked, nothing is known, and nothing else is wrong.
   *
   * @param program the driver's own, {@code nvidia-smi}
   */
  static GpuMeter start(String program) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(QUESTION);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      GpuMeter meter = new GpuMeter(process);
      Thread.ofVirtual().name("gpu meter").start(() -> meter.read(process));
      return meter;
    } catch (IOException _) {
      return none();
    }
  }

  private void read(Process from) {
    try (BufferedReader output = from.inputReader()) {
      for (@Nullable String line = output.readLine(); line != null; line = output.readLine()) {
        add(System.nanoTime(), line);
      }
    } catch (IOException _) {
      // It was closed.
    }
  }

  synchronized void add(long atNanos, String line) {
    String[] values = line.split(",", -1);
    double percent = number(values, 0);
    if (!Double.isNaN(percent)) {
      samples.add(new Sample(atNanos, percent, number(values, 1), number(values, 2)));
    }
  }

  /** Not a number where it says "[N/A]". */
  private static double number(String[] values, int index) {
    try {
      return index < values.length ? Double.parseDouble(values[index].strip()) : Double.NaN;
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  /** What was seen from one moment to another. */
  synchronized DeviceLoad between(long fromNanos, long toNanos) {
    List<Sample> seen =
        samples.stream()
            .filter(s -> s.atNanos() - fromNanos >= 0 && s.atNanos() - toNanos < 0)
            .toList();
    OptionalDouble percent = seen.stream().mapToDouble(Sample::percent).average();
    return new DeviceLoad(
        percent.isEmpty() ? percent : OptionalDouble.of(percent.getAsDouble() / 100),
        whileBusy(seen, Sample::megahertz),
        whileBusy(seen, Sample::watts));
  }

  /** The median: a GPU without work clocks down, which says nothing of the work. */
  private static OptionalDouble whileBusy(List<Sample> seen, ToDoubleFunction<Sample> value) {
    double[] sorted =
        seen.stream()
            .filter(s -> s.percent() > 0)
            .mapToDouble(value)
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sorted[sorted.length / 2]);
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroy();
    }
  }
}
