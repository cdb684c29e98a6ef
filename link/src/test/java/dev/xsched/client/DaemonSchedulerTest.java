package dev.xsched.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.client.HandDevice.HandCommand;
import dev.xsched.client.StandInDaemon.Member;
import dev.xsched.link.Block;
import dev.xsched.link.Board;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program and a daemon that both do what they should. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DaemonSchedulerTest {
  @TempDir Path folder = Path.of("");

  private final LogLines log = new LogLines();
  private final HandDevice device = new HandDevice();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private StandInDaemon daemon;

  @BeforeEach
  void open() throws Exception {
    daemon = new StandInDaemon(directory());
  }

  @AfterEach
  void close() throws Exception {
    device.release();
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    daemon.close();
    device.close();
    log.close();
  }

  private ControlDirectory directory() {
    return new ControlDirectory(folder);
  }

  private DaemonScheduler connect(String name, String... variables) {
    Map<String, String> environment = new HashMap<>(Map.of("XSCHED_NAME", name));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put("XSCHED_AUTO_XQUEUE_" + variables[i], variables[i + 1]);
    }
    DaemonScheduler scheduler = DaemonScheduler.connect(List.of(directory()), environment);
    opened.add(scheduler);
    return scheduler;
  }

  private XQueue queue(DaemonScheduler scheduler, String name) {
    XQueue queue = scheduler.newQueue(device, name);
    queue.setWindow(new LaunchWindow.Fixed(4, 2));
    return queue;
  }

  private static Hints hints(Member member, int slot) {
    Hints ofProgram =
        member
            .block()
            .asks()
            .over(Hints.DEFAULT, Hint.Scope.QUEUE, Hints.Source.ENVIRONMENT)
            .hints();
    return member
        .block()
        .slot(slot)
        .asks()
        .over(ofProgram, Hint.Scope.QUEUE, Hints.Source.APPLICATION)
        .hints();
  }

  @Test
  void registersAndDescribesItsQueues() {
    DaemonScheduler scheduler = connect("me");
    assertThat(scheduler.registered()).isTrue();
    queue(scheduler, "first");
    Slot slot = daemon.member("me").block().slot(0);
    assertThat(slot.used()).isTrue();
    assertThat(slot.name()).isEqualTo("first");
    assertThat(slot.device()).isEqualTo("a device in the hand");
    assertThat(slot.levels()).isEqualTo(1);
    assertThat(slot.buffered()).isTrue();
    assertThat(slot.ceiling()).isEqualTo(Slot.NO_CEILING);
    assertThat(log.all()).isEmpty();
  }

  @Test
  void tellsWhoeverRanItThatItReachedTheScheduler() throws IOException {
    Path mark = Files.createTempFile("xsched-mark-", "");
    Map<String, String> environment = Map.of("XSCHED_RUN", "1:" + mark);
    DaemonScheduler scheduler = DaemonScheduler.connect(List.of(directory()), environment);
    opened.add(scheduler);
    assertThat(mark).isEmptyFile();
    queue(scheduler, "first");
    assertThat(mark).isNotEmptyFile();
    Files.delete(mark);
    queue(scheduler, "without the file");
    assertThat(log.all()).isEmpty();
  }

  @Test
  void tellsWhenAQueueTurnsReadyAndIdle() throws Exception {
    XQueue queue = queue(connect("me"), "q");
    Member member = daemon.member("me");
    Slot slot = member.block().slot(0);
    member.block().takeChanged(0);
    daemon.board.takeRung(0);
    int bell = daemon.board.bell();

    List<HandCommand> submitted = HandDevice.submit(queue, 6);
    assertThat(slot.readySince()).isPositive().isLessThanOrEqualTo(System.nanoTime());
    assertThat(member.block().takeChanged(0)).isEqualTo(1);
    assertThat(daemon.board.takeRung(0)).isEqualTo(1L << member.boardIndex());
    assertThat(daemon.board.bell()).isGreaterThan(bell);
    Conditions.await("the counts", () -> slot.submitted() == 6 && slot.launched() == 4);

    submitted.forEach(HandCommand::complete);
    queue.waitAll();
    Conditions.await("the queue to be idle", () -> slot.readySince() == 0);
    assertThat(slot.completed()).isEqualTo(6);
    assertThat(slot.changes()).isEqualTo(2);
    assertThat(slot.commandNanos()).isPositive();
    assertThat(slot.busyNanos()).isPositive();
    Conditions.await("the slot's mark", () -> member.block().takeChanged(0) == 1);
  }

  @Test
  void aClosedGateStopsLaunchesAndAnOpenOneLetsThemGoOn() throws Exception {
    XQueue queue = queue(connect("me"), "q");
    Member member = daemon.member("me");
    List<HandCommand> submitted = HandDevice.submit(queue, 20);
    daemon.gate(member, 0, false);
    HandDevice.completeInFlight(submitted);
    Conditions.await("the end to be told", () -> member.block().slot(0).stopped() != 0);
    assertThat(queue.stats().launched()).as("the gate counts at the next launch").isEqualTo(4);
    assertThat(queue.stats().inFlight()).isZero();
    Conditions.pause(20);
    daemon.gate(member, 0, true);
    Conditions.await("launches to go on", () -> queue.stats().launched() > 4);
    submitted.forEach(HandCommand::complete);
    queue.waitAll();
    Conditions.await("the wait to be told", () -> member.block().slot(0).gateWaits() > 0);
    assertThat(member.block().slot(0).gateWaitNanos()).isGreaterThan(10_000_000);
  }

  @Test
  void carriesOutWindowAndLevel() {
    XQueue queue = queue(connect("me", "LEVEL", "1"), "q");
    assertThat(queue.level()).isEqualTo(Level.BLOCK);
    Member member = daemon.member("me");
    member.block().slot(0).setWindow(1_000_000, 32, 0);
    member.block().raiseOrders();
    Conditions.await(
        "the window",
        () -> queue.window().equals(new LaunchWindow.Adaptive(Duration.ofMillis(1), 32)));
    member.block().slot(0).setWindow(0, 8, 0);
    member.block().raiseOrders();
    Conditions.await("the window", () -> queue.window().equals(new LaunchWindow.Fixed(8, 4)));
    member.block().slot(0).setWindow(0, 0, 0);
    member.block().raiseOrders();
    Conditions.await("the default", () -> queue.window().equals(LaunchWindow.DEFAULT));
  }

  @Test
  void aQueueThatTurnsReadyStopsLowerOnesOfOtherProgramsAtTheirNextLaunch() {
    XQueue low = queue(connect("low"), "low");
    XQueue high = queue(connect("high"), "high");
    Member lowMember = daemon.member("low");
    daemon.rank(lowMember, 0, 1, 0);
    daemon.rank(daemon.member("high"), 0, 5, 0);
    List<HandCommand> background = HandDevice.submit(low, 20);
    assertThat(low.stats().launched()).isEqualTo(4);

    List<HandCommand> urgent = HandDevice.submit(high, 1);
    assertThat(Board.rank(daemon.board.ceiling(0))).isEqualTo(5);
    long before = System.nanoTime();
    HandDevice.completeInFlight(background);
    Conditions.await("the low queue to lose patience", () -> low.stats().launched() > 4);
    assertThat(System.nanoTime() - before)
        .as("it was held though no daemon did anything")
        .isGreaterThanOrEqualTo(SlotGate.CONFIRM_NANOS);
    Conditions.await("a full window", () -> low.stats().launched() == 8);

    HandDevice.completeInFlight(urgent);
    long word = daemon.board.ceiling(0);
    HandDevice.submit(high, 1);
    assertThat(daemon.board.ceiling(0)).as("the same rank in a new epoch").isNotEqualTo(word);
    daemon.gate(lowMember, 0, false);
    HandDevice.completeInFlight(background);
    Conditions.pause(20);
    assertThat(low.stats().launched()).as("the daemon has confirmed").isEqualTo(8);
    assertThat(high.stats().launched()).isEqualTo(2);

    daemon.board.set(0, daemon.board.ceiling(0), Board.NO_RANK);
    daemon.gate(lowMember, 0, true);
    Conditions.await("the low queue to go on", () -> low.stats().launched() > 8);
  }

  @Test
  void aCeilingHoldsWithoutTheDaemonAndIsIgnoredUnlessConfirmed() {
    XQueue low = queue(connect("low"), "low");
    Member member = daemon.member("low");
    daemon.rank(member, 0, 1, 3);
    daemon.board.raise(3, 2);
    long before = System.nanoTime();
    HandDevice.submit(low, 1);
    Conditions.await("the ceiling to be ignored", () -> low.stats().launched() == 1);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SlotGate.CONFIRM_NANOS);
    HandDevice.submit(low, 1);
    assertThat(low.stats().launched()).as("ignored until it changes").isEqualTo(2);
    Conditions.await("the wait to be told", () -> member.block().slot(0).gateWaits() == 1);
    daemon.board.raise(3, 2);
    long again = System.nanoTime();
    HandDevice.submit(low, 1);
    Conditions.await("the new word to be ignored", () -> low.stats().launched() == 3);
    assertThat(System.nanoTime() - again).isGreaterThanOrEqualTo(SlotGate.CONFIRM_NANOS);
  }

  @Test
  void aLaunchThatIsHeldIsToldAsOneWaitHoweverOftenItIsLookedAt() throws Exception {
    XQueue low = queue(connect("low"), "low");
    Member member = daemon.member("low");
    daemon.rank(member, 0, 1, 3);
    for (int waits = 1; waits <= 200; waits++) {
      daemon.board.raise(3, 2);
      HandDevice.submit(low, 1).getFirst().complete();
      low.waitAll();
      long told = waits;
      Conditions.await("the wait to be told", () -> member.block().slot(0).gateWaits() >= told);
      assertThat(member.block().slot(0).gateWaits()).isEqualTo(told);
    }
  }

  @Test
  void ceilingsOfEqualRankOrOnesToBeIgnoredHoldNobody() {
    XQueue queue = queue(connect("me"), "q");
    Member member = daemon.member("me");
    daemon.rank(member, 0, 2, 3);
    daemon.board.raise(3, 2);
    HandDevice.submit(queue, 1);
    assertThat(queue.stats().launched()).isEqualTo(1);
    daemon.board.raise(3, 7);
    member.block().setIgnoreCeilings(true);
    HandDevice.submit(queue, 1);
    assertThat(queue.stats().launched()).isEqualTo(2);
  }

  @Test
  void asksForHints() {
    DaemonScheduler scheduler = connect("me", "PRIORITY", "7", "KDEADLINE", "3");
    XQueue queue = queue(scheduler, "q");
    Member member = daemon.member("me");
    assertThat(hints(member, 0).priority()).isEqualTo(7);
    scheduler.hint(queue, Hint.PRIORITY, 9);
    assertThat(hints(member, 0).priority()).isEqualTo(9);
    assertThat(hints(member, 0).source(Hint.PRIORITY)).isEqualTo(Hints.Source.APPLICATION);
    scheduler.hint(Hint.TIMESLICE, 700);
    Hints ofSystem =
        member
            .block()
            .asks()
            .over(Hints.DEFAULT, Hint.Scope.SYSTEM, Hints.Source.ENVIRONMENT)
            .hints();
    assertThat(ofSystem.get(Hint.TIMESLICE)).isEqualTo(700);
    assertThat(ofSystem.get(Hint.K)).isEqualTo(3);
    assertThat(daemon.board.takeRung(0) & 1L << member.boardIndex()).isNotZero();
    assertThatThrownBy(() -> scheduler.hint(queue, Hint.PRIORITY, 300))
        .hasMessageContaining("-256 to 255");
    assertThatThrownBy(() -> scheduler.hint(Hint.PRIORITY, 1)).hasMessageContaining("one queue");
  }

  @Test
  void givesSlotsBackAndRunsWhatHasNoneUnscheduled() throws Exception {
    DaemonScheduler scheduler = connect("me");
    List<XQueue> all = new ArrayList<>();
    for (int i = 0; i <= Block.CAPACITY; i++) {
      all.add(queue(scheduler, "q" + i));
    }
    assertThat(log.with("queue q256 runs unscheduled")).hasSize(1);
    XQueue beyond = all.getLast();
    scheduler.hint(beyond, Hint.PRIORITY, 1);
    HandDevice.submit(beyond, 1).getFirst().complete();
    beyond.waitAll();

    scheduler.close(all.get(17));
    Slot slot = daemon.member("me").block().slot(17);
    assertThat(slot.used()).isFalse();
    int generation = slot.generation();
    queue(scheduler, "another");
    assertThat(slot.name()).isEqualTo("another");
    assertThat(slot.generation()).isEqualTo(generation + 1);
    assertThatThrownBy(() -> scheduler.hint(all.get(17), Hint.PRIORITY, 1))
        .hasMessageContaining("not of this scheduler");
  }

  @Test
  void aQueueBehindAClosedGateCanBeClosed() {
    DaemonScheduler scheduler = connect("me");
    XQueue queue = queue(scheduler, "q");
    Member member = daemon.member("me");
    daemon.gate(member, 0, false);
    List<HandCommand> submitted = HandDevice.submit(queue, 3);
    scheduler.close(queue);
    assertThat(submitted).allMatch(HandCommand::isFinished);
    assertThat(member.block().slot(0).used()).isFalse();
    scheduler.close();
    scheduler.close();
    Conditions.await("the daemon to notice", daemon.members::isEmpty);
    assertThatThrownBy(() -> scheduler.newQueue(device, "late")).hasMessageContaining("closed");
  }
}
