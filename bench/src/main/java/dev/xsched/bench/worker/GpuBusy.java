package dev.xsched.bench.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Asks the NVIDIA driver ten times a second how busy its first GPU is, until it is closed. */
final class GpuBusy implements AutoCloseable {
  private static final List<String> COMMAND =
      List.of(
          "nvidia-smi",
          "--id=0",
          "--query-gpu=utilization.gpu",
          "--format=csv,noheader,nounits",
          "-lms",
          "100");

  private record Sample(long atNanos, double percent) {}

  private final List<Sample> samples = new ArrayList<>();
  private final @Nullable Process process;

  private GpuBusy(@Nullable Process process) {
    this.process = process;
  }

  /** Measures nothing. */
  static GpuBusy none() {
    return new GpuBusy(null);
  }

  /** Begins. Where the driver cannot be asked, nothing is known, and nothing else is wrong. */
  static GpuBusy start() {
    try {
      Process process =
          new ProcessBuilder(COMMAND).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      GpuBusy busy = new GpuBusy(process);
      Thread.ofVirtual().name("gpu busy").start(() -> busy.read(process));
      return busy;
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
    try {
      samples.add(new Sample(atNanos, Double.parseDouble(line.strip())));
    } catch (NumberFormatException _) {
      // "[N/A]": this GPU does not tell.
    }
  }

  /** The mean of what was seen from one moment to another, as a fraction. */
  synchronized OptionalDouble between(long fromNanos, long toNanos) {
    OptionalDouble percent =
        samples.stream()
            .filter(s -> s.atNanos() - fromNanos >= 0 && s.atNanos() - toNanos < 0)
            .mapToDouble(Sample::percent)
            .average();
    return percent.isEmpty() ? percent : OptionalDouble.of(percent.getAsDouble() / 100);
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroy();
    }
  }
}
