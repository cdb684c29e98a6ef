package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void textStandsLeftAndNumbersRight() {
    Table table =
        new Table(
            List.of("run", "P99"), List.of(List.of("native", "13.2 ms"), List.of("alone", "3 ms")));
    assertThat(table.lines())
        .containsExactly("run         P99", "native  13.2 ms", "alone      3 ms");
  }

  @Test
  void aRowMustFit() {
    assertThatThrownBy(() -> new Table(List.of("a"), List.of(List.of("1", "2"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersKeepThreeDigits() {
    assertThat(Numbers.significant(0.03123)).isEqualTo("0.0312");
    assertThat(Numbers.significant(3.123)).isEqualTo("3.12");
    assertThat(Numbers.significant(3123)).isEqualTo("3123");
    assertThat(Numbers.significant(0)).isEqualTo("0");
    assertThat(Numbers.brief(0.8504)).isEqualTo("0.85");
    assertThat(Numbers.brief(100)).isEqualTo("100");
    assertThat(Numbers.readable(1.0041)).isEqualTo("1.004");
    assertThat(Numbers.readable(1639.5)).isEqualTo("1640");
    assertThat(Numbers.percent(0.785)).isEqualTo("79 %");
  }
}
