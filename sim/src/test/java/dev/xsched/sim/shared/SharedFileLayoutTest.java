package dev.xsched.sim.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the C header and compares what it says with what Java does. */
class SharedFileLayoutTest {
  private static final Path INCLUDE = Path.of("../native/include");

  private static final Map<String, Long> JAVA =
      Map.ofEntries(
          Map.entry("XSCHED_SHAREDXPU_MAGIC", (long) SharedFile.MAGIC),
          Map.entry("XSCHED_SHAREDXPU_VERSION", (long) SharedFile.VERSION),
          Map.entry("XSCHED_SHAREDXPU_RUNS", (long) SharedFile.RUNS),
          Map.entry("XSCHED_SHAREDXPU_AHEAD_NANOS", SharedFile.AHEAD_NANOS),
          Map.entry("sizeof(struct xsched_sharedxpu)", SharedFile.SIZE),
          Map.entry("sizeof(struct xsched_sharedxpu_run)", SharedFile.RUN_SIZE),
          Map.entry("offsetof(struct xsched_sharedxpu, magic)", SharedFile.MAGIC_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, version)", SharedFile.VERSION_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, size)", SharedFile.SIZE_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, runs)", SharedFile.RUNS_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, free_at)", SharedFile.FREE_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, busy_nanos)", SharedFile.BUSY_NANOS_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, launches)", SharedFile.LAUNCHES_AT),
          Map.entry("offsetof(struct xsched_sharedxpu, run)", SharedFile.FIRST_RUN_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, number)", SharedFile.RUN_NUMBER_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, pid)", SharedFile.RUN_PID_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, queue)", SharedFile.RUN_QUEUE_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, sequence)", SharedFile.RUN_SEQUENCE_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, start)", SharedFile.RUN_START_AT),
          Map.entry("offsetof(struct xsched_sharedxpu_run, end)", SharedFile.RUN_END_AT));

  @Test
  void javaAndTheHeaderAgree(@TempDir Path folder) throws Exception {
    StringBuilder source =
        new StringBuilder(
            "#include <stdio.h>\n#include \"xsched_sharedxpu.h\"\nint main(void) {\n");
    for (String expression : new TreeMap<>(JAVA).keySet()) {
      source.append(
          "printf(\"%%lld\\t%s\\n\", (long long)(%s));\n".formatted(expression, expression));
    }
    Path program = Files.writeString(folder.resolve("layout.c"), source.append("}\n"));
    Path binary = folder.resolve("layout");
    run("gcc", "-std=c11", "-I", INCLUDE.toString(), "-o", binary.toString(), program.toString());

    Map<String, Long> c = new TreeMap<>();
    for (String line : run(binary.toString()).lines().toList()) {
      int tab = line.indexOf('\t');
      c.put(line.substring(tab + 1), Long.parseLong(line.substring(0, tab)));
    }
    assertThat(c).isEqualTo(JAVA);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
