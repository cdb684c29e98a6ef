package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelCheckTest {
  @Test
  void nothingIsSaidWhereThereIsNoGpu() {
    assertThat(LevelCheck.of(States.two(new HintState(0L, "default")))).isEmpty();
  }

  @Test
  void whoOffersNothingIsNamedWithTheReason() {
    DaemonState state =
        States.of(
            1,
            "HPF",
            1,
            States.program(7, "serve", States.onGpu(1, List.of(1, 3), 1, "by time slices")),
            States.program(8, "train", States.onGpu(2, List.of(1), 0, "the GPU is divided (MIG)")));
    assertThat(LevelCheck.of(state))
        .hasValueSatisfying(
            finding -> {
              assertThat(finding.state()).isEqualTo("warning");
              assertThat(finding.found())
                  .isEqualTo("train (pid 8) does not offer it: the GPU is divided (MIG)");
              assertThat(finding.remedy()).contains("open kernel modules");
            });
  }

  @Test
  void whereAllOfferItThatIsSaid() {
    DaemonState state =
        States.of(
            1,
            "HPF",
            1,
            States.program(7, "serve", States.onGpu(1, List.of(1, 3), 1, "by time slices")));
    assertThat(LevelCheck.of(state))
        .hasValueSatisfying(
            finding -> {
              assertThat(finding.state()).isEqualTo("ok");
              assertThat(finding.found()).isEqualTo("offered on GPUs; by time slices");
            });
  }
}
