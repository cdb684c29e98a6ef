package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The program in the README is one that runs. */
class ReadmeExampleTest {
  private static final Path EXAMPLE = Path.of("../examples/TwoQueues.java");
  private static final Path README = Path.of("../README.md");
  private static final String MARK = "// [readme]";

  @Test
  void runsAsItStands() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                EXAMPLE.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).isEqualTo("urgent is done, low still has work: READY\n");
  }

  @Test
  void isWhatTheReadmeShows() throws IOException {
    String[] parts = Files.readString(EXAMPLE).split(java.util.regex.Pattern.quote(MARK), -1);
    assertThat(parts).hasSize(3);
    String shown = parts[1].substring(parts[1].indexOf('\n') + 1).stripIndent().strip();
    assertThat(Files.readString(README)).contains("```java\n" + shown + "\n```");
  }
}
