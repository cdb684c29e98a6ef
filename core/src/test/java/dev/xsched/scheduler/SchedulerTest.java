package dev.xsched.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.policy.Decision;
import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SchedulerTest {
  private final List<String> orders = new ArrayList<>();
  private final List<Long> wakeUps = new ArrayList<>();
  private long nowNanos;
  private final Scheduler scheduler =
      new Scheduler(
          policy(SchedulerTest::onlyTheFirst),
          () -> nowNanos,
          wakeUps::add,
          (queue, run) -> orders.add((run ? "run " : "suspend ") + queue));
  private final ProcessView process = scheduler.addProcess(100, 0);

  private static Policy policy(Function<Snapshot, Decision> rule) {
    return new Policy() {
      @Override
      public String name() {
        return "TEST";
      }

      @Override
      public String summary() {
        return "for tests";
      }

      @Override
      public Decision decide(Snapshot snapshot) {
        return rule.apply(snapshot);
      }
    };
  }

  private static Decision onlyTheFirst(Snapshot snapshot) {
    return Decision.builder().run(0).wakeAt(snapshot.nowNanos() + 10).build();
  }

  private static Decision everybody(Snapshot snapshot) {
    Decision.Builder decision = Decision.builder();
    for (int i = 0; i < snapshot.queues().size(); i++) {
      decision.run(i);
    }
    return decision.build();
  }

  private void addQueues(int count) {
    for (int i = 1; i <= count; i++) {
      scheduler.addQueue(i, 0, process, Hints.DEFAULT);
    }
  }

  @Test
  void ordersOnlyWhatChanges() {
    addQueues(3);
    scheduler.decide();
    scheduler.decide();
    assertThat(orders).containsExactly("suspend 2", "suspend 3");
    scheduler.setPolicy(policy(SchedulerTest::everybody));
    scheduler.decide();
    assertThat(orders).endsWith("run 2", "run 3");
  }

  @Test
  void thePolicySeesWhichDevicesSliceAtTheNextDecision() {
    List<Boolean> seen = new ArrayList<>();
    scheduler.setPolicy(
        policy(
            snapshot -> {
              seen.add(snapshot.slices(1));
              return everybody(snapshot);
            }));
    BitSet slicing = new BitSet();
    slicing.set(1);
    scheduler.decide();
    scheduler.setSlicing(slicing);
    scheduler.decide();
    slicing.clear();
    scheduler.decide();
    assertThat(seen).as("a copy is kept").containsExactly(false, true, true);
  }

  @Test
  void armsTheTimerForTheTimeThatThePolicyNames() {
    addQueues(1);
    nowNanos = 5;
    scheduler.decide();
    scheduler.setPolicy(policy(SchedulerTest::everybody));
    scheduler.decide();
    assertThat(wakeUps).containsExactly(15L, Decision.NEVER);
  }

  @Test
  void countsTheTimeInWhichAQueueWasReadyAndAllowedToRun() {
    addQueues(2);
    scheduler.decide();
    scheduler.ready(1, 0);
    scheduler.ready(2, 0);
    nowNanos = 100;
    assertThat(scheduler.queue(1).usedNanos(nowNanos)).isEqualTo(100);
    assertThat(scheduler.queue(2).usedNanos(nowNanos)).as("it was suspended").isZero();
    scheduler.idle(1);
    nowNanos = 200;
    assertThat(scheduler.queue(1).usedNanos(nowNanos)).as("it was idle").isEqualTo(100);
  }

  @Test
  void countsTheTimeInWhichTheDeviceWorksForAQueueThatWasStoppedIfNobodyElseHasIt() {
    Policy nobody = policy(_ -> Decision.builder().build());
    long[] lastAtWorkNanos = {0};
    Scheduler.Orders orders =
        new Scheduler.Orders() {
          @Override
          public void order(long queueId, boolean run) {}

          @Override
          public long lastAtWorkNanos(long queueId) {
            return lastAtWorkNanos[0];
          }
        };
    Scheduler busy =
        new Scheduler(policy(SchedulerTest::everybody), () -> nowNanos, _ -> {}, orders);
    ProcessView program = busy.addProcess(100, 0);
    busy.addQueue(1, 0, program, Hints.DEFAULT);
    busy.addQueue(2, 0, program, Hints.DEFAULT);
    busy.ready(1, 0);
    nowNanos = 100;
    busy.setPolicy(nobody);
    busy.decide();
    nowNanos = 150;
    lastAtWorkNanos[0] = 150;
    busy.decide();
    assertThat(busy.queue(1).usedNanos(nowNanos)).as("the device works on").isEqualTo(150);
    nowNanos = 200;
    lastAtWorkNanos[0] = 180;
    busy.decide();
    assertThat(busy.queue(1).usedNanos(nowNanos)).as("until it left").isEqualTo(180);

    busy.setPolicy(policy(SchedulerTest::everybody));
    busy.decide();
    busy.ready(2, 200);
    busy.setPolicy(policy(snapshot -> Decision.builder().run(1).build()));
    busy.decide();
    nowNanos = 300;
    lastAtWorkNanos[0] = 300;
    busy.decide();
    assertThat(busy.queue(1).usedNanos(nowNanos)).as("the other one has it").isEqualTo(180);
    assertThat(busy.queue(2).usedNanos(nowNanos)).isEqualTo(100);
  }

  @Test
  void givesBackWhatThePolicyRemembered() {
    addQueues(2);
    List<Object> seen = new ArrayList<>();
    scheduler.setPolicy(
        policy(
            snapshot -> {
              seen.add(String.valueOf(snapshot.memory()));
              seen.add(String.valueOf(snapshot.queues().get(1).memory()));
              return Decision.builder().remember("all").remember(1, "two").build();
            }));
    scheduler.decide();
    scheduler.decide();
    assertThat(seen).containsExactly("null", "null", "all", "two");
    scheduler.setPolicy(scheduler.policy());
    scheduler.decide();
    assertThat(seen).as("forgotten with a change of policy").endsWith("null", "null");
  }

  @Test
  void aBrokenPolicyLetsEverybodyRunUntilItIsReplaced() {
    addQueues(2);
    scheduler.decide();
    assertThat(orders).containsExactly("suspend 2");
    scheduler.setPolicy(
        policy(
            snapshot -> {
              throw new IllegalStateException("a policy's bug");
            }));
    scheduler.decide();
    assertThat(orders).containsExactly("suspend 2", "run 2");
    scheduler.setPolicy(policy(SchedulerTest::onlyTheFirst));
    scheduler.decide();
    assertThat(orders).endsWith("suspend 2");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void aPolicyBreaksByItsOwnErrorsToo(Error error) {
    addQueues(2);
    scheduler.decide();
    scheduler.setPolicy(
        policy(
            snapshot -> {
              throw error;
            }));
    scheduler.decide();
    assertThat(scheduler.policyBroken()).isTrue();
    assertThat(orders).endsWith("run 2");
  }

  static List<Error> errors() {
    return List.of(new StackOverflowError(), new NoSuchMethodError(), new AssertionError());
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void aPolicyBreaksByADecisionThatDoesNotFitTheSnapshot(Decision misfit) {
    addQueues(2);
    scheduler.decide();
    scheduler.setPolicy(policy(_ -> misfit));
    scheduler.decide();
    assertThat(scheduler.policyBroken()).isTrue();
    assertThat(orders).endsWith("run 2");
  }

  static List<Decision> misfits() {
    GoalState goal = new GoalState(0, 0, 0, 0, 0);
    return List.of(
        Decision.builder().rank(new int[1], false).build(),
        Decision.builder().remember(2, "beyond").build(),
        Decision.builder().remember(-1, "before").build(),
        Decision.builder().goal(2, goal).build(),
        Decision.builder().goal(-1, goal).build());
  }

  @Test
  void aQueueThatLeavesTakesNobodyElseWithIt() {
    addQueues(3);
    scheduler.removeQueue(1);
    scheduler.removeQueue(1);
    scheduler.hint(3, Hint.PRIORITY, 7, Hints.Source.WEB);
    assertThat(scheduler.queue(3).hints().priority()).isEqualTo(7);
    assertThat(scheduler.queue(3).hints().source(Hint.PRIORITY)).isEqualTo(Hints.Source.WEB);
    assertThat(scheduler.queue(2).hints().priority()).isZero();
    assertThatThrownBy(() -> scheduler.queue(1)).hasMessageContaining("queue 1 is not known");
  }

  @Test
  void aProcessThatLeavesTakesItsQueuesAndFreesItsSlot() {
    addQueues(2);
    ProcessView other = scheduler.addProcess(200, 0);
    scheduler.addQueue(3, 0, other, Hints.DEFAULT);
    scheduler.removeProcess(process);
    assertThatThrownBy(() -> scheduler.queue(2)).hasMessageContaining("not known");
    assertThat(scheduler.queue(3).process()).isEqualTo(other);
    ProcessView next = scheduler.addProcess(300, 0);
    assertThat(next.slot()).isEqualTo(process.slot());
    assertThat(next.id()).isNotEqualTo(process.id());
  }

  @Test
  void hintsOutOfRangeAreRefusedWithTheRange() {
    addQueues(1);
    assertThatThrownBy(() -> scheduler.hint(1, Hint.PRIORITY, 256, Hints.Source.REST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-256 to 255");
    assertThatThrownBy(() -> scheduler.systemHint(Hint.TIMESLICE, 99, Hints.Source.REST))
        .hasMessageContaining("100 to 10000000");
    assertThatThrownBy(() -> scheduler.hint(1, Hint.DEADLINE, 0, Hints.Source.REST))
        .hasMessageContaining("1 or more");
    assertThatThrownBy(() -> scheduler.hint(1, Hint.K, 2, Hints.Source.REST))
        .hasMessageContaining("whole system");
    assertThatThrownBy(() -> scheduler.systemHint(Hint.PRIORITY, 2, Hints.Source.REST))
        .hasMessageContaining("name the queue");
    assertThatThrownBy(() -> Hint.of("urgency")).hasMessageContaining("priority, utilization");
    assertThat(Hint.of("lax-priority")).isEqualTo(Hint.LAX_PRIORITY);
  }

  @Test
  void nobodyIsChargedForADecisionThatCameMuchTooLate() {
    scheduler.forgiveAfter(100);
    addQueues(2);
    scheduler.ready(1, 0);
    scheduler.ready(2, 0);
    scheduler.decide();
    nowNanos = 110;
    scheduler.decide();
    assertThat(scheduler.queue(1).usedNanos(nowNanos)).as("a little late").isEqualTo(110);
    nowNanos = 1_000; // It was due at 120.
    scheduler.ready(1, 0);
    scheduler.idle(2);
    scheduler.decide();
    assertThat(scheduler.queue(1).usedNanos(nowNanos)).isEqualTo(120);
    nowNanos = 1_010;
    assertThat(scheduler.queue(1).usedNanos(nowNanos)).isEqualTo(130);
    assertThat(scheduler.queue(2).usedNanos(nowNanos)).isZero();
  }
}
