package dev.xsched.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program from native/bench that runs against a daemon and is talked to in lines. */
public final class NativeProgram implements AutoCloseable {
  private final String name;
  private final Process process;
  private final BufferedReader output;
  private final Writer input;
  private final Path errors;

  private NativeProgram(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.output = process.inputReader();
    this.input = process.outputWriter();
    this.errors = errors;
  }

  static NativeProgram start(Path program, DaemonProcess daemon, long... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    for (long argument : arguments) {
      command.add(Long.toString(argument));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    PlainEnvironment.of(builder);
    builder.environment().put("XSCHED_DIR", daemon.folder().toString());
    Path errors = daemon.folder().resolve("errors");
    builder.redirectError(errors.toFile());
    return new NativeProgram(program.getFileName().toString(), builder.start(), errors);
  }

  /** Waits for the next line, which begins with that word; returns the numbers after it. */
  long[] numbersAfter(String word) throws IOException, InterruptedException {
    String line = output.readLine();
    if (line == null || !line.startsWith(word + " ")) {
      throw failed("it said '%s' instead of '%s'".formatted(line, word));
    }
    return numbers(line.substring(word.length() + 1));
  }

  /** Returns what it still says, numbers in lines. */
  List<long[]> rest() throws IOException, InterruptedException {
    List<long[]> lines = new ArrayList<>();
    for (@Nullable String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(numbers(line));
    }
    if (process.waitFor() != 0) {
      throw failed("exit code " + process.exitValue());
    }
    return lines;
  }

  /** Lets it go on. */
  void goOn() throws IOException {
    input.write('\n');
    input.flush();
  }

  static long[] numbers(String line) {
    String[] words = line.strip().split(" ", -1);
    long[] numbers = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Long.parseLong(words[i]);
    }
    return numbers;
  }

  /** Finds the folder of the built programs: in the sources that this class was built from. */
  public static Path folder() {
    Path from = Path.of("").toAbsolutePath();
    try {
      var source = NativeProgram.class.getProtectionDomain().getCodeSource();
      if (source != null) {
        from = Path.of(source.getLocation().toURI());
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    for (@Nullable Path folder = from; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("native/Makefile"))) {
        return folder.resolve("native/target");
      }
    }
    return Path.of("native/target");
  }

  private IOException failed(String how) throws IOException, InterruptedException {
    process.destroy();
    process.waitFor();
    return new IOException(
        "the program %s failed: %s; %s".formatted(name, how, Files.readString(errors).strip()));
  }

  @Override
  public void close() {
    process.destroy();
  }
}
