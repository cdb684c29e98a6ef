package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes small programs and libraries of C. */
public final class Compiler {
  private Compiler() {}

  public static void compile(String source, Path output, String... options)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("gcc", "-xc", "-", "-o", output.toString()));
    line.addAll(List.of(options));
    Process gcc = new ProcessBuilder(line).redirectErrorStream(true).start();
    try (var in = gcc.outputWriter()) {
      in.write(source);
    }
    String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(gcc.waitFor()).as(said).isZero();
  }
}
