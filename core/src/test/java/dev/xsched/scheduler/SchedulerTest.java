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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  private static Scheduler.Work work(long completed, long leaving, long commandNanos) {
    return new Scheduler.Work(completed, leaving, commandNanos);
  }

  /** What the device has of queues by their ids. */
  private final Map<Long, Scheduler.Work> works = new HashMap<>();

  /**
   * A scheduler whose first queue was ready and ran for 100 ns, left something on the device then,
   * and made place for the second; a third one is on another device.
   */
  private Scheduler afterStopOfTheFirst(Scheduler.Work left) {
    Scheduler shared = withWork(policy(SchedulerTest::onlyTheFirst));
    ProcessView program = shared.addProcess(100, 0);
    shared.addQueue(1, 0, program, Hints.DEFAULT);
    shared.addQueue(2, 0, program, Hints.DEFAULT);
    shared.addQueue(3, 1, program, Hints.DEFAULT);
    shared.ready(1, 0);
    shared.ready(2, 0);
    shared.decide();
    works.put(1L, left);
    nowNanos = 100;
    shared.ready(3, nowNanos);
    shared.setPolicy(policy(_ -> Decision.builder().run(1).run(2).build()));
    shared.decide();
    return shared;
  }

  private Scheduler withWork(Policy policy) {
    Scheduler.Orders leftWork =
        new Scheduler.Orders() {
          @Override
          public void order(long queueId, boolean run) {}

          @Override
          public Scheduler.Work work(long queueId) {
            return works.getOrDefault(queueId, Scheduler.Work.UNKNOWN);
          }
        };
    return new Scheduler(policy, () -> nowNanos, _ -> {}, leftWork);
  }

  private long used(Scheduler of, long queueId) {
    return of.queue(queueId).usedNanos(nowNanos);
  }

  @Test
  void whoIsStoppedIsChargedForWhatItLeftOnTheDeviceAndNobodyElseIsMeanwhile() {
    // Of the first of the four, 10 had passed: 100 less three commands of 30.
    Scheduler shared = afterStopOfTheFirst(work(3, 4, 30));
    nowNanos = 150;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(150);
    nowNanos = 250;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(100 + 4 * 30 - 10);
    assertThat(used(shared, 2)).isEqualTo(40);
    assertThat(used(shared, 3)).as("another device").isEqualTo(150);
    shared.idle(2);
    nowNanos = 300;
    assertThat(used(shared, 2)).isEqualTo(40);
  }

  @Test
  void whatIsDoneSoonerThanItWasThoughtIsNotChargedAnyLonger() {
    Scheduler shared = afterStopOfTheFirst(work(0, 2, 100_000));
    works.put(1L, work(2, 0, 100_000));
    nowNanos = 120;
    shared.decide();
    nowNanos = 200;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(120);
    assertThat(used(shared, 2)).isEqualTo(80);
  }

  @Test
  void longerTimesOfCommandsAreBelievedInSteps() {
    Scheduler shared = afterStopOfTheFirst(work(0, 2, 1_600));
    works.put(1L, work(2, 0, 1_600));
    shared.setPolicy(policy(SchedulerTest::onlyTheFirst));
    shared.decide();
    works.put(1L, work(2, 2, 1_000_000));
    shared.setPolicy(policy(_ -> Decision.builder().run(1).build()));
    shared.decide();
    nowNanos += 10_000;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(100 + 2 * 1_700);
    assertThat(used(shared, 2)).isEqualTo(10_000 - 2 * 1_700);
  }

  @Test
  void nothingIsLeftOfAQueueThatHasGone() {
    Scheduler shared = afterStopOfTheFirst(work(0, 2, 100_000));
    shared.removeQueue(1);
    nowNanos = 200;
    assertThat(used(shared, 2)).isEqualTo(100);
  }

  @Test
  void whoGoesOnBeforeTheDeviceIsDoneWithWhatItLeftIsNotChargedTwice() {
    Scheduler shared = afterStopOfTheFirst(work(0, 2, 80));
    nowNanos = 120;
    shared.setPolicy(policy(SchedulerTest::onlyTheFirst));
    shared.decide();
    nowNanos = 200;
    assertThat(used(shared, 1)).isEqualTo(200);
    assertThat(used(shared, 2)).isZero();
  }

  @Test
  void whatSeveralQueuesLeftIsDoneOneAfterTheOther() {
    Scheduler shared = afterStopOfTheFirst(work(0, 2, 80));
    works.put(2L, work(0, 1, 50));
    nowNanos = 110;
    shared.setPolicy(policy(_ -> Decision.builder().run(2).build()));
    shared.decide();
    nowNanos = 220;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(180);
    assertThat(used(shared, 2)).isEqualTo(40);
    works.put(2L, work(1, 0, 50));
    nowNanos = 225;
    shared.decide();
    nowNanos = 300;
    shared.decide();
    assertThat(used(shared, 2)).isEqualTo(45);
  }

  @Test
  void whatProgramsTookSideBySideIsNotWhatOneTakes() {
    Scheduler shared = withWork(policy(SchedulerTest::everybody));
    for (int id = 1; id <= 4; id++) {
      shared.addQueue(id, 0, shared.addProcess(100 + id, id), Hints.DEFAULT);
      shared.ready(id, 0);
      works.put((long) id, work(4, 4, 800));
    }
    shared.decide();
    nowNanos = 800;
    shared.setPolicy(policy(SchedulerTest::onlyTheFirst));
    shared.decide();
    nowNanos += 3 * 4 * 200;
    for (long id = 2; id <= 4; id++) {
      works.put(id, work(8, 0, 800));
    }
    shared.decide();
    assertThat(used(shared, 1)).as("it had to wait for the others").isEqualTo(800);
    for (int id = 2; id <= 4; id++) {
      assertThat(used(shared, id)).isEqualTo(800 + 4 * 200);
    }
    works.put(1L, work(4, 4, 800));
    shared.setPolicy(policy(_ -> Decision.builder().run(1).build()));
    shared.decide();
    nowNanos += 10_000;
    shared.decide();
    assertThat(used(shared, 1)).as("four of 17/16 of 200").isLessThanOrEqualTo(800 + 4 * 213);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1000, 0",
    "0, 5, 0, 0",
    "0, 5, -1, 0",
    "-9223372036854775808, 9223372036854775807, 9223372036854775807, 1000000000",
    "0, 9223372036854775807, 9223372036854775807, 1000000000",
  })
  void noQueueIsBelievedToLeaveMoreThanASecond(
      long completed, long leaving, long commandNanos, long charged) {
    Scheduler shared = afterStopOfTheFirst(work(completed, leaving, commandNanos));
    nowNanos += 2_000_000_000;
    shared.decide();
    assertThat(used(shared, 1)).isEqualTo(100 + charged);
    assertThat(used(shared, 2)).isEqualTo(2_000_000_000 - charged);
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
