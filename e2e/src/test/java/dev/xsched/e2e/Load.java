package dev.xsched.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running xpuload: a C program that uses the shared virtual XPU through the C client. */
final class Load implements AutoCloseable {
  static final Path PROGRAM = Path.of("../native/target/xpuload").toAbsolutePath().normalize();

  private final Process process;
  private final Path output;

  private Load(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** How to start one; options are those of xpuload, without the dashes. */
  static final class Builder {
    private final Machine machine;
    private final String name;
    private final List<String> prefix = new ArrayList<>();
    private List<String> program = List.of(PROGRAM.toString());
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();

    Builder(Machine machine, String name) {
      this.machine = machine;
      this.name = name;
      environment.put("XSCHED_DIR", machine.folder().toString());
      environment.put("XSCHED_NAME", name);
    }

    Builder with(String option, Object value) {
      options.add("--" + option);
      options.add(String.valueOf(value));
      return this;
    }

    Builder with(String flag) {
      options.add("--" + flag);
      return this;
    }

    Builder priority(int priority) {
      return with("priority", priority);
    }

    Builder environment(String variable, Object value) {
      environment.put(variable, String.valueOf(value));
      return this;
    }

    /** What to put before the program, such as unshare. */
    Builder under(String... command) {
      prefix.addAll(List.of(command));
      return this;
    }

    /** Another program than xpuload that understands the same options. */
    Builder program(String... command) {
      program = List.of(command);
      return this;
    }

    Load start() throws IOException {
      List<String> command = new ArrayList<>(prefix);
      command.addAll(program);
      command.addAll(List.of("--device", machine.device().toString(), "--name", name, "--json"));
      command.addAll(options);
      Path output = Files.createTempFile(machine.outputs(), name + "-", ".out");
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      Load load = new Load(builder.start(), output);
      machine.closeLater(load::close);
      return load;
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
  }

  /** Asks it to end, waits, and returns what it printed. */
  Result end() throws Exception {
    process.destroy();
    return await();
  }

  /** Waits for its end and returns what it printed. */
  Result await() throws Exception {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readString(output));
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** What it printed at its end. */
  record Result(int exitCode, String text) {
    double number(String field) {
      Matcher matcher = Pattern.compile("\"" + field + "\":([-0-9.e+]+)").matcher(text);
      if (!matcher.find()) {
        throw new AssertionError("no %s in: %s".formatted(field, text));
      }
      return Double.parseDouble(matcher.group(1));
    }

    /** The largest of a field: a forked child prints, too. */
    double largest(String field) {
      Matcher matcher = Pattern.compile("\"" + field + "\":([-0-9.e+]+)").matcher(text);
      double largest = number(field);
      while (matcher.find()) {
        largest = Math.max(largest, Double.parseDouble(matcher.group(1)));
      }
      return largest;
    }

    boolean exactlyOnce() {
      return text.contains("\"exactly_once\":true") && !text.contains("\"exactly_once\":false");
    }

    boolean registered() {
      return text.contains("\"registered\":true");
    }
  }
}
