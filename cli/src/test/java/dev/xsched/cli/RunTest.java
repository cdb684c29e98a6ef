package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that is run is as it would be without us, but for some variables. */
class RunTest {
  @TempDir private static Path folder = Path.of("");
  @TempDir private static Path libraries = Path.of("");

  /** With a library that does nothing: what the real one does is told elsewhere. */
  private static Map<String, String> environment() {
    return Map.of(
        "XSCHED_DIR",
        folder.toString(),
        "JAVA_HOME",
        System.getProperty("java.home"),
        "JAVA_OPTS",
        "-Dxsched.native=" + libraries);
  }

  @BeforeAll
  static void startTheDaemon() throws Exception {
    Compiler.compile("int nothing;", library(), "-shared", "-fPIC");
    var outcome = xsched("run", "--", "true");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(xsched("status").code()).as("run has started the daemon").isZero();
  }

  private static Path library() {
    return libraries.resolve("libxsched.so");
  }

  @AfterAll
  static void stopTheDaemon() {
    assertThat(xsched("stop").out()).startsWith("daemon stopped");
  }

  @Test
  void theExitCodeIsTheProgramsOwn() {
    assertThat(xsched("run", "sh", "-c", "exit 42").code()).isEqualTo(42);
  }

  @ParameterizedTest
  @CsvSource({"no-such-program,127", "/no/such/program,127", "/etc/passwd,126", "/etc,126"})
  void whatCannotBeRunIsOneLineAndTheCodeThatShellsHave(String program, int code) {
    var outcome = xsched("run", "--", program);
    assertThat(outcome.code()).isEqualTo(code);
    assertThat(outcome.err().lines()).singleElement().asString().contains(program);
  }

  @Test
  void theProgramIsToldWhatTheUserAsksForIt() {
    String[] line = {
      "run",
      "--priority",
      "-5",
      "--utilization",
      "30%",
      "--deadline",
      "20ms",
      "--laxity",
      "5ms",
      "--slo",
      "1.05x",
      "--timeslice",
      "2ms",
      "--level",
      "2",
      "--k",
      "3",
      "--threshold",
      "8",
      "--batch",
      "4",
      "--name",
      "it's $HOME",
      "--",
      "env"
    };
    assertThat(xsched(line).out().lines())
        .contains(
            "XSCHED_DIR=" + folder,
            "XSCHED_NAME=it's $HOME",
            "XSCHED_AUTO_XQUEUE=ON",
            "XSCHED_AUTO_XQUEUE_PRIORITY=-5",
            "XSCHED_AUTO_XQUEUE_UTILIZATION=30",
            "XSCHED_AUTO_XQUEUE_DEADLINE=20000",
            "XSCHED_AUTO_XQUEUE_LAXITY=5000",
            "XSCHED_AUTO_XQUEUE_SLO_RATIO=1050",
            "XSCHED_AUTO_XQUEUE_TIMESLICE=2000",
            "XSCHED_AUTO_XQUEUE_LEVEL=2",
            "XSCHED_AUTO_XQUEUE_KDEADLINE=3",
            "XSCHED_AUTO_XQUEUE_THRESHOLD=8",
            "XSCHED_AUTO_XQUEUE_BATCH_SIZE=4");
  }

  @Test
  void whatTheUserHasSetAndNotAskedForStays() throws Exception {
    String line = "XSCHED_AUTO_XQUEUE=OFF XSCHED_AUTO_XQUEUE_PRIORITY=7 exec " + xsched() + " run ";
    assertThat(shell(line + "--level 1 env", "").lines())
        .contains(
            "XSCHED_AUTO_XQUEUE=OFF",
            "XSCHED_AUTO_XQUEUE_PRIORITY=7",
            "XSCHED_AUTO_XQUEUE_LEVEL=1");
  }

  @Test
  void theLibraryComesAfterThoseOfTheUserAndOnce() throws Exception {
    Path own = libraries.resolve("own.so");
    Compiler.compile("int own;", own, "-shared", "-fPIC");
    String print = " run printenv LD_PRELOAD";
    assertThat(shell("exec " + xsched() + print, "")).isEqualTo(library() + "\n");
    assertThat(shell("LD_PRELOAD=" + own + " exec " + xsched() + print, ""))
        .isEqualTo(own + ":" + library() + "\n");
    assertThat(shell("LD_PRELOAD='" + library() + " " + own + "' exec " + xsched() + print, ""))
        .isEqualTo(library() + " " + own + "\n");
  }

  @Test
  void aMarkWaitsForTheProgramToReachTheSchedulerAndIsSweptOnce() throws Exception {
    String script = "echo $$; echo $XSCHED_RUN; stat -c '%a %s' ${XSCHED_RUN#*:}";
    List<String> lines = shell("exec " + xsched() + " run sh -c \"$1\"", script).lines().toList();
    assertThat(lines.get(1)).matches(lines.get(0) + ":.*/xsched-run-\\d+/" + lines.get(0) + "-.*");
    assertThat(lines.get(2)).isEqualTo("600 0");
    Path mark = Path.of(lines.get(1).split(":", 2)[1]);
    assertThat(mark).as("nobody has removed it yet").exists();
    xsched("run", "true");
    assertThat(mark).doesNotExist();
  }

