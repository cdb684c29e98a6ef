package dev.xsched.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Says what a measurement ran on. */
public final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Machine() {}

  public static Map<String, String> hardware() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("cpu", cpuModel());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("architecture", System.getProperty("os.arch"));
    return facts;
  }

  public static Map<String, String> runtime() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("java", Runtime.version().toString());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return facts;
  }

  private static String cpuModel() {
    if (!Files.isReadable(CPU_INFO)) {
      return "unknown";
    }
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
