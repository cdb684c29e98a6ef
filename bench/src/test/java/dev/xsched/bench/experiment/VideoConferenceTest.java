package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Requests;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
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

  /** A piece that came in the warm-up ends, that of 56 s hangs, and so does that of 59 s. */
  @Test
  void transcriptionThatNeverEndsIsLateAlsoIfOneOfTheWarmUpEnds() {
    Requests speech = new Requests();
    for (long at = -1; at < 56; at += 3) {
      speech.add(at * 1_000_000_000, at * 1_000_000_000 + 2_900_000_000L);
    }
    int offered = 20; // At 2, 5, ... 59 s.
    Runs runs = new Runs();
    runs.add(
        "lax",
        new Outcome(
            List.of(new Outcome.PartyOutcome("speech", speech, offered, 1, OptionalDouble.empty())),
            60,
            1,
            DeviceLoad.UNKNOWN,
            OptionalDouble.empty(),
            List.of()));
    assertThat(VideoConference.late(runs, "lax")).isEqualTo(1);
  }

  /** With a quarter of the device: 30 ms before the deadline, and 40 ms that are still to do. */
  @Test
  void laxityLeavesRoomForWhatIsLeft() {
    assertThat(VideoConference.laxity(0.25)).isEqualTo(Duration.ofMillis(2_930));
  }
}
