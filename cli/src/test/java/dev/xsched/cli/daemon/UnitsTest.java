package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({"20ms,20000", "500us,500", "3s,3000000", "1.5ms,1500", "0.1s,100000"})
  void timesHaveUnits(String text, long micros) {
    assertThat(HintValues.micros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @CsvSource({"30,30", "30%,30", "0,0", "100%,100"})
  void sharesMayCarryTheirSign(String text, long percent) {
    assertThat(HintValues.parse(Hint.UTILIZATION, text)).isEqualTo(percent);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 ns",
    "999,999 ns",
    "1500,1.5 us",
    "20000000,20 ms",
    "123456789,123 ms",
    "2000000000,2 s",
    "3723000000000,1 h 2 min",
    "90000000000000,1 d 1 h"
  })
  void timesAreReadInThreeDigits(double nanos, String text) {
    assertThat(Units.time(nanos)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "9999,9999", "12345,12.3k", "4560000,4.56M", "20000000000,20G"})
  void countsAreShortenedWhereTheyAreLong(double count, String text) {
    assertThat(Units.count(count)).isEqualTo(text);
  }
}
