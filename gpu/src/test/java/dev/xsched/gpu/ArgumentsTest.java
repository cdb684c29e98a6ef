package dev.xsched.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  @Test
  void lieInMemoryWithTheirOwnSizes() {
    List<Long> sizes = new ArrayList<>();
    new Arguments("k", 1, 2L, (short) 3, (byte) 4, 5f, 6d)
        .use(
            (values, _) -> {
              values.forEach(v -> sizes.add(v.byteSize()));
              return 0;
            });
    assertThat(sizes).containsExactly(4L, 8L, 2L, 1L, 4L, 8L);
  }

  @Test
  void memoryOfTheDeviceIsKeptWhileItIsUsed() {
    List<MemorySegment> released = new ArrayList<>();
    Handle handle = new Handle("memory", MemorySegment.ofAddress(64), released::add);
    DeviceMemory memory = () -> handle;
    new Arguments("k", memory)
        .use(
            (values, _) -> {
              handle.close();
              assertThat(released).isEmpty();
              assertThat(values.getFirst().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(64);
              return 0;
            });
    assertThat(released).hasSize(1);
  }

  @Test
  void whatAKernelCannotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arguments("add", 1, "two"))
        .withMessageStartingWith("argument 1 of kernel 'add' is a String");
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment own = confined.allocate(16);
      assertThatIllegalArgumentException().isThrownBy(() -> new Arguments("add", own));
    }
  }
}
