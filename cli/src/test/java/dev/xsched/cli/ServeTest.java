package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of the real daemon, as a user leads it. */
class ServeTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void startsInTheBackgroundAndStops() throws IOException {
    try {
      var started = xsched("serve", "--policy", "CFS");
      assertThat(started.code()).as(started.err()).isZero();
      assertThat(started.out()).contains("policy CFS", "folder  " + folder, "/#token=");
      assertThat(xsched("serve").out()).contains("runs already");
      assertThat(xsched("policy", "HPF").out()).isEqualTo("policy HPF (was CFS)\n");
      String pid = Files.readString(folder.resolve("pid")).strip();
      String[] facts = Files.readString(Path.of("/proc", pid, "stat")).split(" ", -1);
      assertThat(facts[5]).as("a session of its own").isEqualTo(pid);
      var doctor = xsched("doctor");
      assertThat(doctor.code()).as(doctor.out()).isZero();
      assertThat(doctor.out()).contains("ok       launch");
      if (Files.exists(Path.of("/etc/OpenCL/vendors/pocl.icd"))) {
        assertThat(doctor.out()).containsPattern("ok       interception  a launch was counted, of");
      }
    } finally {
      assertThat(xsched("stop").out()).startsWith("daemon stopped");
    }
    assertThat(xsched("status").code()).isEqualTo(3);
  }

  @Test
  void aFolderIsTheSameWhereverDaemonAndProgramsAre() {
    Map<String, String> relative = Map.of("XSCHED_DIR", "inside");
    try {
      var told =
          Launcher.run(
              Launcher.script(), folder, relative, "run", "sh", "-c", "cd /; echo $XSCHED_DIR");
      assertThat(told.out()).isEqualTo(folder.resolve("inside") + "\n");
      assertThat(folder.resolve("inside/socket")).exists();
    } finally {
      Launcher.run(Launcher.script(), folder, relative, "stop");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void endsInGoodOrderOnASignal(String signal) throws Exception {
    Signals.assumeNotIgnored(signal);
    ProcessBuilder builder =
        new ProcessBuilder(Launcher.script().toString(), "serve", "--foreground");
    builder.environment().put("XSCHED_DIR", folder.toString());
    Process process = builder.redirectErrorStream(true).start();
    try (var reader = process.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("daemon runs: folder " + folder);
      assertThat(reader.readLine()).startsWith("page    http://127.0.0.1:");
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(folder.resolve("socket")).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProgramsOwnDaemonIsReadyWithoutAFaceAndEndsWithItsInput() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Launcher.script().toString(), "serve", "--private", "--policy", "CFS");
    builder.environment().put("XSCHED_DIR", folder.toString());
    Process process = builder.redirectErrorStream(true).start();
    try (var reader = process.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("ready");
      ControlDirectory directory = new ControlDirectory(folder);
      try (Registration registration = Registration.with(directory, "program", Block.create())) {
        assertThat(registration.board()).isNotNull();
      }
      assertThatThrownBy(() -> Registration.token(directory))
          .hasMessageContaining("belongs to one program");
      assertThat(folder).isDirectoryNotContaining("glob:**{http,token-*,state.json}");
      assertThat(xsched("run", "true").err()).doesNotContain("runs unscheduled", "the daemon");
      process.getOutputStream().close();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(reader.readLine()).as("a second line").isNull();
      assertThat(folder.resolve("socket")).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProgramsOwnDaemonNeedsAFolderOfItsOwn() {
    assertThat(CommandLineHarness.run(Map.of(), "serve", "--private").refusal())
        .contains("XSCHED_DIR");
    assertThat(CommandLineHarness.run("serve", "--private", "--policy", "x").refusal())
        .contains("unknown policy 'x'");
  }

  @Test
  void saysWhyItCouldNotStart() throws IOException {
    Files.createDirectory(folder.resolve("socket"));
    Files.createFile(folder.resolve("socket/occupied"));
    var outcome = xsched("serve");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err().lines()).singleElement().asString().contains("did not start: ");
  }

  @Test
  void saysThatTheFolderIsNone() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (String[] command :
        List.of(new String[] {"serve"}, new String[] {"serve", "--foreground"})) {
      var outcome = CommandLineHarness.run(Map.of("XSCHED_DIR", file.toString()), command);
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err())
          .isEqualTo(
              "xsched: the daemon cannot be started in %1$s (%1$s is no folder); choose another"
                      .formatted(file)
                  + " folder with XSCHED_DIR\n");
    }
  }

  @Test
  void saysThatSomebodyElseListensThere() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + other.getLocalPort();
      var outcome =
          CommandLineHarness.run(
              Map.of("XSCHED_DIR", folder.toString()),
              "serve",
              "--foreground",
              "--listen",
              address);
      assertThat(outcome.err()).contains("cannot listen on " + address, "give --listen another");
    }
  }

  private CommandLineHarness.Outcome xsched(String... args) {
    return Launcher.run(
        Launcher.script(), Path.of("."), Map.of("XSCHED_DIR", folder.toString()), args);
  }
}
