package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real browser, steered by the script in src/test/browser. Tests are skipped where none is. */
public final class Browser {
  // Named from a neighbour's folder, too: the tests with a real daemon play the same scenarios.
  private static final Path MODULE = Path.of("../daemon");
  private static final Path SCRIPTS = MODULE.resolve("src/test/browser");
  private static final Path INSTALLED = MODULE.resolve("target/browser");
  private static final Path PICTURES = MODULE.resolve("target/pictures");

  private final Path browser;

  private Browser(Path browser) {
    this.browser = browser;
  }

  /** Finds a browser and installs the library that steers it, or skips the test. */
  public static Browser find() throws IOException, InterruptedException {
    Optional<Path> browser =
        Stream.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable")
            .map(name -> Path.of("/usr/bin", name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(browser.isPresent(), "no Chromium; install chromium-headless-shell");
    assumeTrue(
        Stream.of("node", "npm").allMatch(Browser::onPath), "no Node; install nodejs and npm");
    install();
    return new Browser(browser.get());
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static void install() throws IOException, InterruptedException {
    Path done = INSTALLED.resolve("node_modules/.package-lock.json");
    Files.createDirectories(INSTALLED);
    Files.createDirectories(PICTURES);
    Path lock = INSTALLED.resolve("package-lock.json");
    boolean same =
        Files.exists(done)
            && Files.exists(lock)
            && Files.mismatch(lock, SCRIPTS.resolve("package-lock.json")) < 0;
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file, INSTALLED.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (!same) {
      Path log = INSTALLED.resolve("npm.log");
      Process npm =
          new ProcessBuilder("npm", "ci", "--ignore-scripts")
              .directory(INSTALLED.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      assertThat(npm.waitFor(3, TimeUnit.MINUTES)).as("npm ci ends").isTrue();
      assertThat(npm.exitValue()).as(Files.readString(log)).isZero();
    }
  }

  /** Plays a scenario to its end. */
  public void play(String scenario, URI url, List<String> names) throws Exception {
    Play play = start(scenario, url, names);
    play.end();
  }

  /** Begins a scenario in which the test has a part, too. */
  Play start(String scenario, URI url, List<String> names) throws IOException {
    Process process =
        new ProcessBuilder(
                "node",
                "play.mjs",
                "--scenario",
                scenario,
                "--url",
                url.toString(),
                "--names",
                String.join(",", names),
                "--browser",
                browser.toString(),
                "--pictures",
                PICTURES.toAbsolutePath().toString())
            .directory(INSTALLED.toFile())
            .redirectErrorStream(true)
            .start();
    return new Play(process);
  }

  /** A scenario that is being played. */
  static final class Play {
    private final Process process;
    private final BufferedReader lines;
    private final StringBuilder told = new StringBuilder();

    private Play(Process process) {
      this.process = process;
      this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Waits until the scenario says this. */
    void await(String line) throws IOException {
      String next = lines.readLine();
      while (next != null && !next.equals(line)) {
        told.append(next).append('\n');
        next = lines.readLine();
      }
      assertThat(next).as(told.toString()).isEqualTo(line);
    }

    void end() throws IOException, InterruptedException {
      for (String next = lines.readLine(); next != null; next = lines.readLine()) {
        told.append(next).append('\n');
      }
      assertThat(process.waitFor()).as(told.toString()).isZero();
    }
  }
}
