package dev.xsched.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NativeProgramTest {
  @Test
  void aLineHoldsNumbers() {
    assertThat(NativeProgram.numbers("12 -3 4000000000")).containsExactly(12, -3, 4_000_000_000L);
  }

  @Test
  void anythingElseInALineIsAnError() {
    assertThatThrownBy(() -> NativeProgram.numbers("12 us"))
        .isInstanceOf(NumberFormatException.class);
  }

  @Test
  void theProgramsAreLookedForInTheSources() {
    assertThat(NativeProgram.folder()).endsWithRaw(Path.of("native/target"));
  }
}
