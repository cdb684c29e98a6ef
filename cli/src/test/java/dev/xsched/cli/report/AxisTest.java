package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisTest {
  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.003, 0.9, 1, 3.3, 9.99, 13.2, 180, 12345})
  void equalStepsCoverTheValuesInAFewRoundTicks(double largest) {
    Axis axis = Axis.fitting("ms", largest / 2, largest);
    assertThat(axis.logarithmic()).isFalse();
    assertThat(axis.from()).isZero();
    assertThat(axis.to()).isBetween(largest, largest * 1.4);
    assertThat(axis.ticks()).hasSizeBetween(4, 9);
    assertThat(axis.position(axis.to())).isEqualTo(1);
  }

  @Test
  void ticksHaveAsManyDigitsAsTheStepsNeed() {
    Axis shares = new Axis("share", 0, 1, false);
    assertThat(shares.ticks().stream().map(shares::text))
        .containsExactly("0.0", "0.2", "0.4", "0.6", "0.8", "1.0");
    Axis wide = Axis.fitting("ms", 0.3, 250);
    assertThat(wide.ticks().stream().map(wide::text))
        .containsExactly("0.1", "1", "10", "100", "1000");
  }

  @Test
  void valuesThatLieWideApartAreShownByRatio() {
    Axis axis = Axis.fitting("ms", 0.3, 250);
    assertThat(axis.logarithmic()).isTrue();
    assertThat(axis.ticks()).hasSize(5);
    assertThat(axis.position(10)).isBetween(0.49, 0.51);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, -0.2, -0.7, -3.3, -40})
  void belowZeroTheTicksStillSayWhereTheyAre(double least) {
    Axis axis = Axis.linear("percent", least, 3.6);
    assertThat(axis.from()).isLessThanOrEqualTo(least);
    assertThat(axis.ticks()).contains(0.0).hasSizeBetween(3, 11);
    assertThat(axis.ticks()).allMatch(t -> Math.abs(Double.parseDouble(axis.text(t)) - t) < 1e-9);
  }

  @Test
  void whatHasNoLogarithmLiesAtTheLowerEnd() {
    Axis axis = Axis.byRatio("ms", 0.1, 100);
    assertThat(axis.position(0)).isZero();
    assertThat(axis.position(-1)).isZero();
    assertThat(Axis.byRatio("ms", 0, 100).logarithmic()).isFalse();
    assertThat(Axis.byRatio("ms", 1, 1).to()).isGreaterThan(1);
  }
}