  @Test
  void whatCannotBeInterceptedRunsAndOneLineSaysWhy() throws Exception {
    Path program = libraries.resolve("alone");
    Compiler.compile("int main(void) { return 7; }", program, "-static");
    var outcome = xsched("run", program.toString());
    assertThat(outcome.code()).isEqualTo(7);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains(program + " is not intercepted: it is linked statically");
  }

  @Test
  void withoutTheLibraryTheProgramRunsAndOneLineSaysHowToGetIt() throws Exception {
    String line = "JAVA_OPTS=-Dxsched.native=/no/such exec " + xsched() + " run ";
    assertThat(shell(line + "sh -c 'echo on$LD_PRELOAD'", ""))
        .isEqualTo(
            "xsched: sh is not intercepted: there is no libxsched.so;"
                + " apt-get install gcc make, then again\non\n");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "env | grep -v '^_=\\|^XSCHED_AUTO\\|^XSCHED_RUN\\|^LD_PRELOAD' | sort",
        // The C library keeps signals above 31 to itself.
        "grep -E 'SigBlk|SigIgn|THP' /proc/$$/status | sed 's/:.*\\(.\\{8\\}\\)$/ \\1/'",
        "ulimit -a; ulimit -Ha",
        "cat /proc/$$/coredump_filter; umask; pwd",
        "for f in /proc/$$/fd/*; do [ -e $f ] && echo ${f##*/}; done",
        "exec 5>&1; ls /proc/self/fd",
      })
  void nothingElseDiffersFromAPlainStart(String script) throws Exception {
    // A file that the user leaves open on purpose is handed on, too.
    String user = " exec 7</dev/null; LC_COLLATE=POSIX; export LC_COLLATE; ";
    String plain = shell(user + "exec sh -c \"$1\"", script);
    String run =
        shell(user + "exec " + Launcher.script() + " run --priority 3 sh -c \"$1\"", script);
    assertThat(run).isNotEmpty().isEqualTo(plain);
  }

  @Test
  void argumentsArriveAsTheyWereTypedWhateverTheLocale() throws Exception {
    String arguments = " run -- printf '%s|' -- --help @x '' 'b\u00e4r $1'";
    assertThat(shell("LC_ALL=C exec " + Launcher.script() + arguments, ""))
        .isEqualTo("--|--help|@x||b\u00e4r $1|");
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130", "HUP,129", "QUIT,131"})
  void signalsReachTheProgram(String signal, int code) throws Exception {
    Signals.assumeNotIgnored(signal);
    Process process = start(List.of(Launcher.script().toString(), "run", "sleep", "30"));
    try {
      Path name = Path.of("/proc", Long.toString(process.pid()), "comm");
      while (!Files.readString(name).equals("sleep\n")) {
        Thread.sleep(10);
      }
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(code);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void withoutAWayToScheduleItTheProgramRunsAndOneLineSaysWhy() throws IOException {
    Path file = Files.createTempFile("xsched-test-", ".file");
    var outcome =
        Launcher.run(
            Launcher.script(),
            Path.of("."),
            Map.of("XSCHED_DIR", file.toString()),
            "run",
            "echo",
            "on");
    assertThat(outcome.out()).isEqualTo("on\n");
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("echo runs unscheduled", file.toString());
    Files.delete(file);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "XSCHED_PLUGINS=/no/such",
        "JAVA_OPTS=-Xnonsense",
        "JAVA_TOOL_OPTIONS=-Xnonsense",
        "ulimit -v 500000;",
        "ulimit -n 12;",
      })
  void theProgramRunsOnceWhateverKeepsUsFromStarting(String trouble) throws Exception {
    String line = trouble + " exec " + xsched() + " run --name x --priority=3 -- sh -c \"$1\"";
    List<String> said = shell(line, "echo it runs; cat; exit 3").lines().toList();
    assertThat(said).filteredOn("it runs"::equals).hasSize(1);
    assertThat(said.getLast()).as("cat finds the input empty").isEqualTo("it runs");
    assertThat(said.get(said.size() - 2)).startsWith("xsched: ");
    assertThat(start(List.of("sh", "-c", line, "sh", "exit 3")).waitFor()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"0,<&-", "1,>&-", "0,<&- >&-"})
  void whatTheUserClosedIsClosedInTheProgram(int file, String closed) throws Exception {
    Path seen = libraries.resolve("seen");
    shell(
        "exec " + xsched() + " run sh -c \"$1\" " + closed,
        "[ -e /proc/$$/fd/%d ] && echo open >%2$s || echo closed >%2$s".formatted(file, seen));
    assertThat(seen).hasContent("closed");
    shell("exec " + xsched() + " run cat >" + seen + " " + closed, "");
    assertThat(seen).isEmptyFile();
  }

  private static Path xsched() {
    return Launcher.script();
  }

  private static CommandLineHarness.Outcome xsched(String... args) {
    return Launcher.run(Launcher.script(), Path.of("."), environment(), args);
  }

  private static String shell(String line, String argument) throws Exception {
    Process process = start(List.of("sh", "-c", line, "sh", argument));
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }

  private static Process start(List<String> line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(line)).redirectErrorStream(true);
    builder.environment().putAll(environment());
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
