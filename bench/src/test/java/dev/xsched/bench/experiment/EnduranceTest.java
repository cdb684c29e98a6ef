package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.scene.GrowthOutcome;
import dev.xsched.bench.scene.GrowthOutcome.Size;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EnduranceTest {
  private static final int SECONDS = 50;

  private static Findings judged(IntFunction<Size> sizeAtSecond) {
    Findings findings = new Findings();
    List<Size> sizes = IntStream.range(0, SECONDS).mapToObj(sizeAtSecond).toList();
    Endurance.judge(
        new GrowthOutcome(Map.of("daemon", sizes), 100, 0, List.of(), List.of()), findings);
    return findings;
  }

  private static List<String> missed(Findings findings) {
    return findings.criteria().stream().filter(c -> !c.pass()).map(Criterion::name).toList();
  }

  @Test
  void whatGrowsWhileItWarmsUpIsFine() {
    Findings findings =
        judged(
            second -> new Size(100_000 + 1_000L * Math.min(second, 10), 20, 300 + second / 40, 12));
    assertThat(missed(findings)).containsExactly("maps that daemon has more");
    assertThat(judged(second -> new Size(50_000 + 100L * Math.min(second, 10), 20, 300, 12)).pass())
        .isTrue();
  }

  @Test
  void oneDescriptorMoreIsTooMany() {
    assertThat(missed(judged(second -> new Size(50_000, 20 + second / 30, 300, 12))))
        .containsExactly("descriptors that daemon has more");
  }

  /** A moment's connection is no growth. */
  @Test
  void descriptorsMayComeAndGo() {
    assertThat(judged(second -> new Size(50_000, 20 + (second % 7 == 0 ? 1 : 0), 300, 12)).pass())
        .isTrue();
  }

  @Test
  void memoryMayGrowByTwoPercentOrFourMegabytes() {
    assertThat(judged(second -> new Size(50_000 + 50L * second, 20, 300, 12)).pass()).isTrue();
    assertThat(missed(judged(second -> new Size(50_000 + 200L * second, 20, 300, 12))))
        .containsExactly("memory that daemon has more");
    assertThat(judged(second -> new Size(1_000_000 + 400L * second, 20, 300, 12)).pass()).isTrue();
  }

  @Test
  void aRunThatWasTooShortSaysNothing() {
    Findings findings = new Findings();
    List<Size> sizes = List.of(new Size(1, 1, 1, 1));
    Endurance.judge(new GrowthOutcome(Map.of("low", sizes), 1, 0, List.of(), List.of()), findings);
    assertThat(findings.state()).isEqualTo("invalid");
  }
}
