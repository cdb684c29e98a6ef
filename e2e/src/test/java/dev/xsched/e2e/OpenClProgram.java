package dev.xsched.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A running program that uses OpenCL and knows nothing of XSched. */
final class OpenClProgram implements AutoCloseable {
  private static final Path NATIVE = Path.of("../native/target").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final Path output;
  private final Path errors;

  private OpenClProgram(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  /** One of native/test/programs. */
  static String own(String name) {
    return NATIVE.resolve("programs").resolve(name).toString();
  }

  /** Skips the test where there is no OpenCL. */
  static void assumeOpenCl(Machine machine) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of(own("batch"))),
        "skipped: no OpenCL headers; apt-get install ocl-icd-opencl-dev");
    assumeTrue(
        new Builder(machine, own("batch")).with("requests", 1).start().await().exitCode() == 0,
        "skipped: no OpenCL device; apt-get install pocl-opencl-icd");
  }

  /** How to start one. Without a name it runs as if there were no XSched. */
  static final class Builder {
    private final Machine machine;
    private final List<String> command = new ArrayList<>();
    private @Nullable String name;
    private int priority;

    Builder(Machine machine, String... command) {
      this.machine = machine;
      this.command.addAll(List.of(command));
    }

    Builder with(String option, Object value) {
      command.add("--" + option);
      command.add(String.valueOf(value));
      return this;
    }

    Builder scheduled(String asName, int withPriority) {
      name = asName;
      priority = withPriority;
      return this;
    }

    OpenClProgram start() throws IOException {
      ProcessBuilder builder = new ProcessBuilder(command);
      if (name != null) {
        schedule(builder, name);
      }
      Path output = Files.createTempFile(machine.outputs(), "program-", ".out");
      Path errors = Files.createTempFile(machine.outputs(), "program-", ".err");
      builder.redirectOutput(output.toFile());
      builder.redirectError(errors.toFile());
      OpenClProgram started = new OpenClProgram(builder.start(), output, errors);
      machine.closeLater(started::close);
      return started;
    }

    /** As {@code xsched run} does, without a JVM for each program. */
    private void schedule(ProcessBuilder builder, String asName) {
      builder.environment().put("LD_PRELOAD", NATIVE.resolve("libxsched.so").toString());
      builder.environment().put("XSCHED_DIR", machine.folder().toString());
      builder.environment().put("XSCHED_NAME", asName);
      builder.environment().put("XSCHED_AUTO_XQUEUE_PRIORITY", String.valueOf(priority));
    }
  }

  /** Waits for its end and returns what it printed. */
  Result await() throws Exception {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  /** Waits until it has printed exactly that. */
  void awaitOutput(String what, String text) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.readString(output).equals(text)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "it never came to this: %s\n%s\n%s\n%s"
                .formatted(what, Files.readString(output), errors(), Processes.describe()));
      }
      Thread.sleep(5);
    }
  }

  /** What it has complained about so far. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** What it printed. */
  record Result(int exitCode, String text, String errors) {
    double number(String label) {
      return Double.parseDouble(word(label));
    }

    /** What stands behind a label at the begin of a line. */
    String word(String label) {
      Matcher matcher = Pattern.compile("^" + label + " (\\S+)$", Pattern.MULTILINE).matcher(text);
      if (!matcher.find()) {
        throw new AssertionError("no %s in: %s %s".formatted(label, text, errors));
      }
      return matcher.group(1);
    }
  }
}
