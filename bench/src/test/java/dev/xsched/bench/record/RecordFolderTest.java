package dev.xsched.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.record.RunRecord.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordFolderTest {
  @TempDir private Path folder = Path.of("");

  private RecordFolder read() throws IOException {
    return RecordFolder.read(folder);
  }

  private RunRecord only(String json) throws IOException {
    Files.writeString(folder.resolve("one.json"), json);
    RecordFolder read = read();
    assertThat(read.skipped()).isEmpty();
    return read.records().getFirst();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                               | no test_id
          []                               | no JSON object
          {"test_id": "7.2.1"}             | neither results nor criteria
          {"test_id": "", "results": {}}   | no test_id
          {"test_id": "7.2.1", "results":  | broken JSON in line 1
          nothing                          | broken JSON in line 1
          """)
  void whatIsNoRecordIsNamedWithTheReason(String json, String reason) throws IOException {
    Files.writeString(folder.resolve("a.json"), json);
    assertThat(read().records()).isEmpty();
    assertThat(read().skipped()).containsExactly("a.json (" + reason + ")");
  }

  @Test
  void bytesThatAreNoTextAreNamedToo() throws IOException {
    Files.write(folder.resolve("a.json"), new byte[] {'{', (byte) 0xff, '}'});
    Files.writeString(folder.resolve("b.txt"), "no business of ours");
    assertThat(read().skipped()).containsExactly("a.json (no UTF-8)");
  }

  @Test
  void anOldRecordKeepsItsCriteriaAndResults() throws IOException {
    RunRecord record =
        only(
            """
            {"test_id": "F.2", "hardware": {"gpu": "NVIDIA H200", "cpu": "x"}, "simulated": false,
             "rocm_version": "6.2",
             "results": {"flat_p99_ms": 148.95, "rates": [1.5, 2], "how": "by hand"},
             "criteria": [{"name": "ordered", "goal": "3 < 2", "value": "72.49 < 110.48",
                           "pass": true}]}
            """);
    assertThat(record.device()).isEqualTo("NVIDIA H200");
    assertThat(record.state()).isEqualTo(State.COMPLETE);
    assertThat(record.quick()).isFalse();
    assertThat(record.series()).isEmpty();
    assertThat(record.runtime()).containsEntry("rocm", "6.2");
    assertThat(record.results())
        .containsEntry("flat_p99_ms", 148.95)
        .containsEntry("rates", "1.5, 2")
        .containsEntry("how", "by hand");
    assertThat(record.criteria().getFirst().value()).isEqualTo("72.49 < 110.48");
    assertThat(record.criteria().getFirst().goalOnly()).isFalse();
  }

  @Test
  void aModelIsSimulatedEvenIfTheRecordForgotToSaySo() throws IOException {
    RunRecord record = only("{\"test_id\": \"x\", \"device\": \"sim:gv100\", \"results\": {}}");
    assertThat(record.simulated()).isTrue();
    assertThat(record.labels()).containsExactly("simulated");
  }

  @Test
  void aStateThatNobodyKnowsIsNotTrusted() throws IOException {
    RunRecord record = only("{\"test_id\": \"x\", \"state\": \"fine\", \"results\": {}}");
    assertThat(record.state()).isEqualTo(State.INVALID);
    assertThat(record.notes()).anyMatch(note -> note.contains("'fine' is unknown"));
  }

  @Test
  void aPassThatTheCriteriaDoNotSupportIsNoted() throws IOException {
    RunRecord record =
        only(
            """
            {"test_id": "x", "pass": true, "notes": [],
             "criteria": [{"name": "a", "goal": "< 1", "value": 2, "pass": false}]}
            """);
    assertThat(record.notes()).anyMatch(note -> note.contains("misses a criterion"));
    assertThat(Verdict.of(record)).isEqualTo(Verdict.MISSED);
  }

  @Test
  void seriesThatCannotBeDrawnAreLeftOutAndNoted() throws IOException {
    RunRecord record =
        only(
            """
            {"test_id": "x", "results": {}, "series": [
             {"figure": "../../etc/passwd", "name": "a", "kind": "line", "points": [[1, 2]]},
             {"figure": "11b", "name": "b", "kind": "pie", "points": [[1, 2]]},
             {"figure": "11b", "name": "c", "kind": "line", "points": [["NaN", 2], [1, "x"], 3]},
             {"figure": "11b", "name": "d", "kind": "line", "points": [["NaN", 2], [1, 5]]},
             {"figure": "11a", "name": "e", "kind": "bar", "points": [["Lv1", 4.1]]}]}
            """);
    assertThat(record.series()).extracting(Curve::name).containsExactly("d", "e");
    assertThat(record.series().getFirst().points()).hasSize(1);
    assertThat(record.notes()).hasSize(3);
    assertThat(record.notes()).anyMatch(n -> n.contains("no name of a figure"));
    assertThat(record.notes()).anyMatch(n -> n.contains("'pie' is unknown"));
    assertThat(record.notes()).anyMatch(n -> n.contains("no points"));
  }

  @Test
  void recordsOfFoldersBelowComeInTheOrderOfThePlan() throws IOException {
    Files.createDirectories(folder.resolve("sub"));
    for (String id : new String[] {"micro", "F.1", "8.1.1", "7.10.1", "7.2.1", "4.2.1"}) {
      Files.writeString(
          folder.resolve("sub/" + id + ".json"), "{\"test_id\": \"" + id + "\", \"results\": {}}");
    }
    assertThat(read().records())
        .extracting(RunRecord::testId)
        .containsExactly("7.2.1", "7.10.1", "8.1.1", "4.2.1", "F.1", "micro");
  }
}
