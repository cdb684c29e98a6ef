package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Workload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrottlesTest {
  private static final Duration ADJUST = Duration.ofMillis(200);
  private static final Party KEPT = Party.of("kept", Workload.Named.CFD, new Pattern.Continuous());
  private static final Party OTHER =
      Party.of("other", Workload.Named.CFD, new Pattern.Continuous());

  @TempDir private Path folder;

  private static Scene scene(Control control) {
    return new Scene(
        "shared", control, List.of(KEPT, OTHER), Duration.ZERO, Duration.ofSeconds(1), 0);
  }

  private long share(Throttles throttles, Party party) throws Exception {
    return ByteBuffer.wrap(Files.readAllBytes(throttles.files().get(party.name())))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong(8);
  }

  @Test
  void quotaIsAShareInMillionthsOfEachProgram() throws Exception {
    Control quota = new Control.Quota(Map.of("kept", 80, "other", 20), Duration.ofMillis(10));
    try (Throttles throttles = Throttles.of(scene(quota), folder)) {
      assertThat(share(throttles, KEPT)).isEqualTo(800_000);
      assertThat(share(throttles, OTHER)).isEqualTo(200_000);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void rateControlBeginsWithNearlyNothingForTheOther() throws Exception {
    Control rate = new Control.RateControl("kept", "other", ADJUST);
    try (Throttles throttles = Throttles.of(scene(rate), folder)) {
      assertThat(share(throttles, KEPT)).isEqualTo(1_000_000);
      assertThat(share(throttles, OTHER)).isEqualTo(10_000);
    }
  }

  @Test
  void nobodyElseIsThrottled() throws Exception {
    try (Throttles throttles = Throttles.of(scene(new Control.Native()), folder)) {
      assertThat(throttles.files()).isEmpty();
    }
  }

  /** 10 requests each 200 ms: 50 in the window of a second. */
  @Test
  void shareGrowsWhileThePaceHoldsAndIsHalvedWhenItFalls() {
    Throttles.Pacer pacer = new Throttles.Pacer(ADJUST);
    long done = 0;
    for (int tick = 0; tick < 8; tick++) { // Fills the window, then learns the pace three times.
      assertThat(pacer.adjust(done)).isEqualTo(1);
      done += 10;
    }
    assertThat(pacer.adjust(done)).isEqualTo(2);
    assertThat(pacer.adjust(done += 10)).isEqualTo(3);
    assertThat(pacer.adjust(done += 8)).isEqualTo(4); // 48 of 50: within 5 percent
    assertThat(pacer.adjust(done += 8)).isEqualTo(2); // 46 of 50
  }
}
