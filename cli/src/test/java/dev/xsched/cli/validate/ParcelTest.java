package dev.xsched.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.report.experiments.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParcelTest {
  private static final Privacy PRIVACY =
      new Privacy("/data/ann/xsched", "/home/ann", "ann", "node7.example.org");

  @TempDir private Path out;

  @Test
  void userMachineAndFoldersAreTakenOut() {
    assertThat(
            PRIVACY.hide(
                "no /data/ann/xsched/native/target/worker; log in as ann@node7.example.org"))
        .isEqualTo("no XSCHED/native/target/worker; log in as USER@MACHINE");
    assertThat(PRIVACY.hide("/home/ann/.cache, /home/anna, the channel of joann"))
        .isEqualTo("HOME/.cache, /home/anna, the channel of joann");
  }

  @Test
  void theWordRootStays() {
    assertThat(
            new Privacy("/", "/root", "root", "localhost").hide("as root on localhost in /root/x"))
        .isEqualTo("as root on localhost in HOME/x");
  }

  @Test
  void theArchiveHoldsReportAndEnvironmentWithoutAnythingPrivate() throws Exception {
    Files.createDirectories(out.resolve("records"));
    Files.writeString(out.resolve("environment.json"), "{\"found\": \"/home/ann/lib\"}");
    Parcel parcel =
        Parcel.of(
            out,
            "opencl",
            List.of(Part.failed("Device", "no /home/ann/worker")),
            List.of(Finding.warning("ROCm", "in /home/ann/rocm", "ask ann")),
            PRIVACY);
    Path there = Files.createDirectory(out.resolve("unpacked"));
    Process tar =
        new ProcessBuilder("tar", "xzf", parcel.archive().toString(), "-C", there.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    Path folder = there.resolve("xsched-validate-opencl");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("environment.json", "report.html", "report.md");
    }
    assertThat(folder.resolve("environment.json")).hasContent("{\"found\": \"HOME/lib\"}");
    String page = Files.readString(folder.resolve("report.html"));
    assertThat(page).doesNotContain("ann").contains("no HOME/worker", "ask USER");
    assertThat(page.indexOf("What worked")).isLessThan(page.indexOf("Goal, paper, measured"));
  }
}
