package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VideoConferenceTest {
  @Test
  void transcriptionsAfterThreeSecondsAreLate() {
    Runs runs = new Runs();
    runs.add("in time", Planted.outcome().party("speech", 4, 2_999).get());
    runs.add("late", Planted.outcome().party("speech", 4, 3_001).get());
    assertThat(VideoConference.late(runs, "in time")).isZero();
    assertThat(VideoConference.late(runs, "late")).isEqualTo(4);
  }

  /** With a quarter of the device: 30 ms before the deadline, and 40 ms that are still to do. */
  @Test
  void laxityLeavesRoomForWhatIsLeft() {
    assertThat(VideoConference.laxity(0.25)).isEqualTo(Duration.ofMillis(2_930));
  }
}
