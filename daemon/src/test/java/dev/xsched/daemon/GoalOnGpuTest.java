package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs are told where a goal is kept by time slices. */
class GoalOnGpuTest {
  @Test
  void whoHasAGoalTellsWhenItWaitsAndTheOthersAreReadyToMakeWay(@TempDir Path folder)
      throws Exception {
    try (GpuGuests guests = new GpuGuests(folder, "SLO")) {
      Guest low = guests.come(0, Gpu.SLICES, "");
      Guest high = guests.come(10, Gpu.SLICES, "");
      high.slot(0).asks().ask(Hint.SLO_RATIO, 1_050);
      guests.ready(low, 0);
      guests.ready(high, 0);
      guests.obey(low);
      guests.obey(high);
      assertThat(high.slot(0).others()).isEqualTo(Slot.OTHERS_BELOW | Slot.OTHERS_YIELD);
      assertThat(low.slot(0).others()).isEqualTo(Slot.OTHERS_ABOVE | Slot.OTHERS_BRIEFLY);
      guests.leave(high);
      assertThat(low.slot(0).others()).isZero();
    }
  }
}
