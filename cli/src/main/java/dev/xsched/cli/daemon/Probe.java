package dev.xsched.cli.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * xsched-probe, started as {@code run} would start it: a program that uses an accelerator, prints
 * what it did, and stays until it is closed.
 */
final class Probe implements AutoCloseable {
  private final Process process;
  private final Path complaints;

  private Probe(Process process, Path complaints) {
    this.process = process;
    this.complaints = complaints;
  }

  /**
   * Starts one.
   *
   * @param name what the daemon is to know it by
   */
  static Probe start(Path program, Path library, Path folder, String name) throws IOException {
    Path complaints = Files.createTempFile("xsched-probe-", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(program.toString()).redirectError(complaints.toFile());
    var environment = builder.environment();
    // What the user asks for other programs could keep this one waiting; where drivers are could
    // not.
    environment
        .keySet()
        .removeIf(variable -> variable.startsWith("XSCHED_") && !variable.endsWith("_LIB"));
    environment.put("XSCHED_DIR", folder.toString());
    environment.put("XSCHED_NAME", name);
    environment.put("XSCHED_AUTO_XQUEUE", "ON");
    environment.put("XSCHED_AUTO_XQUEUE_PRIORITY", "255");
    environment.merge(
        Preload.VARIABLE,
        library.toString(),
        (old, more) -> old.isEmpty() ? more : old + ":" + more);
    try {
      return new Probe(builder.start(), complaints);
    } catch (IOException e) {
      Files.delete(complaints);
      throw e;
    }
  }

  /** The line that it prints, empty if it ends without one. */
  String line(long patienceMillis) throws IOException, InterruptedException, TimeoutException {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(() -> process.inputReader().lines().findFirst().orElse(""));
    try {
      return line.get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  /** What the library, or the driver, had to say; the last line, empty if nothing. */
  String complaint() throws IOException {
    List<String> lines = Files.readAllLines(complaints);
    return lines.isEmpty() ? "" : QueueRow.plain(lines.getLast().replaceFirst("^xsched: ", ""));
  }

  /** Its exit code, for one that has ended by itself. */
  int code() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      int _ = process.waitFor();
      Files.delete(complaints);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException _) {
      // It lies in the temporary folder.
    }
  }
}
