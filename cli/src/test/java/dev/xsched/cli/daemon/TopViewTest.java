package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopViewTest {
  private static final HintState ZERO = new HintState(0L, "default");

  @Test
  void aBarIsTheShareOfTheLastSecond() {
    List<String> lines = view(at(1, 0, 0), at(2, 250, 750), TopOrder.SHARE).lines(80, 24);
    assertThat(lines.get(3)).contains("beta").contains("#").contains(" 75 %");
    assertThat(lines.get(4)).contains("alpha").contains(" 25 %");
    assertThat(lines.get(3).chars().filter(c -> c == '#').count())
        .isEqualTo(3 * lines.get(4).chars().filter(c -> c == '#').count());
  }

  @Test
  void fillsTheScreenAndNeverMore() {
    for (int width : new int[] {20, 40, 80, 81, 132, 300}) {
      List<String> lines = view(at(1, 0, 0), at(2, 250, 750), TopOrder.SHARE).lines(width, 24);
      assertThat(lines).hasSize(24).allMatch(line -> line.length() <= width);
    }
    List<String> eighty = view(at(1, 0, 0), at(2, 250, 750), TopOrder.SHARE).lines(80, 24);
    assertThat(eighty.get(2)).endsWith("LAUNCH/S");
    assertThat(eighty.getLast()).contains("q:quit");
  }

  @Test
  void onGpusTheLevelAndTheSliceAreShownAndWhy() {
    DaemonState state =
        States.of(
            1,
            "HPF",
            5000,
            States.program(10, "low", States.onGpu(1, List.of(1, 3), 1, "by slices")),
            States.program(20, "old", States.onGpu(2, List.of(1), 0, "MIG")));
    List<String> lines = view(state, state, TopOrder.NAME).lines(80, 24);
    assertThat(lines.get(2)).contains(" LV  SLICE ").endsWith("LAUNCH/S").hasSize(80);
    assertThat(lines.get(3)).contains("low").contains("  3   1 us ");
    assertThat(lines.get(4)).isEqualTo("        slices: by slices");
    assertThat(lines.get(5)).contains("old").contains("  1      - ");
    assertThat(lines.get(6)).isEqualTo("        gate: MIG");
  }

  @Test
  void keysSortTheRows() {
    assertThat(TopOrder.of('n')).contains(TopOrder.NAME);
    assertThat(TopOrder.of('x')).isEmpty();
    List<String> lines = view(at(1, 0, 0), at(2, 250, 750), TopOrder.NAME).lines(80, 24);
    assertThat(lines.get(3)).contains("alpha");
    assertThat(lines.get(4)).contains("beta");
  }

  @Test
  void scrollsPastTheFirstRows() {
    DaemonState state = at(1, 0, 0);
    TopView view = new TopView(null, state, "", TopOrder.NAME, false, 1, '#', '.');
    assertThat(view.lines(80, 24).get(3)).contains("beta");
  }

  @Test
  void saysSoWhileTheDaemonIsAwayAndKeepsTheLastPicture() {
    TopView view = new TopView(null, at(1, 0, 0), "3 s", TopOrder.NAME, false, 0, '#', '.');
    assertThat(view.lines(80, 24).getFirst()).contains("daemon away for 3 s");
    assertThat(view.lines(80, 24)).anyMatch(line -> line.contains("alpha"));
    TopView never = new TopView(null, null, "3 s", TopOrder.NAME, false, 0, '#', '.');
    assertThat(never.lines(80, 24)).hasSize(24);
  }

  private static TopView view(DaemonState earlier, DaemonState now, TopOrder order) {
    return new TopView(earlier, now, "", order, false, 0, '#', '.');
  }

  private static DaemonState at(long second, long alphaMillis, long betaMillis) {
    return States.of(
        second * 1_000_000_000,
        "CFS",
        5000,
        States.program(
            10, "alpha", States.queue(1, "running", ZERO, 0, 0, alphaMillis * 1_000_000)),
        States.program(20, "beta", States.queue(2, "running", ZERO, 0, 0, betaMillis * 1_000_000)));
  }
}
