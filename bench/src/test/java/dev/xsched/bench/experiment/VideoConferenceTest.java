package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VideoConferenceTest {
  @Test
  void measuredBarsStandBesideThoseOfThePaper() {
    Runs runs = new Runs();
    for (String label : List.of("native", "hpf", "lax")) {
      runs.add(label, Planted.outcome().party("frames", 200, 10).party("speech", 4, 900).get());
    }
    Findings findings = new Findings();
    VideoConference.judge(runs, findings);
    assertThat(findings.series())
        .filteredOn(s -> "P99".equals(s.panel()))
        .satisfiesExactly(
            own ->
                assertThat(own.points())
                    .containsExactly(
                        List.of("native", 50.0), List.of("hpf", 50.0), List.of("lax", 50.0)),
            paper ->
                assertThat(paper.points())
                    .containsExactly(List.of("native", 807.37), List.of("lax", 79.84)));
  }

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
