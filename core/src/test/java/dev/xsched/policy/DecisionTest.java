package dev.xsched.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionTest {
  @Test
  void aShareBelongsToTheDeviceItWasGivenFor() {
    Decision decision = Decision.builder().share(2, 0.25).rank(new int[] {1, 2}, false).build();
    Decision.Ranking ranking = requireNonNull(decision.ranking());
    assertThat(ranking.share(2)).isEqualTo(0.25);
    assertThat(ranking.share(0)).isNaN();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aShareIsAPartOfTheWhole(double share) {
    assertThatThrownBy(() -> Decision.builder().share(0, share))
        .hasMessageContaining("from 0 to 1, not " + share);
  }

  @Test
  void aShareWithoutRanksIsAMistakeOfThePolicy() {
    Decision.Builder decision = Decision.builder().share(0, 0.5);
    assertThatThrownBy(decision::build).hasMessageContaining("call rank, too");
  }

  @Test
  void whatRunsIsNamedByItsPlaceInTheSnapshot() {
    Decision decision = Decision.builder().run(0).run(2).build();
    decision.check(3);
    assertThatThrownBy(() -> decision.check(2)).hasMessageContaining("queue 2 is to run, of 2");
  }
}
