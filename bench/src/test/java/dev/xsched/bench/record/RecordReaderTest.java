package dev.xsched.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.RecordFiles;
import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.ResultRecord.Series;
import dev.xsched.bench.record.RunRecord.State;
import dev.xsched.bench.run.Comparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordReaderTest {
  private static final Path OLD = Path.of("../results");

  @TempDir private Path folder = Path.of("");

  private static ResultRecord record(String state, boolean met) {
    return new ResultRecord(
        "7.2.1",
        "name",
        Instant.parse("2026-11-15T12:00:00Z"),
        Map.of("cpu", "some"),
        Map.of("java", "25"),
        "1",
        "abc",
        "./xsched bench run 7.2.1",
        "sim:gv100",
        true,
        true,
        state,
        Map.of("load", "20 %"),
        Map.of("x", 1.5, "word", "text"),
        List.of(
            new Series(
                "9-top",
                null,
                "native",
                "bar",
                "measured",
                "x",
                null,
                "P99",
                List.of(List.of("Lv1", 4.5)))),
        List.of(new Criterion("P99", "< 2x", "1.13x", 1.5, met, true)),
        met,
        List.of("a note"));
  }

  private RunRecord written(String state, boolean met) throws Exception {
    Path file = RecordFiles.replace(record(state, met), folder.resolve("a.json"));
    return RecordReader.read(file, "a.json");
  }

  @Test
  void whatWasWrittenIsReadBack() throws Exception {
    RunRecord read = written("complete", true);
    assertThat(read.testId()).isEqualTo("7.2.1");
    assertThat(read.date()).isEqualTo("2026-11-15T12:00:00Z");
    assertThat(read.hardware()).isEqualTo(Map.of("cpu", "some"));
    assertThat(read.runtime()).isEqualTo(Map.of("java", "25"));
    assertThat(read.command()).isEqualTo("./xsched bench run 7.2.1");
    assertThat(read.device()).isEqualTo("sim:gv100");
    assertThat(read.labels()).containsExactly("simulated", "quick");
    assertThat(read.state()).isEqualTo(State.COMPLETE);
    assertThat(read.configuration()).isEqualTo(Map.of("load", "20 %"));
    assertThat(read.results()).isEqualTo(Map.of("x", 1.5, "word", "text"));
    assertThat(read.series())
        .containsExactly(
            new Curve(
                "9-top",
                "",
                "native",
                Curve.Kind.BAR,
                Curve.Source.MEASURED,
                "x",
                "",
                "P99",
                List.of(new Curve.Point("Lv1", 0, 4.5))));
    assertThat(read.criteria())
        .containsExactly(new RunRecord.Criterion("P99", "< 2x", "1.13x", 1.5, true, true));
    assertThat(read.notes()).containsExactly("a note");
    assertThat(Files.readString(folder.resolve("a.json")))
        .contains("\"test_id\"", "\"goal_only\" : true", "\"y_label\"")
        .doesNotContain("panel");
  }

  @Test
  void recordsOfEarlierVersionsAreReadAndOtherFilesNamed() throws Exception {
    RecordFolder old = RecordFolder.read(OLD);
    assertThat(old.records())
        .extracting(RunRecord::testId)
        .contains("F.2", "micro", "daemon", "7.2.1");
    assertThat(old.records())
        .filteredOn(r -> r.testId().equals("micro"))
        .isNotEmpty()
        .allMatch(r -> r.state() == State.COMPLETE && r.series().isEmpty());
    assertThat(old.skipped()).contains("demo-realtime-gv100-1.json (no test_id)");
  }

  @Test
  void comparisonTellsWhatGotWorse() throws Exception {
    List<RunRecord> met = List.of(written("complete", true));
    List<RunRecord> missed = List.of(written("complete", false));
    List<RunRecord> invalid = List.of(written("invalid", true));
    assertThat(Comparison.of(met, met).getFirst().verdict()).isEqualTo("met");
    assertThat(Comparison.of(met, missed).getFirst().verdict()).isEqualTo("met -> missed");
    assertThat(Comparison.of(met, invalid).getFirst().verdict()).isEqualTo("met -> invalid");
    assertThat(Comparison.of(met, met).getFirst().ratio()).isEqualTo(1);
    assertThat(Comparison.of(met, List.of())).isEmpty();
  }
}
