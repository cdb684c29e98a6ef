package dev.xsched.bench.kills;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What the driver says of its GPUs, before and after. */
final class GpuHealth {
  private static final int SECONDS = 30;

  private final String driver;
  private final String kernel;
  private final Optional<Long> programsBefore;
  private final Optional<Long> errorsBefore;

  /**
   * Looks at how it is before.
   *
   * @param driver the driver's own program, {@code nvidia-smi}
   * @param kernel what prints the kernel's log, {@code dmesg}
   */
  GpuHealth(String driver, String kernel) throws InterruptedException {
    this.driver = driver;
    this.kernel = kernel;
    programsBefore = programs();
    errorsBefore = errors();
  }

  /** What is wrong now and was not before. */
  List<String> ailments() throws InterruptedException {
    List<String> ailments = new ArrayList<>();
    Optional<String> overview = run(driver);
    if (overview.isPresent() && overview.get().contains("ERR!")) {
      ailments.add("nvidia-smi shows ERR!");
    }
    Optional<Long> programs = programs();
    if (programsBefore.isPresent() && programs.isEmpty()) {
      ailments.add("nvidia-smi no longer answers");
    }
    long left = programs.orElse(0L) - programsBefore.orElse(0L);
    if (left > 0) {
      ailments.add("nvidia-smi shows %d programs more than before".formatted(left));
    }
    if (errorsBefore.isPresent()) {
      long more = errors().orElse(0L) - errorsBefore.get();
      if (more > 0) {
        ailments.add("the kernel's log has %d lines more with an Xid".formatted(more));
      }
    }
    return ailments;
  }

  /** What could not be found out. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (programsBefore.isEmpty()) {
      notes.add("the GPU's health is not known: there is no nvidia-smi that answers");
    }
    if (errorsBefore.isEmpty()) {
      notes.add("whether the driver told of an Xid is not known: dmesg cannot be read");
    }
    return notes;
  }

  private Optional<Long> programs() throws InterruptedException {
    return run(driver, "--query-compute-apps=pid", "--format=csv,noheader")
        .map(text -> text.lines().filter(line -> line.matches("\\d+")).count());
  }

  private Optional<Long> errors() throws InterruptedException {
    return run(kernel).map(text -> text.lines().filter(l -> l.contains("NVRM: Xid")).count());
  }

  /** What a command prints; nothing if it fails. */
  private static Optional<String> run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
