package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceRoomTest {
  @TempDir private Path root;

  private void file(String path, String text) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), text + "\n");
  }

  @Test
  void anAmdGpuTellsItsMemoryAndItsPrograms() throws IOException {
    file("sys/class/drm/renderD128/device/vendor", "0x8086");
    file("sys/class/drm/renderD129/device/vendor", "0x1002");
    file("sys/class/drm/renderD129/device/mem_info_vram_total", "206141652992");
    file("sys/class/drm/renderD129/device/mem_info_vram_used", "141652992");
    file("sys/class/kfd/kfd/proc/4711/pasid", "32770");
    DeviceRoom room = DeviceRoom.of("hip", root);
    assertThat(room.freeBytes()).hasValue(206_000_000_000L);
    assertThat(room.others()).hasValue(1);
  }

  @Test
  void whatNobodyTellsIsUnknown() {
    assertThat(DeviceRoom.of("hip", root).freeBytes()).isEmpty();
    assertThat(DeviceRoom.of("hip", root).others()).isEmpty();
    assertThat(DeviceRoom.of("opencl", root).freeBytes()).isEmpty();
  }

  @Test
  void pocLComputesInTheMemoryOfTheHost() throws IOException {
    file("proc/meminfo", "MemTotal: 9 kB\nMemAvailable:    2048 kB");
    assertThat(DeviceRoom.of("opencl", root).freeBytes()).hasValue(2 << 20);
  }
}
