package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A program under examples, part of which a document shows. */
record ExampleProgram(String source, String document, String mark) {
  /** Runs it as it stands, and returns what it printed. */
  String run() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "../examples/" + source)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  void assertThatTheDocumentShowsIt() throws IOException {
    String[] parts =
        Files.readString(Path.of("../examples/" + source)).split(Pattern.quote(mark), -1);
    assertThat(parts).hasSize(3);
    String shown = parts[1].substring(parts[1].indexOf('\n') + 1).stripIndent().strip();
    assertThat(Files.readString(Path.of("../" + document))).contains("```java\n" + shown + "\n```");
  }
}
