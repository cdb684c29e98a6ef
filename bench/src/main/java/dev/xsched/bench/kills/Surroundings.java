package dev.xsched.bench.kills;

import dev.xsched.bench.PlainEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What programs and daemons are started from, and where.
 *
 * @param xsched the command, as users have it
 * @param checked the program whose results are known
 * @param library what {@code xsched run} loads into programs
 * @param environment added to everybody's; an {@code LD_PRELOAD} in it comes after the library
 * @param folder for what they leave; its path must be short enough for sockets
 */
public record Surroundings(
    Path xsched, Path checked, Path library, Map<String, String> environment, Path folder) {
  private static final String PRELOAD = "LD_PRELOAD";

  /** The same in a folder of its own. */
  Surroundings in(String name) {
    return new Surroundings(xsched, checked, library, environment, folder.resolve(name));
  }

  /** The same with one variable more in everybody's environment. */
  Surroundings with(String variable, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(variable, value);
    return new Surroundings(xsched, checked, library, more, folder);
  }

  /** Starts something; what it prints goes to that file. */
  Process start(List<String> command, Map<String, String> more, Path output) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    PlainEnvironment.of(builder);
    builder.environment().putAll(environment);
    builder.environment().putAll(more);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    return builder.start();
  }

  /**
   * What {@code xsched run --level 3} puts into a program's environment; by itself it would start a
   * JVM for each program.
   */
  Map<String, String> scheduled(String name, int priority, Path directory) {
    String others = environment.getOrDefault(PRELOAD, "");
    return Map.of(
        PRELOAD,
        others.isEmpty() ? library.toString() : library + ":" + others,
        "XSCHED_DIR",
        directory.toString(),
        "XSCHED_NAME",
        name,
        "XSCHED_AUTO_XQUEUE",
        "ON",
        "XSCHED_AUTO_XQUEUE_PRIORITY",
        Integer.toString(priority),
        "XSCHED_AUTO_XQUEUE_LEVEL",
        "3");
  }
}
