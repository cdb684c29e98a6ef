package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.cli.Compiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFileTest {
  @TempDir private static Path folder = Path.of("");

  private static final Path SHELL = Path.of("/bin/sh");

  @BeforeAll
  static void compile() throws Exception {
    Compiler.compile("int nothing;", library(), "-shared", "-fPIC");
  }

  private static Path library() {
    return folder.resolve("lib.so");
  }

  @Test
  void aUsualProgramLoadsLibraries() {
    assertThat(ProgramFile.of(SHELL, library())).isEqualTo(ProgramFile.LOADS_LIBRARIES);
  }

  @Test
  void aStaticProgramHasNoLoader() throws Exception {
    assertThat(ProgramFile.of(alone(), library())).isEqualTo(ProgramFile.STATIC);
  }

  @Test
  void ofAScriptItsInterpreterCounts() throws Exception {
    Path inner = script("inner", alone().toString());
    Path outer = script("outer", " " + inner + " -x");
    assertThat(ProgramFile.of(outer, library())).isEqualTo(ProgramFile.STATIC);
    assertThat(ProgramFile.of(script("usual", "/bin/sh -e"), library()))
        .isEqualTo(ProgramFile.LOADS_LIBRARIES);
    assertThat(ProgramFile.of(script("lost", "/no/such"), library()))
        .isEqualTo(ProgramFile.LOADS_LIBRARIES);
  }

  @Test
  void aProgramOf32BitsCannotLoadALibraryOf64() throws IOException {
    byte[] elf = Files.readAllBytes(SHELL);
    elf[4] = 1;
    Path program = Files.write(folder.resolve("small"), elf);
    assertThat(ProgramFile.of(program, library())).isEqualTo(ProgramFile.OTHER_MACHINE);
  }

  @Test
  void aProgramWithRightsOfSomebodyElseIsNotToldWhatToLoad() throws Exception {
    Path program = Files.copy(SHELL, folder.resolve("entrusted"));
    int uid = (int) Files.getAttribute(program, "unix:uid");
    Files.setAttribute(program, "unix:mode", 0104755);
    assertThat(ProgramFile.of(program, library())).isEqualTo(ProgramFile.LOADS_LIBRARIES);
    Assumptions.assumeTrue(uid == 0, "only root can give a file away");
    Files.setAttribute(program, "unix:uid", 1);
    Files.setAttribute(program, "unix:mode", 0104755); // Giving it away took the rights from it.
    assertThat(ProgramFile.of(program, library())).isEqualTo(ProgramFile.PRIVILEGED);
  }

  @Test
  void whatIsNoProgramIsLeftToTheKernel() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "echo");
    assertThat(ProgramFile.of(text, library())).isEqualTo(ProgramFile.LOADS_LIBRARIES);
  }

  private static Path alone() throws Exception {
    Path program = folder.resolve("alone");
    Compiler.compile("int main(void) { return 0; }", program, "-static");
    return program;
  }

  private static Path script(String name, String interpreter) throws IOException {
    return Files.writeString(folder.resolve(name), "#!" + interpreter + "\necho\n");
  }
}
