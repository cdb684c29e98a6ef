package dev.xsched.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleTest {
  private final List<MemorySegment> released = new ArrayList<>();
  private final Handle handle = new Handle("a thing", MemorySegment.ofAddress(8), released::add);

  @Test
  void isReleasedOnce() {
    handle.close();
    handle.close();
    assertThat(released).containsExactly(MemorySegment.ofAddress(8));
  }

  @Test
  void isReleasedByTheLastWhoUsesIt() {
    handle.enter();
    handle.close();
    assertThat(released).isEmpty();
    handle.leave();
    assertThat(released).hasSize(1);
  }

  @Test
  void isKeptWhileAnActionUsesItEvenOneThatFails() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                handle.run(
                    _ -> {
                      handle.close();
                      assertThat(released).isEmpty();
                      throw new IllegalArgumentException();
                    }));
    assertThat(released).hasSize(1);
    assertThatIllegalStateException().isThrownBy(() -> handle.get(MemorySegment::address));
  }

  @Test
  void isRefusedAfterItWasClosedEvenWhileInUse() {
    handle.enter();
    handle.close();
    assertThatIllegalStateException()
        .isThrownBy(handle::enter)
        .withMessage(
            "a thing is closed; close it only after the commands that use it have finished");
    handle.leave();
    assertThatIllegalStateException().isThrownBy(handle::enter);
    assertThat(released).hasSize(1);
  }
}
