package dev.xsched.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.record.RecordFolder;
import dev.xsched.bench.record.RecordReader;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.State;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
  @TempDir private Path out = Path.of("");
  private final List<String> skipped = new ArrayList<>();
  private final List<RunRecord> kept = new ArrayList<>();

  private final Runner.Listener listener =
      new Runner.Listener() {
        @Override
        public void starts(Experiment experiment) {}

        @Override
        public void skipped(Experiment experiment, String reason) {
          skipped.add(experiment.id() + " " + reason);
        }

        @Override
        public void wrote(ResultRecord record, Path file) {}

        @Override
        public void begins(String what) {}

        @Override
        public void played(Duration deviceTime) {}
      };

  private List<ResultRecord> run(FakeStage stage, boolean again, String commit, String... ids)
      throws IOException, InterruptedException {
    return run(stage, Extent.QUICK, again, commit, ids);
  }

  private List<ResultRecord> run(
      FakeStage stage, Extent extent, boolean again, String commit, String... ids)
      throws IOException, InterruptedException {
    Runner runner =
        new Runner(
            stage,
            new Runner.Order(Experiments.named(List.of(ids)), extent, out, again, "1", commit),
            listener);
    List<ResultRecord> records = runner.run();
    kept.addAll(runner.kept());
    return records;
  }

  private static FakeStage vanishedAt(int first) {
    return new FakeStage(
        scene -> {
          if (scene >= first) {
            throw new StageException("the device is gone");
          }
        });
  }

  private List<RunRecord> records() throws IOException {
    return RecordFolder.read(out).records();
  }

  private RunRecord read(String name) throws IOException {
    return RecordReader.read(out.resolve(name), name);
  }

  @Test
  void recordOfAStandInSaysSoWhereverItIsShown() throws Exception {
    run(new FakeStage(_ -> {}, "Stand-in for an AMD GPU"), false, "a", "7.4.1");
    RunRecord record = read("7.4.1-fake.json");
    assertThat(record.notes()).contains("stand-in, no GPU");
    assertThat(record.labelledDevice()).isEqualTo("fake (simulated, stand-in, quick)");
    run(new FakeStage(_ -> {}), false, "b", "7.4.1");
    assertThat(read("7.4.1-fake.json").notes()).doesNotContain("stand-in, no GPU");
  }

  @Test
  void whatIsCompleteAndOfThisCommitIsNotMeasuredAgain() throws Exception {
    run(new FakeStage(_ -> {}), false, "a", "7.4.1");
    FakeStage second = new FakeStage(_ -> {});
    run(second, false, "a", "7.4.1");
    assertThat(second.played()).isZero();
    assertThat(skipped.getFirst()).contains("7.4.1", "--again measures it anew");
    run(second, false, "b", "7.4.1");
    assertThat(kept).extracting(RunRecord::testId).containsExactly("7.4.1");
    int ofOtherCommit = second.played();
    assertThat(ofOtherCommit).isPositive();
    run(second, true, "b", "7.4.1");
    assertThat(second.played()).isEqualTo(2 * ofOtherCommit);
  }

  @Test
  void changedSourcesAreAlwaysMeasuredAgain() throws Exception {
    run(new FakeStage(_ -> {}), false, "a-dirty", "7.4.1");
    FakeStage second = new FakeStage(_ -> {});
    run(second, false, "a-dirty", "7.4.1");
    assertThat(second.played()).isPositive();
  }

  @Test
  void vanishedDeviceLeavesAPartialRecordAndTheOthersGoOn() throws Exception {
    FakeStage stage =
        new FakeStage(
            scene -> {
              if (scene == 3) {
                throw new StageException("the worker crashed: out of memory; use a smaller batch");
              }
            });
    List<ResultRecord> records = run(stage, false, "a", "7.4.1", "7.2.2");
    assertThat(records).extracting(ResultRecord::state).containsExactly("partial", "complete");
    RunRecord partial = read("7.4.1-fake.json");
    assertThat(partial.state()).isEqualTo(State.PARTIAL);
    assertThat(partial.notes()).anyMatch(n -> n.startsWith("partial: the worker crashed"));
    assertThat(partial.results()).containsKey("p99_latency_so_far_alone_native");
  }

  /** All is the same on that stage, so differences are none and some ratios no numbers. */
  @Test
  void experimentsAboutNvidiaPlayToTheirEndAndTheirRecordsCanBeRead() throws Exception {
    String[] ids = {"N.1", "N.2", "N.3", "N.4", "N.5"};
    List<ResultRecord> records = run(new FakeStage(_ -> {}), false, "a", ids);
    assertThat(records).extracting(ResultRecord::state).containsOnly("complete").hasSize(5);
    for (ResultRecord record : records) {
      assertThat(read(record.testId() + "-fake.json").criteria())
          .hasSameSizeAs(record.criteria())
          .isNotEmpty();
    }
  }

  @Test
  void partialRecordIsMeasuredAgain() throws Exception {
    run(
        new FakeStage(
            _ -> {
              throw new StageException("gone");
            }),
        false,
        "a",
        "7.4.1");
    List<ResultRecord> records = run(new FakeStage(_ -> {}), false, "a", "7.4.1");
    assertThat(records).extracting(ResultRecord::state).containsExactly("complete");
  }

  @Test
  void interruptionLeavesAPartialRecordAndEndsTheRun() throws Exception {
    FakeStage stage =
        new FakeStage(
            _ -> {
              throw new InterruptedException();
            });
    assertThatThrownBy(() -> run(stage, false, "a", "7.4.1", "7.2.2"))
        .isInstanceOf(InterruptedException.class);
    assertThat(read("7.4.1-fake.json").state()).isEqualTo(State.PARTIAL);
    assertThat(out.resolve("7.2.2-fake.json")).doesNotExist();
  }

  @Test
  void interruptedRunLeavesTheCompleteRecordAlone() throws Exception {
    run(new FakeStage(_ -> {}), false, "a", "7.4.1");
    FakeStage stage =
        new FakeStage(
            _ -> {
              throw new InterruptedException();
            });
    assertThatThrownBy(() -> run(stage, true, "a", "7.4.1"))
        .isInstanceOf(InterruptedException.class);
    assertThat(read("7.4.1-fake.json").state()).isEqualTo(State.COMPLETE);
    assertThat(records()).extracting(RunRecord::state).contains(State.PARTIAL);
  }

  @Test
  void deviceThatVanishedLeavesTheCompleteRecordOfAnEarlierCommitAlone() throws Exception {
    run(new FakeStage(_ -> {}), false, "a", "7.4.1");
    run(vanishedAt(1), false, "b", "7.4.1");
    assertThat(read("7.4.1-fake.json").commit()).isEqualTo("a");
    run(new FakeStage(_ -> {}), false, "b", "7.4.1");
    assertThat(read("7.4.1-fake.json").commit()).isEqualTo("b");
  }

  @Test
  void deviceThatVanishesAtOnceLeavesAloneWhatWasPlayedBeforeItVanishedFirst() throws Exception {
    run(vanishedAt(3), false, "a", "7.4.1");
    run(vanishedAt(1), false, "a", "7.4.1");
    assertThat(read("7.4.1-fake.json").results()).containsKey("p99_latency_so_far_alone_native");
  }

  @Test
  void quickRunLeavesTheFullRecordAloneAndIsNotRepeatedEither() throws Exception {
    run(new FakeStage(_ -> {}), Extent.FULL, false, "a", "7.4.1");
    run(new FakeStage(_ -> {}), Extent.QUICK, false, "a", "7.4.1");
    assertThat(read("7.4.1-fake.json").quick()).isFalse();
    assertThat(records()).extracting(RunRecord::quick).containsExactlyInAnyOrder(true, false);
    FakeStage again = new FakeStage(_ -> {});
    run(again, Extent.QUICK, false, "a", "7.4.1");
    assertThat(again.played()).isZero();
  }

  @Test
  void fullRunTakesThePlaceOfTheQuickOne() throws Exception {
    run(new FakeStage(_ -> {}), Extent.QUICK, false, "a", "7.4.1");
    run(new FakeStage(_ -> {}), Extent.FULL, false, "a", "7.4.1");
    assertThat(records()).extracting(RunRecord::quick).containsExactly(false);
  }

  @Test
  void deviceIsMeasuredWhereOnlyItsStandInWasAndKeepsItsRecord() throws Exception {
    run(new FakeStage(_ -> {}, "Stand-in for an AMD GPU"), false, "a", "7.4.1");
    FakeStage real = new FakeStage(_ -> {});
    run(real, false, "a", "7.4.1");
    assertThat(real.played()).isPositive();
    run(new FakeStage(_ -> {}, "Stand-in for an AMD GPU"), true, "a", "7.4.1");
    assertThat(read("7.4.1-fake.json").labels()).doesNotContain("stand-in");
  }

  @Test
  void experimentThatMakesNoSenseHereIsSkippedWithItsReason() throws Exception {
    assertThat(run(new FakeStage(_ -> {}), false, "a", "7.4.2")).isEmpty();
    assertThat(skipped).containsExactly("7.4.2 not on fake: no processor");
  }

  /** A folder in place of the file stands for any reason why it cannot be written. */
  @Test
  void recordThatCannotBeWrittenEndsTheRunAndLeavesNothingHalf() throws Exception {
    Files.createDirectories(out.resolve("7.4.1-fake.json/full"));
    FakeStage stage = new FakeStage(_ -> {});
    assertThatThrownBy(() -> run(stage, true, "a", "7.4.1", "7.2.2"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("make room or give --out another folder");
    try (var files = Files.list(out)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsExactly("7.4.1-fake.json");
    }
  }
}
