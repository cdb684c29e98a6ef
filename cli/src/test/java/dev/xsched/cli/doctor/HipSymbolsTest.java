package dev.xsched.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the library of the Java that runs the test: it is there, and its symbols have versions. */
class HipSymbolsTest {
  private static final Path JVM = Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");

  @TempDir private Path folder;

  @Test
  void aLibraryTellsItsNameItsSymbolsAndTheirVersions() throws IOException {
    ElfSymbols elf = ElfSymbols.of(JVM);
    assertThat(elf.soname()).isEqualTo("libjvm.so");
    assertThat(elf.defined()).containsEntry("JNI_CreateJavaVM", "SUNWprivate_1.1");
    assertThat(elf.undefined()).contains("malloc").doesNotContain("JNI_CreateJavaVM");
  }

  @Test
  void aFileThatIsNoLibraryOrOnlyHalfOfOneIsRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("text.so"), "x".repeat(100));
    assertThatThrownBy(() -> ElfSymbols.of(text)).isInstanceOf(IOException.class);
    byte[] half = new byte[1000];
    try (var in = Files.newInputStream(JVM)) {
      assertThat(in.readNBytes(half, 0, half.length)).isEqualTo(half.length);
    }
    Path cut = Files.write(folder.resolve("cut.so"), half);
    assertThatThrownBy(() -> ElfSymbols.of(cut)).isInstanceOf(IOException.class);
  }

  @Test
  void theTableNamesTwinsAndLeavesOutWhatIsOnlyUsed() {
    assertThat(
            HipTable.read(
                List.of(
                    "# a comment about launch hipNothing i",
                    "",
                    "hooks events",
                    "launch hipMemcpyAsync^ i p p Z i s",
                    "sync hipStreamQuery i s",
                    "use hipGetDevice i p")))
        .containsExactly(
            new HipTable.Function("hipMemcpyAsync", true),
            new HipTable.Function("hipMemcpyAsync_spt", true),
            new HipTable.Function("hipStreamQuery", false));
  }

  @Test
  void aLibraryThatCannotLaunchIsNoHipRuntime() {
    Finding finding = HipSymbols.check(JVM, Optional.of(AmdMachine.TABLE));
    assertThat(finding.state()).isEqualTo("problem");
    assertThat(finding.found()).contains("provides 0 of 3", "hipLaunchKernel, hipMemcpyAsync");
    assertThat(finding.remedy()).contains("XSCHED_HIP_LIB");
  }

  @Test
  void withoutTheTableNothingIsClaimed() {
    assertThat(HipSymbols.check(JVM, Optional.empty()).found()).startsWith("not compared");
  }
}
