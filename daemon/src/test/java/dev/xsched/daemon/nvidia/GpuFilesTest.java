package dev.xsched.daemon.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file a GPU has. */
class GpuFilesTest {
  @TempDir Path folder = Path.of("");

  @Test
  void theFileIsThatOfTheUuid() throws Exception {
    tell("0000:01:00.0", "GPU-11111111-2222-3333-4444-555555555555", "1");
    tell("0000:02:00.0", "GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", "0");
    assertThat(GpuFiles.find(folder, "gpu:aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"))
        .isEqualTo("/dev/nvidia0");
    assertThat(GpuFiles.find(folder, "gpu:11111111-2222-3333-4444-555555555555"))
        .isEqualTo("/dev/nvidia1");
  }

  @Test
  void aGpuThatIsNotThereHasNone() throws Exception {
    tell("0000:01:00.0", "GPU-11111111-2222-3333-4444-555555555555", "1");
    assertThatThrownBy(() -> GpuFiles.find(folder, "gpu:22222222-2222-3333-4444-555555555555"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no gpu:22222222");
  }

  @Test
  void withoutADriverThereIsNone() {
    assertThatThrownBy(() -> GpuFiles.find(folder.resolve("gpus"), "gpu:1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("NVIDIA's driver is not loaded");
  }

  @Test
  void aMinorNumberThatIsNoneIsNotTaken() throws Exception {
    tell("0000:01:00.0", "GPU-11111111-2222-3333-4444-555555555555", "/../sda");
    assertThatThrownBy(() -> GpuFiles.find(folder, "gpu:11111111-2222-3333-4444-555555555555"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("minor number");
  }

  private void tell(String name, String uuid, String minor) throws IOException {
    Path gpu = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        gpu.resolve("information"),
        """
        Model: \t\t NVIDIA H200
        IRQ:   \t\t 120
        GPU UUID: \t %s
        Video BIOS: \t 96.00
        Device Minor: \t %s
        GPU Excluded:\t No
        """
            .formatted(uuid, minor));
  }
}
