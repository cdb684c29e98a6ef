package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LauncherTest {
  @TempDir private Path folder = Path.of("");

  /** So that a failing build fails here, with what it said, and not in every test. */
  @BeforeAll
  static void build() {
    var outcome = Launcher.run("--version");
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  @Test
  void printsNothingButTheAnswer() {
    var outcome = Launcher.run("--version");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines()).hasSize(2).first().asString().matches("xsched \\d.*");
  }

  @Test
  void worksFromAnywhereThroughALinkToALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Launcher.script());
    Path second = Files.createSymbolicLink(folder.resolve("second"), Path.of("link"));
    assertThat(Launcher.run(link, folder, Map.of(), "--version").code()).isZero();
    assertThat(Launcher.run(second, Path.of("/"), Map.of(), "--version").code()).isZero();
  }

  @Test
  void whoMayNotBuildHasWhatIsBuiltAlready() throws Exception {
    String build =
        "root=%1$s; state=/proc/none; lib=%2$s; stamp=$lib/built; . $root/scripts/build.sh; build"
            .formatted(Launcher.script().getParent(), folder);
    assertThat(bash(build)).contains("nothing is built yet", "exit 1").doesNotContain("line ");
    Files.createFile(folder.resolve("built"));
    assertThat(bash(build)).contains("going on with the old build", "exit 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "--help", "policy --available --json"})
  void outputThatCannotBeWrittenIsAFailure(String line) throws Exception {
    assertThat(bash("%s %s >/dev/full".formatted(Launcher.script(), line)))
        .isEqualTo("xsched: the output cannot be written; is the disk full?\nexit 1\n");
    assertThat(bash("set -o pipefail; %s %s | true".formatted(Launcher.script(), line)))
        .startsWith("exit ");
  }

  private static String bash(String script) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-c", script + "; echo exit $?")
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void whatTakesItsTimeSaysSoOnATerminal() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1)");
    Files.writeString(
        folder.resolve("slow.sh"),
        """
        state=%s; . %s/scripts/progress.sh
        slow() { sleep 1; return $1; }
        with_progress seconds.x 'making it' 5 slow 0; echo "first $?"
        with_progress seconds.x 'making it' 5 slow 3; echo "second $?"
        """
            .formatted(folder, Launcher.script().getParent()));
    assertThat(bash("script -qec 'bash %s/slow.sh' /dev/null".formatted(folder)))
        .contains("xsched: making it, 0 s (usually about 5 s)", "first 0")
        .containsPattern("xsched: making it, 0 s \\(usually about [1-4] s\\)(?s:.*)second 3");
    assertThat(bash("bash %s/slow.sh".formatted(folder))).isEqualTo("first 0\nsecond 3\nexit 0\n");
  }

  @Test
  void passesOverAnOlderJavaHome() throws IOException {
    Files.createDirectories(folder.resolve("bin"));
    for (String tool : new String[] {"bin/java", "bin/javac"}) {
      Files.writeString(folder.resolve(tool), "#!/bin/sh\nexit 9\n");
      assertThat(folder.resolve(tool).toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    var outcome =
        Launcher.run(
            Launcher.script(), folder, Map.of("JAVA_HOME", folder.toString()), "--version");
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  @Test
  void findsTheUsersPoliciesWithoutAnyWarning() throws IOException {
    ExampleJar.write(folder);
    var outcome =
        Launcher.run(
            Launcher.script(),
            folder,
            Map.of("XSCHED_PLUGINS", folder.toString()),
            "policy",
            "--available",
            "--json");
    assertThat(outcome.err()).isEmpty();
    assertThat(JsonMapper.shared().readTree(outcome.out()).findValuesAsString("name"))
        .contains("FCFS");
  }

  @Test
  void saysSoWhenThePluginFolderIsNone() {
    var outcome =
        Launcher.run(
            Launcher.script(),
            folder,
            Map.of("XSCHED_PLUGINS", "/no/such"),
            "policy",
            "--available");
    assertThat(outcome.refusal()).contains("'/no/such'");
  }

  @Test
  void warnsOfABrokenPluginInOneLineAndGoesOn() throws IOException {
    ExampleJar.writeBroken(folder);
    var outcome =
        Launcher.run(
            Launcher.script(),
            folder,
            Map.of("XSCHED_PLUGINS", folder.toString()),
            "policy",
            "--available");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("HPF");
    assertThat(outcome.err().lines()).singleElement().asString().contains("no.such.Policy");
  }

  @Test
  void demonstratesOnVirtualTimeForScripts() throws IOException {
    var outcome = Launcher.run("demo", "--device", "sim", "--json", "--out", folder.toString());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.err()).isEmpty();
    JsonNode json = JsonMapper.shared().readTree(outcome.out());
    assertThat(json.get("simulated").asBoolean()).isTrue();
    assertThat(json.get("runs").findValuesAsString("config"))
        .containsExactly("standalone", "native", "scheduled");
    assertThat(json.get("p99_ratio_scheduled").asDouble())
        .isLessThan(json.get("p99_ratio_native").asDouble());
    assertThat(folder.resolve("demo.json")).content().contains("\"test_id\" : \"7.2.1\"");
    assertThat(folder.resolve("report.html"))
        .content()
        .contains("</svg>", "simulated")
        .doesNotContain("http");
  }

  @ParameterizedTest(name = "xsched {0}")
  @ValueSource(
      strings = {
        "nothing",
        "--nothing",
        "policy --nothing",
        "demo --policy x",
        "demo --device x",
        "demo --device sim:x",
        "demo --device sim:%s",
        "demo --device sim --seconds 1",
        "demo --seconds 0",
        "demo --seconds -1",
        "demo --seconds abc",
        "dist --out /proc",
      })
  void answersBadInputInOneLine(String line) throws IOException {
    Path model = Files.writeString(folder.resolve("bad.toml"), "title = 'unfinished");
    Launcher.run(line.replace("%s", model.toString()).split(" ", -1)).refusal();
  }
}
