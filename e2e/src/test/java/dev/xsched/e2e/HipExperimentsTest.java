package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.StandIns;
import dev.xsched.bench.record.RecordReader;
import dev.xsched.bench.record.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Experiments on HIP from end to end: the command, its daemon, real workers under the library, the
 * agent that interrupts them. HIP's library and the kernel's driver are stand-ins whose kernels are
 * time that passes. What comes out says nothing of a GPU, and must say so; so no verdict counts.
 */
class HipExperimentsTest {
  private static final Path NATIVE = Path.of("../native/target").toAbsolutePath().normalize();
  private static final Path AMD = NATIVE.resolve("test/amd");
  private static final Path DRIVER = AMD.resolve("driver");

  /** And how many criteria each has. */
  private static final Map<String, Integer> EXPERIMENTS =
      Map.of("7.2.1", 3, "7.3.1", 1, "4.1.1", 3, "F.2", 2);

  @TempDir private Path folder;

  @BeforeEach
  void needsStandIns() {
    Assumptions.assumeTrue(
        Files.exists(DRIVER.resolve("libamdhip64.so.6"))
            && Files.isExecutable(NATIVE.resolve("bench/worker")),
        "skipped: no stand-ins or no worker; make -C native tests lib, with ocl-icd-opencl-dev");
  }

  /**
   * An installation whose worker has the stand-ins. They come behind the library, as a kernel's
   * driver does; in a variable of ours they would come first.
   */
  private Path command() throws Exception {
    Path natives = Files.createDirectory(folder.resolve("native"));
    Files.copy(NATIVE.resolve("libxsched.so"), natives.resolve("libxsched.so"));
    Path worker = Files.createDirectory(natives.resolve("bench")).resolve("worker");
    Files.writeString(
        worker,
        """
        #!/bin/sh
        export LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}%s" LD_LIBRARY_PATH=%s:%s XSCHED_TEST_KFD=%s
        exec %s "$@"
        """
            .formatted(
                AMD.resolve("libkfd.so"),
                DRIVER,
                AMD,
                folder.resolve("gpu"),
                NATIVE.resolve("bench/worker")));
    Files.setPosixFilePermissions(worker, PosixFilePermissions.fromString("rwx------"));
    Path temporary = Files.createDirectory(folder.resolve("t"));
    return XschedScript.in(folder, natives, "-Djava.io.tmpdir=" + temporary);
  }

  /** What a validation of a minute has measured is kept by the run after it. */
  @Test
  void runOverStandInsAndSayThatThereWasNoGpu() throws Exception {
    String command = command().toString();
    Path out = folder.resolve("validation");
    validate(command, out);
    Path records = out.resolve("records");
    List<String> line = new ArrayList<>(List.of(command, "bench", "run"));
    line.addAll(EXPERIMENTS.keySet());
    line.addAll(List.of("--device", "hip", "--quick", "--out", records.toString()));
    Shell.Answer answer = Shell.run(Map.of(), line);
    for (var experiment : EXPERIMENTS.entrySet()) {
      Path file = records.resolve(experiment.getKey() + "-hip.json");
      assertThat(file).as("%s", answer.text()).exists();
      check(RecordReader.read(file, file.toString()), experiment.getValue(), answer.text());
    }
    assertThat(answer.text()).contains("already");
    Path waves = records.resolve("4.1.1-hip.json");
    assertThat(RecordReader.read(waves, waves.toString()).notes())
        .as("the daemon could interrupt both programs, and did not hold them back otherwise")
        .anyMatch(
            note -> note.matches("after scene 'level 3.*high .*of \\[3\\].*low .*of \\[3\\].*"));
  }

  private static void validate(String command, Path out) throws Exception {
    Shell.Answer answer =
        Shell.run(
            Map.of(),
            List.of(command, "bench", "validate", "--device=hip", "--minutes=1", "--out=" + out));
    assertThat(answer.text())
        .contains("worked   Device: Stand-in for an AMD GPU; there is no GPU")
        .contains("(stand-in, no GPU)")
        .containsPattern("worked   Interception: .* launches counted .* the same as without")
        .containsPattern("(worked|left out) +Level 3, interrupt: (preempted in|offered)")
        .contains("worked   Clean-up");
    assertThat(out.resolve("xsched-validate-hip.tar.gz")).isNotEmptyFile();
    assertThat(Files.readString(out.resolve("report.html"))).contains("What worked");
  }

  private static void check(RunRecord record, int criteria, String said) {
    assertThat(record.state())
        .as("%s: %s%n%s", record.testId(), record.notes(), said)
        .isNotEqualTo(RunRecord.State.PARTIAL);
    assertThat(record.notes()).contains(StandIns.NOTE);
    assertThat(record.labels()).contains("simulated", "stand-in");
    assertThat(record.hardware()).containsEntry("device", "Stand-in for an AMD GPU");
    assertThat(record.deciding())
        .as("%s", record.testId())
        .hasSize(criteria)
        .noneMatch(criterion -> Double.isNaN(criterion.number()));
  }
}
