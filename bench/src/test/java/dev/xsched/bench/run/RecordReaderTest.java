package dev.xsched.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.RecordFiles;
import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.ResultRecord.Series;
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

  static ResultRecord record(String state, boolean met) {
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

  @Test
  void whatWasWrittenIsReadBack() throws Exception {
    Path file = RecordFiles.replace(record("complete", true), folder.resolve("a.json"));
    assertThat(RecordReader.read(file)).isEqualTo(record("complete", true));
    assertThat(Files.readString(file))
        .contains("\"test_id\"", "\"goal_only\" : true", "\"y_label\"")
        .doesNotContain("panel");
  }

  @Test
  void recordsOfEarlierVersionsAreReadAndOtherFilesPassedOver() throws Exception {
    List<ResultRecord> old = RecordReader.readAll(OLD);
    assertThat(old).extracting(ResultRecord::testId).contains("F.2", "micro", "daemon");
    assertThat(old).allMatch(r -> r.state().equals("complete") && r.series().isEmpty());
    assertThatThrownBy(() -> RecordReader.read(OLD.resolve("demo-realtime-gv100-1.json")))
        .hasMessageContaining("has no test_id");
  }

  @Test
  void comparisonTellsWhatGotWorse() {
    List<ResultRecord> met = List.of(record("complete", true));
    List<ResultRecord> missed = List.of(record("complete", false));
    List<ResultRecord> invalid = List.of(record("invalid", true));
    assertThat(Comparison.of(met, met).getFirst().verdict()).isEqualTo("met");
    assertThat(Comparison.of(met, missed).getFirst().verdict()).isEqualTo("met -> missed");
    assertThat(Comparison.of(met, invalid).getFirst().verdict()).isEqualTo("met -> invalid");
    assertThat(Comparison.of(met, met).getFirst().ratio()).isEqualTo(1);
    assertThat(Comparison.of(met, List.of())).isEmpty();
  }
}
