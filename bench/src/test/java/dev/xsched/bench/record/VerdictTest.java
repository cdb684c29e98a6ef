package dev.xsched.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest(name = "{0}, pass {1}, goal only {2}")
  @CsvSource({
    "complete, true, false, met, met",
    "complete, false, false, missed, missed",
    "complete, false, true, missed, met",
    "partial, true, false, partial, partial",
    "invalid, true, false, invalid, invalid",
    "invalid, false, true, invalid, invalid",
  })
  void aRunThatProvesNothingMeetsNothingAndAStretchGoalDecidesNothing(
      String state, boolean pass, boolean goalOnly, String criterion, String whole)
      throws IOException {
    String json =
        """
        {"test_id": "7.2.1", "state": "%s", "criteria":
          [{"name": "a", "goal": "< 1", "value": 2, "pass": %s, "goal_only": %s}]}
        """
            .formatted(state, pass, goalOnly);
    Files.writeString(folder.resolve("a.json"), json);
    RunRecord record = RecordFolder.read(folder).records().getFirst();
    assertThat(Verdict.of(record, record.criteria().getFirst()).word()).isEqualTo(criterion);
    assertThat(Verdict.of(record).word()).isEqualTo(whole);
  }
}
