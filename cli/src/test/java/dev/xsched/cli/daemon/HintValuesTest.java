package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.policy.Hint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HintValuesTest {
  @ParameterizedTest
  @CsvSource({
    "20ms,SLO_P99,20000",
    "500us,SLO_P99,500",
    "1.05x,SLO_RATIO,1050",
    "1x,SLO_RATIO,1000",
    "2.0005x,SLO_RATIO,2000"
  })
  void aGoalIsATimeOrARatio(String text, Hint hint, long value) {
    assertThat(HintValues.goalOf(text)).isEqualTo(hint);
    assertThat(HintValues.parse(hint, text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.9x", "x", "-1x", "1,05x", "1e3x", "9999999x", ".5x", "NaNx"})
  void aRatioThatMakesNoSenseIsAnsweredWithOneThatDoes(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HintValues.parse(HintValues.goalOf(text), text))
        .withMessageContaining("such as 1.05x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "20", "0ms", "fast", "-5ms"})
  void aTimeThatMakesNoSenseIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HintValues.parse(HintValues.goalOf(text), text));
  }

  @Test
  void aRatioIsShownAsItIsWritten() {
    assertThat(HintValues.format(Hint.SLO_RATIO, 1_050)).isEqualTo("1.05x");
    assertThat(HintValues.format(Hint.SLO_RATIO, 2_000)).isEqualTo("2x");
  }
}
