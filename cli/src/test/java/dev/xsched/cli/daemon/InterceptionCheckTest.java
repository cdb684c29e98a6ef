package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.cli.Compiler;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor makes of a program that it runs, and of what the daemon saw of it. */
class InterceptionCheckTest {
  private static final HintState ZERO = new HintState(0L, "default");
  private static final String NAME = "probe";

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    Compiler.compile("int nothing;", folder.resolve("lib.so"), "-shared", "-fPIC");
  }

  @Test
  void aLaunchThatWasCountedIsTheProof() throws Exception {
    ProgramState program = States.program(7, NAME, States.queue(1, "idle", ZERO, 0, 1, 0));
    Finding finding = check("echo cuda Some GPU; cat", program);
    assertThat(finding)
        .isEqualTo(Finding.ok("interception", "a launch was counted, of cuda Some GPU"));
  }

  @Test
  void noDeviceIsAWarningWithARemedy() throws Exception {
    Finding finding = check("echo none no driver; exit 1");
    assertThat(finding.state()).isEqualTo("warning");
    assertThat(finding.found()).endsWith("there is no device: no driver");
    assertThat(finding.remedy()).contains("pocl-opencl-icd");
  }

  @Test
  void aProgramThatFailsUnderTheLibraryIsAProblem() throws Exception {
    Finding finding = check("echo 'xsched: woe' >&2; exit 9");
    assertThat(finding.state()).isEqualTo("problem");
    assertThat(finding.found()).endsWith("ended with code 9; it said: woe");
  }

  @Test
  void aDeviceThatWasUsedBehindOurBackIsAProblem() throws Exception {
    Finding finding = check("echo 'xsched: turned away' >&2; echo opencl CPU; cat");
    assertThat(finding.state()).isEqualTo("problem");
    assertThat(finding.found())
        .isEqualTo("opencl CPU was used without the daemon; it said: turned away");
  }

  @Test
  void aProgramOfWhichNoLaunchWasCountedIsAProblem() throws Exception {
    ProgramState program = States.program(7, NAME, States.queue(1, "idle", ZERO, 0, 0, 0));
    Finding finding = check("echo opencl CPU; cat", program);
    assertThat(finding.state()).isEqualTo("problem");
    assertThat(finding.found()).contains("registered", "none of its launches was counted");
  }

  private Finding check(String script, ProgramState... programs) throws IOException {
    Path probe = Files.writeString(folder.resolve("probe"), "#!/bin/sh\n" + script + "\n");
    assertThat(probe.toFile().setExecutable(true)).isTrue();
    DaemonState state = States.of(0, "HPF", 5000, programs);
    try (FakeDaemon _ = new FakeDaemon(folder, state)) {
      DaemonClient client =
          DaemonClient.in(new ControlDirectory(folder), ControlDirectory.ownUid()).orElseThrow();
      return new InterceptionCheck(client, NAME).check(probe, folder.resolve("lib.so"));
    }
  }
}
