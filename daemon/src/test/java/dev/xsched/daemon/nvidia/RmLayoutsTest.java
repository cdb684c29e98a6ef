package dev.xsched.daemon.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles what the shim knows of NVIDIA's driver and compares it with what Java believes. */
class RmLayoutsTest {
  private static final Path HEADERS = Path.of("../native/shim").toAbsolutePath();

  private static final List<StructLayout> STRUCTURES =
      List.of(
          RmLayouts.REGISTER_FD,
          RmLayouts.FREE,
          RmLayouts.ALLOC,
          RmLayouts.CONTROL,
          RmLayouts.DEVICE,
          RmLayouts.SUBDEVICE,
          RmLayouts.DISABLE_CHANNELS);

  private static final Map<String, Long> CONSTANTS = new LinkedHashMap<>();

  static {
    CONSTANTS.put("NV_ESC_RM_FREE", (long) RmLayouts.NV_ESC_RM_FREE);
    CONSTANTS.put("NV_ESC_RM_CONTROL", (long) RmLayouts.NV_ESC_RM_CONTROL);
    CONSTANTS.put("NV_ESC_RM_ALLOC", (long) RmLayouts.NV_ESC_RM_ALLOC);
    CONSTANTS.put("NV_ESC_REGISTER_FD", (long) RmLayouts.NV_ESC_REGISTER_FD);
    CONSTANTS.put("NV_OK", (long) RmLayouts.NV_OK);
    CONSTANTS.put("NV01_ROOT", (long) RmLayouts.NV01_ROOT);
    CONSTANTS.put("NV01_DEVICE_0", (long) RmLayouts.NV01_DEVICE_0);
    CONSTANTS.put("NV20_SUBDEVICE_0", (long) RmLayouts.NV20_SUBDEVICE_0);
    CONSTANTS.put(
        "NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS",
        (long) RmLayouts.NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS);
    CONSTANTS.put(
        "NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES",
        (long) RmLayouts.NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES);
    CONSTANTS.put(
        "_IOWR(NV_IOCTL_MAGIC, NV_ESC_REGISTER_FD, nv_ioctl_register_fd_t)",
        RmLayouts.request(RmLayouts.NV_ESC_REGISTER_FD, RmLayouts.REGISTER_FD));
    CONSTANTS.put(
        "NV_IOCTL_CONTROL", RmLayouts.request(RmLayouts.NV_ESC_RM_CONTROL, RmLayouts.CONTROL));
    CONSTANTS.put("NV_IOCTL_FREE", RmLayouts.request(RmLayouts.NV_ESC_RM_FREE, RmLayouts.FREE));
  }

  @TempDir Path folder = Path.of("");

  @Test
  void theCompilerLaysOutEveryMemberWhereJavaExpectsIt() throws Exception {
    List<String> program = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    program.add("#include <stdio.h>");
    program.add("#include \"nvidia_rm.h\"");
    program.add("int main(void) {");
    for (StructLayout structure : STRUCTURES) {
      String type = structure.name().orElseThrow();
      program.add(print("sizeof(%s)".formatted(type)));
      expected.add("sizeof(%s) %d".formatted(type, structure.byteSize()));
      for (MemoryLayout member : structure.memberLayouts()) {
        if (!(member instanceof PaddingLayout)) {
          String name = member.name().orElseThrow();
          String offset = "offsetof(%s, %s)".formatted(type, name);
          String size = "sizeof(((%s *)0)->%s)".formatted(type, name);
          program.add(print(offset));
          expected.add("%s %d".formatted(offset, RmLayouts.offset(structure, name)));
          program.add(print(size));
          expected.add("%s %d".formatted(size, member.byteSize()));
        }
      }
    }
    CONSTANTS.forEach(
        (name, value) -> {
          program.add(print(name));
          expected.add("%s %d".formatted(name, value));
        });
    program.add("}");
    assertThat(outputOf(String.join("\n", program))).isEqualTo(expected);
  }

  private static String print(String expression) {
    return "  printf(\"%s %%lld\\n\", (long long)(%s));".formatted(expression, expression);
  }

  private List<String> outputOf(String program) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("layout.c"), program);
    Path binary = folder.resolve("layout");
    run("gcc", "-std=gnu11", "-Wall", "-Werror", "-I" + HEADERS, source + "", "-o", binary + "");
    return run(binary.toString()).lines().toList();
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
