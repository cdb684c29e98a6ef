package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs are told that offer interrupts and priorities of their queues, but no slices. */
class GpuQueuesTest {
  private final GpuGuests guests;
  private final Dispatcher dispatcher;

  GpuQueuesTest(@TempDir Path folder) throws IOException {
    guests = new GpuGuests(folder, "HPF");
    dispatcher = guests.dispatcher;
  }

  @AfterEach
  void close() {
    guests.close();
  }

  @Test
  void workThatOutlastsAnInterruptIsTakenOffTheGpuByTheProgram() throws Exception {
    Guest low = guests.come(0, Gpu.QUEUES, "");
    Guest high = guests.come(10, Gpu.QUEUES, "");
    guests.ready(low, 0);
    low.slot(0).setCounts(8, 8, 0, 50_000_000);
    guests.ready(high, 0);
    assertThat(low.slot(0).gateOpen()).isFalse();
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.HERE);
    assertThat(high.gpu(0).interruptOrder()).isEqualTo(Gpu.Interrupt.NONE);
    assertThat(high.slot(0).gateOpen()).isTrue();
    guests.idle(high, 0);
    assertThat(low.slot(0).gateOpen()).isTrue();
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.NONE);
  }

  @Test
  void priorityFollowsTheRankWhoeverHasWork() throws Exception {
    Guest low = guests.come(0, Gpu.QUEUES, "");
    Guest high = guests.come(10, Gpu.QUEUES, "");
    assertThat(low.gpu(0).priorityOrder()).isEqualTo(1);
    assertThat(high.gpu(0).priorityOrder()).isEqualTo(Gpu.HIGHEST_PRIORITY);
    guests.ready(low, 0);
    guests.ready(high, 0);
    assertThat(low.gpu(0).priorityOrder()).isEqualTo(1);
    assertThat(List.of(low.gpu(0).sliceOrder(), high.gpu(0).sliceOrder())).containsOnly(0L);
    guests.leave(high);
    assertThat(low.gpu(0).priorityOrder()).isZero();
  }

  @Test
  void whoOffersNothingLeavesAllPrioritiesAsTheyAre() throws Exception {
    Guest low = guests.come(0, Gpu.QUEUES, "");
    Guest high = guests.come(10, Gpu.QUEUES, "");
    Guest third = guests.come(0, Gpu.QUEUES, "CWSR is off; load amdgpu with cwsr_enable=1");
    guests.ready(third, 0);
    assertThat(low.gpu(0).priorityOrder()).isZero();
    assertThat(high.gpu(0).priorityOrder()).isZero();
  }

  @Test
  void theReasonIsShown() throws Exception {
    Guest low = guests.come(0, Gpu.QUEUES, "");
    Guest other = guests.come(5, Gpu.QUEUES, "CWSR is off; load amdgpu with cwsr_enable=1");
    assertThat(reason(low)).contains("is taken off the GPU");
    assertThat(reason(other)).isEqualTo("CWSR is off; load amdgpu with cwsr_enable=1");
    guests.ready(other, 0);
    assertThat(reason(low)).contains("is taken off the GPU");
  }

  private String reason(Guest guest) {
    return dispatcher.look(
        () ->
            dispatcher.programs().stream()
                .filter(p -> p.id() == guest.id())
                .findFirst()
                .orElseThrow()
                .queues()
                .getFirst()
                .reason());
  }
}
