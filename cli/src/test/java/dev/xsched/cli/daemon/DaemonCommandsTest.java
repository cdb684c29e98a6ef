package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.cli.CommandLineHarness;
import dev.xsched.daemon.api.DaemonState.HintState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DaemonCommandsTest {
  private static final HintState ZERO = new HintState(0L, "default");
  private static final HintState TEN = new HintState(10L, "command-line");

  @TempDir private Path folder = Path.of("");

  @Test
  void listShowsWhatWasCountedForEachQueueAndWhoSetItsPriority() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run("list");
      assertThat(outcome.code()).isZero();
      List<String> lines = outcome.out().lines().toList();
      assertThat(lines).hasSize(3);
      assertThat(lines.get(0)).startsWith("pid").contains("priority", "launched", "gate waits");
      assertThat(lines.get(1))
          .contains("1234", "serve", "ann", "1234/0 main", "virtual XPU gv100", "running")
          .contains("500 us", "12.3k", "600 ms");
      assertThat(lines.get(2)).contains("train", "waiting", "-5 (environment)", "auto");
    }
  }

  @Test
  void listIsJsonForScripts() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      JsonNode json = JsonMapper.shared().readTree(daemon.run("list", "--json").out());
      assertThat(json.findValuesAsString("launched")).containsExactly("12345", "10");
    }
  }

  @Test
  void listSaysHowToStartAProgramWhenThereIsNone() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.of(0, "HPF", 5000))) {
      assertThat(daemon.run("list").out()).contains("xsched run -- PROGRAM");
    }
  }

  @Test
  void aProgramThatNamesItselfLikeAnEscapeMovesNoCursor() throws IOException {
    var state = States.of(0, "HPF", 5000, States.program(1, "a\033[2J"));
    try (FakeDaemon daemon = new FakeDaemon(folder, state)) {
      assertThat(daemon.run("list").out()).contains("a?[2J").doesNotContain("\033");
    }
  }

  @Test
  void statusTellsWhereTheDaemonIs() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run("status");
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out())
          .contains("pid 4000000", "policy    HPF", "1 h 2 min", "programs  2", "queues    2")
          .contains("page      http://" + daemon.address() + "/#token=secret")
          .contains(folder.resolve("socket").toString());
      JsonNode json = JsonMapper.shared().readTree(daemon.run("status", "--json").out());
      assertThat(json.get("running").asBoolean()).isTrue();
      assertThat(json.get("policy").asString()).isEqualTo("HPF");
    }
  }

  @Test
  void statusWithoutADaemonIsThree() throws IOException {
    Files.writeString(folder.resolve("http"), "127.0.0.1:1"); // Left behind: nobody listens there.
    Map<String, String> environment = Map.of("XSCHED_DIR", folder.toString());
    var outcome = CommandLineHarness.run(environment, "status");
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.out()).contains("xsched serve", folder.toString());
    assertThat(CommandLineHarness.run(environment, "status", "--json").out())
        .isEqualToIgnoringWhitespace("{\"running\":false}");
  }

  @ParameterizedTest
  @CsvSource({"list", "policy", "hint serve --priority 1", "config serve --level 1", "top --once"})
  void whatNeedsADaemonSaysHowToStartOne(String line) {
    var outcome = CommandLineHarness.run(line.split(" ", -1));
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("no daemon answers in /no/such/folder; start one with: xsched serve");
  }

  @Test
  void hintSetsAndShowsWhatChanged() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      daemon.becomes(States.two(TEN));
      var outcome = daemon.run("hint", "serve", "--priority", "10", "--deadline", "20ms");
      assertThat(outcome.out())
          .isEqualTo(
              """
              1234/0 serve: priority 10 (was 0)
              deadline has no effect under HPF; choose KEDF: xsched policy KEDF
              """);
      assertThat(daemon.changes()).singleElement().asString().startsWith("PATCH /api/v1/hints ");
      assertThat(daemon.changes().getFirst())
          .contains("\"target\":\"serve\"", "\"source\":\"command-line\"")
          .contains("\"hints\":{\"priority\":10,\"deadline\":20000}");
    }
  }

  @Test
  void aGoalIsTakenBack() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      assertThat(daemon.run("hint", "serve", "--slo", "none", "--laxity", "none").out())
          .doesNotContain("no effect");
      assertThat(daemon.changes().getFirst())
          .contains("\"hints\":{\"laxity\":null,\"slo-p99\":null,\"slo-ratio\":null}");
    }
  }

  @Test
  void hintsOfTheSystemNeedNoQueue() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.of(0, "UP", 5000))) {
      daemon.becomes(States.of(0, "UP", 2000));
      assertThat(daemon.run("hint", "system", "--timeslice", "2ms").out())
          .isEqualTo("system: timeslice 2 ms (was 5 ms)\n");
    }
  }

  @Test
  void policyShowsAndChanges() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.of(0, "HPF", 5000))) {
      assertThat(daemon.run("policy").out()).startsWith("HPF  ");
      daemon.becomes(States.of(0, "CFS", 5000));
      assertThat(daemon.run("policy", "CFS").out()).isEqualTo("policy CFS (was HPF)\n");
      assertThat(daemon.changes()).containsExactly("PUT /api/v1/policy {\"name\":\"CFS\"}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --window 500us  | "window_micros":500,"window_commands":0,"window_batch":0
          --window 8/4    | "window_micros":0,"window_commands":8,"window_batch":4
          --window auto   | "window_micros":0,"window_commands":0,"window_batch":0
          --level auto    | "level":0
          --level 2       | "level":2
          """)
  void configSendsOnlyWhatWasAskedFor(String options, String expected) throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run(("config 1234 " + options).split(" +", -1));
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out()).startsWith("nothing changed: 1234 is so already");
      assertThat(daemon.changes())
          .containsExactly("PATCH /api/v1/config {\"target\":\"1234\"," + expected + "}");
    }
  }

  @Test
  void configShowsALevelAsListDoes() throws IOException {
    var before = States.onGpu(1, List.of(1, 3), 0, "");
    var after = States.queue(1, "running", ZERO, 500, 10, 0);
    try (FakeDaemon daemon =
        new FakeDaemon(folder, States.of(0, "HPF", 5000, States.program(7, "serve", before)))) {
      daemon.becomes(States.of(0, "HPF", 5000, States.program(7, "serve", after)));
      assertThat(daemon.run("config", "serve", "--window", "500us", "--level", "2").out())
          .isEqualTo("7/0 serve: window 500 us, level 2 (was window auto, level auto (3))\n");
    }
  }

  @Test
  void stopWaitsUntilTheDaemonHasEnded() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run("stop");
      assertThat(outcome.out()).startsWith("daemon stopped: pid 4000000");
      var again = daemon.run("stop");
      assertThat(again.code()).isZero();
      assertThat(again.out()).startsWith("no daemon runs in " + folder);
    }
  }

  @ParameterizedTest
  @CsvSource({"400,2", "403,2", "404,2", "500,1", "503,1"})
  void whatTheDaemonRefusesIsItsLineAndOurExitCode(int status, int code) throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      daemon.refuses(status);
      var outcome = daemon.run("policy", "CFS");
      assertThat(outcome.code()).isEqualTo(code);
      assertThat(outcome.err()).isEqualTo("xsched: no, because of that\n");
    }
  }

  @Test
  void withoutATokenOneCanLookButNotChange() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      daemon.forbidChanges();
      assertThat(daemon.run("list").code()).isZero();
      assertThat(daemon.run("status").out()).doesNotContain("#token");
      assertThat(daemon.run("policy", "CFS").refusal()).contains("is not yours", "XSCHED_DIR");
      assertThat(daemon.changes()).isEmpty();
    }
  }

  @Test
  void serveDoesNotStartASecondDaemon() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var same = daemon.run("serve", "--policy", "HPF");
      assertThat(same.code()).isZero();
      assertThat(same.out()).startsWith("daemon runs already: pid 4000000, policy HPF");
      var other = daemon.run("serve", "--policy", "CFS");
      assertThat(other.code()).isEqualTo(1);
      assertThat(other.err()).contains("change it with: xsched policy CFS");
    }
  }

  @Test
  void topWithoutATerminalPrintsOnePicture() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run("top");
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out()).contains("XSched HPF", "2 queues: 1 running, 1 waiting", "serve");
      assertThat(outcome.out()).doesNotContain("\033", "q:quit");
    }
  }

  @Test
  void doctorLooksAtEverythingAndSaysWhatToDo() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon(folder, States.two(ZERO))) {
      var outcome = daemon.run("doctor", "--json");
      JsonNode json = JsonMapper.shared().readTree(outcome.out());
      assertThat(json.findValuesAsString("check"))
          .contains("java", "native access", "kernel", "folder", "rest", "socket", "token");
      for (JsonNode finding : json) {
        boolean fine = finding.get("state").asString().equals("ok");
        assertThat(finding.get("remedy").asString().isEmpty())
            .as(finding.toString())
            .isEqualTo(fine);
      }
      assertThat(outcome.code()).as("nobody listens on the socket").isEqualTo(1);
      assertThat(daemon.run("doctor").out()).contains("problem  socket", "xsched serve");
    }
  }

  @Test
  void doctorSeesThatTheFolderCannotBeMade() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path chosen : List.of(file, file.resolve("below/it"), Path.of("/proc/none/such"))) {
      var outcome = CommandLineHarness.run(Map.of("XSCHED_DIR", chosen.toString()), "doctor");
      assertThat(outcome.out()).contains("problem  folder        " + chosen);
      assertThat(outcome.code()).isEqualTo(1);
    }
  }

  @Test
  void doctorFindsNoProblemWhereNothingRunsYet() {
    Map<String, String> environment = Map.of("XSCHED_DIR", folder.resolve("new").toString());
    var outcome = CommandLineHarness.run(environment, "doctor");
    assertThat(outcome.code()).as(outcome.out()).isZero();
    assertThat(outcome.out()).contains("none runs", "0 problems");
  }
}
