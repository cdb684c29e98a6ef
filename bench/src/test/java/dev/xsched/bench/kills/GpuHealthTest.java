package dev.xsched.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuHealthTest {
  @TempDir private Path folder;

  /** A program that prints one thing without an argument, and another with some. */
  private String program(String name, String plain, String asked) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(
        file,
        "#!/bin/sh\nif [ $# = 0 ]; then printf '%s'; else printf '%s'; fi\n"
            .formatted(plain, asked));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }

  private String driver(String overview, String programs) throws IOException {
    return program("nvidia-smi", overview, programs);
  }

  private String kernel(String log) throws IOException {
    return program("dmesg", log, "");
  }

  @Test
  void whatWasThereBeforeIsNoAilment() throws Exception {
    GpuHealth health =
        new GpuHealth(driver("fine", "12\\n13\\n"), kernel("NVRM: Xid (PCI): 31\\n"));
    driver("fine", "13\\n");
    assertThat(health.ailments()).isEmpty();
    assertThat(health.notes()).isEmpty();
  }

  @Test
  void programsThatAreLeftAreTold() throws Exception {
    GpuHealth health = new GpuHealth(driver("fine", "12\\n"), kernel(""));
    driver("fine", "12\\n14\\n15\\n");
    assertThat(health.ailments()).containsExactly("nvidia-smi shows 2 programs more than before");
  }

  @Test
  void errorsOfTheDeviceAreTold() throws Exception {
    GpuHealth health = new GpuHealth(driver("fine", ""), kernel("nothing\\n"));
    driver("| ERR!  |", "");
    kernel("nothing\\nNVRM: Xid (PCI:0000:01:00): 109, pid=7\\n");
    assertThat(health.ailments())
        .containsExactly("nvidia-smi shows ERR!", "the kernel's log has 1 lines more with an Xid");
  }

  @Test
  void aDriverThatNoLongerAnswersIsTold() throws Exception {
    String driver = driver("fine", "");
    GpuHealth health = new GpuHealth(driver, kernel(""));
    Files.delete(Path.of(driver));
    assertThat(health.ailments()).containsExactly("nvidia-smi no longer answers");
  }

  @Test
  void whatCannotBeReadIsNoted() throws Exception {
    GpuHealth health = new GpuHealth("/nonexistent", "/nonexistent");
    assertThat(health.ailments()).isEmpty();
    assertThat(health.notes()).hasSize(2);
  }
}
