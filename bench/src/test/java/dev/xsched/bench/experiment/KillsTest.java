package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.scene.KillOutcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KillsTest {
  private static final int KILLS = 100;

  private List<String> hangs = List.of();
  private List<String> faults = List.of();
  private List<String> ailments = List.of();
  private int sliced = 80;
  private long checked = 1_000;
  private long wrong;
  private double speed = 1;

  private Findings judged() {
    Findings findings = new Findings();
    KillOutcome outcome =
        new KillOutcome(
            2,
            Map.of("daemon", 30, "low", 35, "high", 35),
            0,
            sliced,
            70,
            10,
            Map.of("low", 200.0, "high", 30.0),
            5,
            checked,
            wrong,
            hangs,
            faults,
            speed,
            ailments,
            List.of());
    Kills.judge(outcome, KILLS, findings);
    return findings;
  }

  @Test
  void passesWhereNobodyNoticed() {
    Findings findings = judged();
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results())
        .containsEntry("kills", 100)
        .containsEntry("kills_of_low", 35)
        .containsEntry("kills_while_sliced", 80)
        .containsEntry("longest_stall_ms_low", 200.0);
  }

  @Test
  void oneHangIsTooMany() {
    hangs = List.of("t0: low does not get on");
    Findings findings = judged();
    assertThat(findings.pass()).isFalse();
    assertThat(findings.notes()).contains("hang: t0: low does not get on");
  }

  @Test
  void otherFaultsAndAilmentsCountToo() {
    faults = List.of("the daemon ended by itself");
    assertThat(judged().pass()).isFalse();
    faults = List.of();
    ailments = List.of("nvidia-smi shows ERR!");
    assertThat(judged().pass()).isFalse();
  }

  @Test
  void wrongResultsCountAndSoDoesHavingNone() {
    wrong = 1;
    assertThat(judged().pass()).isFalse();
    wrong = 0;
    checked = 0;
    assertThat(judged().pass()).isFalse();
  }

  @Test
  void slowDeviceAfterwardsIsNoPass() {
    speed = 0.5;
    assertThat(judged().pass()).isFalse();
  }

  @Test
  void provesNothingWhereTheDeviceHeldNobodyDown() {
    sliced = 0;
    Findings findings = judged();
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes()).anyMatch(note -> note.contains("xsched doctor"));
  }
}
