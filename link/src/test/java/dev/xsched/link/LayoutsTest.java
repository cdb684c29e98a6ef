package dev.xsched.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
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

/** Compiles the header that C programs use and compares it with what Java believes. */
class LayoutsTest {
  private static final Path HEADERS = Path.of("../native/include").toAbsolutePath();

  private static final List<StructLayout> STRUCTS =
      List.of(
          Layouts.ASKS,
          Layouts.SLOT,
          Layouts.GPU_OBJECT,
          Layouts.GPU,
          Layouts.BLOCK,
          Layouts.CEILING,
          Layouts.BOARD,
          Layouts.HELLO,
          Layouts.WELCOME);

  private static final Map<String, Long> CONSTANTS = new LinkedHashMap<>();

  static {
    CONSTANTS.put("XSCHED_PROTOCOL", (long) Layouts.PROTOCOL);
    CONSTANTS.put("XSCHED_BLOCK_MAGIC", (long) Layouts.BLOCK_MAGIC);
    CONSTANTS.put("XSCHED_BOARD_MAGIC", (long) Layouts.BOARD_MAGIC);
    CONSTANTS.put("XSCHED_HELLO_MAGIC", (long) Layouts.HELLO_MAGIC);
    CONSTANTS.put("XSCHED_WELCOME_MAGIC", (long) Layouts.WELCOME_MAGIC);
    CONSTANTS.put("XSCHED_SLOTS", (long) Layouts.SLOTS);
    CONSTANTS.put("XSCHED_CEILINGS", (long) Layouts.CEILINGS);
    CONSTANTS.put("XSCHED_BOARD_PROGRAMS", (long) Layouts.BOARD_PROGRAMS);
    CONSTANTS.put("XSCHED_HINTS", (long) Layouts.HINTS);
    CONSTANTS.put("XSCHED_GPUS", (long) Layouts.GPUS);
    CONSTANTS.put("XSCHED_GPU_GROUPS", (long) Layouts.GPU_GROUPS);
    CONSTANTS.put("XSCHED_GPU_CHANNELS", (long) Layouts.GPU_CHANNELS);
    CONSTANTS.put("XSCHED_BEGUN", (long) Layouts.BEGUN);
    CONSTANTS.put("XSCHED_OTHERS_EARLY", (long) Slot.OTHERS_EARLY);
    CONSTANTS.put("XSCHED_OFFERS_SLICE", (long) Gpu.OFFERS_SLICE);
    CONSTANTS.put("XSCHED_OFFERS_INTERRUPT", (long) Gpu.OFFERS_INTERRUPT);
    CONSTANTS.put("XSCHED_INTERRUPT_NONE", (long) Gpu.Interrupt.NONE.ordinal());
    CONSTANTS.put("XSCHED_INTERRUPT_HERE", (long) Gpu.Interrupt.HERE.ordinal());
    CONSTANTS.put("XSCHED_INTERRUPT_BY_DAEMON", (long) Gpu.Interrupt.BY_DAEMON.ordinal());
    CONSTANTS.put("(int)XSCHED_NO_CEILING", (long) Slot.NO_CEILING);
    CONSTANTS.put("XSCHED_NO_RANK", (long) Board.NO_RANK);
    CONSTANTS.put("XSCHED_HELLO_PROGRAM", (long) Hello.PROGRAM);
    CONSTANTS.put("XSCHED_HELLO_TOKEN", (long) Hello.TOKEN);
    CONSTANTS.put("XSCHED_WELCOME_OK", (long) Welcome.OK);
    CONSTANTS.put("XSCHED_WELCOME_VERSION", (long) Welcome.OTHER_VERSION);
    CONSTANTS.put("XSCHED_WELCOME_REFUSED", (long) Welcome.REFUSED);
  }

  @TempDir Path folder = Path.of("");

  @Test
  void theCompilerLaysOutEveryMemberWhereJavaExpectsIt() throws Exception {
    List<String> program = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    program.add("#include <stddef.h>");
    program.add("#include <stdio.h>");
    program.add("#include \"xsched_control.h\"");
    program.add("int main(void) {");
    for (StructLayout struct : STRUCTS) {
      String type = "struct " + struct.name().orElseThrow();
      program.add(print(type, "sizeof(%s)".formatted(type)));
      expected.add("%s %d".formatted(type, struct.byteSize()));
      for (MemoryLayout member : members(struct)) {
        String name = member.name().orElseThrow();
        String label = type + "." + name;
        program.add(print(label, "offsetof(%s, %s)".formatted(type, name)));
        expected.add("%s %d".formatted(label, Layouts.offset(struct, name)));
        program.add(print(label + " size", "sizeof(((%s *)0)->%s)".formatted(type, name)));
        expected.add("%s size %d".formatted(label, member.byteSize()));
        if (member instanceof SequenceLayout sequence) {
          program.add(print(label + " item", "sizeof(((%s *)0)->%s[0])".formatted(type, name)));
          expected.add("%s item %d".formatted(label, sequence.elementLayout().byteSize()));
        }
      }
    }
    CONSTANTS.forEach(
        (name, value) -> {
          program.add(print(name, name));
          expected.add("%s %d".formatted(name, value));
        });
    program.add("}");
    assertThat(outputOf(String.join("\n", program))).isEqualTo(expected);
  }

  @Test
  void nothingInTheHeaderIsMissingInJava() throws Exception {
    String header = Files.readString(HEADERS.resolve("xsched_control.h"));
    String code = header.replaceAll("(?s)/\\*.*?\\*/", "");
    List<String> declared = new ArrayList<>();
    for (StructLayout struct : STRUCTS) {
      String name = struct.name().orElseThrow();
      String start = "struct " + name + " {";
      assertThat(code).contains(start);
      String body = code.substring(code.indexOf(start) + start.length());
      for (String line : body.substring(0, body.indexOf("};")).split(";", -1)) {
        String member = line.strip().replaceAll("\\[.*\\]", "").replaceAll("^.*\\s", "");
        if (!member.isEmpty() && !member.startsWith("pad")) {
          declared.add(name + "." + member);
        }
      }
    }
    List<String> mirrored = new ArrayList<>();
    for (StructLayout struct : STRUCTS) {
      for (MemoryLayout member : members(struct)) {
        mirrored.add(struct.name().orElseThrow() + "." + member.name().orElseThrow());
      }
    }
    assertThat(mirrored).isEqualTo(declared);
  }

  private static List<MemoryLayout> members(StructLayout struct) {
    return struct.memberLayouts().stream().filter(m -> !(m instanceof PaddingLayout)).toList();
  }

  private static String print(String label, String expression) {
    return "  printf(\"%s %%lld\\n\", (long long)(%s));".formatted(label, expression);
  }

  private List<String> outputOf(String program) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("layout.c"), program);
    Path binary = folder.resolve("layout");
    run("gcc", "-std=c11", "-Wall", "-Werror", "-I" + HEADERS, source + "", "-o", binary + "");
    return run(binary.toString()).lines().toList();
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
