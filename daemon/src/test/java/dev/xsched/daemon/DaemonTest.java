package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.NotAllowedException;
import dev.xsched.daemon.api.QueueConfig;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Board;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole daemon in this process, and programs that meet it in real memory. */
class DaemonTest {
  private static final String GPU = "test:gpu";
  private static final Caller STRANGER = new Caller(12345);

  private ControlDirectory directory = new ControlDirectory(Path.of(""));
  private @Nullable Daemon running;
  private Caller owner = STRANGER;

  @BeforeEach
  void start() throws IOException {
    directory = new ControlDirectory(Files.createTempDirectory("xs"));
    owner = new Caller(ControlDirectory.ownUid());
    daemon("HPF");
  }

  @AfterEach
  void stop() throws IOException {
    if (running != null) {
      running.close();
    }
  }

  private void daemon(@Nullable String policy) throws IOException {
    running = Daemon.start(options(policy));
  }

  private DaemonOptions options(@Nullable String policy) {
    return new DaemonOptions(
        directory,
        policy,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        directory.path().resolve("limits.toml"),
        "test");
  }

  private DaemonControl control() {
    if (running == null) {
      throw new IllegalStateException("no daemon");
    }
    return running.control();
  }

  @Test
  void theHigherReadyQueueClosesTheGateOfTheLower() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "program")) {
      Slot low = program.newQueue(0, "low", GPU);
      Slot high = program.newQueue(1, "high", GPU);
      program.ask(high, Hint.PRIORITY, 10);
      program.ready(low);
      await(() -> state(low).equals("running"));
      program.ready(high);
      await(() -> !low.gateOpen());
      assertThat(state(low)).isEqualTo("waiting");
      assertThat(state(high)).isEqualTo("running");
      program.idle(high);
      await(low::gateOpen);
      assertThat(statistic(Statistic.PREEMPTIONS)).isEqualTo(1);
      assertThat(statistic(Statistic.RESUMES)).isEqualTo(1);
      assertThat(statistic(Statistic.EVENTS)).isEqualTo(3);
    }
  }

  @Test
  void queuesOfOtherDevicesAreLeftAlone() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "program")) {
      Slot here = program.newQueue(0, "here", GPU);
      Slot there = program.newQueue(1, "there", "test:npu");
      program.ask(there, Hint.PRIORITY, 10);
      program.ready(there);
      program.ready(here);
      await(() -> state(here).equals("running") && state(there).equals("running"));
      control().setPolicy(owner, "HHPF");
      await(() -> !here.gateOpen());
    }
  }

  @Test
  void ranksAndCeilingsFollowThePolicyAndArePutAwayByOneWithoutRanks() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "program")) {
      Slot queue = program.newQueue(3, "queue", GPU);
      program.ask(queue, Hint.PRIORITY, 7);
      await(() -> queue.rank() == 7 && queue.ceiling() >= 0);
      program.ready(queue);
      Board board = program.registration().board();
      await(() -> Board.rank(board.ceiling(queue.ceiling())) == 7);
      control().setPolicy(owner, "UP");
      assertThat(queue.ceiling()).isEqualTo(Slot.NO_CEILING);
      assertThat(Board.rank(board.ceiling(0))).isEqualTo(Board.NO_RANK);
    }
  }

  @Test
  void aCeilingThatNoReadyQueueAccountsForFallsAgain() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "program")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> queue.ceiling() >= 0);
      Board board = program.registration().board();
      board.raise(queue.ceiling(), 100);
      program.tell(queue);
      await(() -> Board.rank(board.ceiling(queue.ceiling())) == Board.NO_RANK);
    }
  }

  @Test
  void aBoardFullOfNonsenseIsNotBelievedAnyMore() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "program")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> queue.ceiling() >= 0);
      Board board = program.registration().board();
      await(
          () -> {
            board.raise(queue.ceiling(), 1_000_000);
            program.tell(queue);
            return program.block().ignoresCeilings();
          });
      program.ready(queue);
      await(() -> state(queue).equals("running"));
    }
  }

  @Test
  void theLastOneToSetAHintWinsAndEverybodySeesWhoItWas() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named", Hint.PRIORITY, 1)) {
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> hint(queue, "priority").equals("1 environment"));
      program.ask(queue, Hint.PRIORITY, 2);
      await(() -> hint(queue, "priority").equals("2 application"));
      control().hint(owner, "named", Map.of(Hint.PRIORITY, 3L), Hints.Source.WEB);
      assertThat(hint(queue, "priority")).isEqualTo("3 web");
      program.ask(queue, Hint.UTILIZATION, 50);
      await(() -> hint(queue, "utilization").equals("50 application"));
      assertThat(hint(queue, "priority")).isEqualTo("3 web");
      program.ask(queue, Hint.PRIORITY, 4);
      await(() -> hint(queue, "priority").equals("4 application"));
    }
  }

  @Test
  void aHintForAProgramHoldsForItsQueuesToCome() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      control().hint(owner, "named", Map.of(Hint.PRIORITY, 3L), Hints.Source.COMMAND_LINE);
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> hint(queue, "priority").equals("3 command-line"));
    }
  }

  @Test
  void targetsArePidsNamesAndQueues() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot first = program.newQueue(0, "first", GPU);
      Slot second = program.newQueue(1, "second", GPU);
      await(() -> queues().size() == 2);
      long pid = ProcessHandle.current().pid();
      long id = queue(second).id();
      for (String target : List.of("" + pid, "pid:" + pid, "named", "name:named")) {
        assertThat(hintBy(target, 5)).hasSize(2);
      }
      assertThat(hintBy(pid + "/1", 6)).containsExactly(id);
      assertThat(hintBy("queue:" + id, 7)).containsExactly(id);
      assertThat(hint(first, "priority")).isEqualTo("5 rest");
      assertThat(hint(second, "priority")).isEqualTo("7 rest");
      for (String target : List.of("nobody", "1", pid + "/9", "queue:99", "queue:x", "")) {
        assertThatThrownBy(() -> hintBy(target, 5))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(pid + " (named)");
      }
    }
    await(() -> control().state().programs().isEmpty());
    assertThatThrownBy(() -> hintBy("named", 5)).hasMessageContaining("xsched run");
  }

  @Test
  void badValuesChangeNothing() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> queues().size() == 1);
      assertThatThrownBy(
              () ->
                  control()
                      .hint(
                          owner,
                          "named",
                          Map.of(Hint.PRIORITY, 5L, Hint.UTILIZATION, 101L),
                          Hints.Source.REST))
          .hasMessageContaining("0 to 100");
      assertThatThrownBy(
              () -> control().hint(owner, "named", Map.of(Hint.TIMESLICE, 500L), Hints.Source.REST))
          .hasMessageContaining("whole system");
      assertThatThrownBy(() -> control().hint(owner, "named", Map.of(), Hints.Source.REST))
          .hasMessageContaining("at least one");
      assertThatThrownBy(() -> control().setPolicy(owner, "BEST")).hasMessageContaining("HPF");
      assertThatThrownBy(
              () -> control().configure(owner, "named", new QueueConfig(null, null, null, 4)))
          .hasMessageContaining("0 to 3");
      assertThat(hint(queue, "priority")).isEqualTo("0 default");
    }
  }

  @Test
  void strangersSeeEverythingAndChangeNothing() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      program.newQueue(0, "queue", GPU);
      await(() -> queues().size() == 1);
      assertThatThrownBy(
              () -> control().hint(STRANGER, "named", Map.of(Hint.PRIORITY, 1L), Hints.Source.REST))
          .isInstanceOf(NotAllowedException.class)
          .hasMessageContaining("belongs to uid " + owner.uid());
      assertThatThrownBy(() -> control().setPolicy(STRANGER, "UP"))
          .isInstanceOf(NotAllowedException.class);
      assertThatThrownBy(() -> control().stop(STRANGER)).isInstanceOf(NotAllowedException.class);
      assertThatThrownBy(
              () -> control().configure(STRANGER, "named", new QueueConfig(1L, null, null, null)))
          .isInstanceOf(NotAllowedException.class);
      assertThatThrownBy(
              () ->
                  control()
                      .hint(STRANGER, "system", Map.of(Hint.TIMESLICE, 500L), Hints.Source.REST))
          .isInstanceOf(NotAllowedException.class);
    }
  }

  @Test
  void windowAndLevelReachTheProgram() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      await(() -> queues().size() == 1);
      int orders = program.block().orders();
      control().configure(owner, "named", new QueueConfig(250L, 8, 4, 2));
      assertThat(queue.windowNanos()).isEqualTo(250_000);
      assertThat(queue.windowCommands()).isEqualTo(8);
      assertThat(queue.windowBatch()).isEqualTo(4);
      assertThat(queue.level()).isEqualTo(2);
      assertThat(program.block().orders()).isNotEqualTo(orders);
      control().configure(owner, "named", new QueueConfig(null, null, null, 1));
      assertThat(queue(queue).windowMicros()).isEqualTo(250);
      assertThat(queue(queue).level()).isEqualTo(1);
    }
  }

  @Test
  void theNextDaemonKnowsWhatPeopleToldThisOne() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named", Hint.PRIORITY, 1)) {
      Slot queue = program.newQueue(0, "queue", GPU);
      program.ask(queue, Hint.UTILIZATION, 50);
      await(() -> queues().size() == 1 && hint(queue, "utilization").startsWith("50"));
      hintBy("named", 9);
      control().configure(owner, "named", new QueueConfig(250L, null, null, null));
      control().hint(owner, "system", Map.of(Hint.TIMESLICE, 700L), Hints.Source.REST);
      control().setPolicy(owner, "CFS");
      stop();
      assertThat(queue.gateOpen()).isTrue();
      assertThat(program.block().scheduled()).isFalse();
      daemon(null);
      program.registerAgain(directory, "named");
      await(() -> queues().size() == 1);
      assertThat(control().state().policy()).isEqualTo("CFS");
      assertThat(control().state().systemHints())
          .containsEntry("timeslice", new DaemonState.HintState(700L, "rest"));
      assertThat(hint(queue, "priority")).isEqualTo("9 rest");
      assertThat(hint(queue, "utilization")).isEqualTo("50 application");
      assertThat(queue(queue).windowMicros()).isEqualTo(250);
      assertThat(statistic(Statistic.PROGRAMS_ADOPTED)).isEqualTo(1);
    }
  }

  @Test
  void whoHadATokenOfTheDaemonBeforeFindsOneOfThisInItsPlace() throws Exception {
    Files.writeString(directory.token(STRANGER.uid()), "of the daemon before");
    Path foreign = Files.writeString(directory.path().resolve("token-of-mine"), "no token");
    stop();
    daemon(null);
    HttpRequest change =
        HttpRequest.newBuilder(
                URI.create("http://" + Files.readString(directory.http()) + "/api/v1/stop"))
            .header("Authorization", "Bearer " + Files.readString(directory.token(STRANGER.uid())))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      // Known, and not allowed to do this; who is not known gets 401.
      assertThat(client.send(change, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(403);
    }
    assertThat(foreign).hasContent("no token");
  }

  @Test
  void theNextDaemonKnowsWhatPeopleSetAfterAProgramHadAskedForAnotherTimeslice() throws Exception {
    try (TestProgram old = TestProgram.register(directory, "old", Hint.TIMESLICE, 500)) {
      old.newQueue(0, "queue", GPU);
      await(() -> timeslice().equals("500 environment"));
      control().hint(owner, "system", Map.of(Hint.TIMESLICE, 700L), Hints.Source.REST);
      stop();
      daemon(null);
      old.registerAgain(directory, "old");
      await(() -> queues().size() == 1);
      assertThat(timeslice()).isEqualTo("700 rest");
      try (TestProgram fresh = TestProgram.register(directory, "new", Hint.TIMESLICE, 600)) {
        fresh.newQueue(0, "queue", GPU);
        await(() -> timeslice().equals("600 environment"));
      }
    }
  }

  @Test
  void aQueueThatEndsAndOneInItsPlaceAreTwo() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot slot = program.newQueue(0, "first", GPU);
      await(() -> queues().size() == 1);
      hintBy("queue:" + queue(slot).id(), 9);
      slot.free();
      program.tell(slot);
      await(() -> queues().isEmpty() && control().state().devices().isEmpty());
      program.newQueue(0, "second", GPU);
      await(() -> queues().size() == 1);
      assertThat(queue(slot).name()).isEqualTo("second");
      assertThat(hint(slot, "priority")).isEqualTo("0 default");
    }
  }

  @Test
  void aProgramThatWritesNonsenseIsLeftAloneAndHoldsNobodyBack() throws Exception {
    try (TestProgram wild = TestProgram.register(directory, "wild");
        TestProgram tame = TestProgram.register(directory, "tame")) {
      Slot bad = wild.newQueue(0, "bad", GPU);
      wild.ask(bad, Hint.PRIORITY, 200);
      wild.ready(bad);
      Slot good = tame.newQueue(0, "good", GPU);
      tame.ready(good);
      await(() -> !good.gateOpen());
      await(
          () -> {
            bad.asks().ask(Hint.UTILIZATION, -5);
            wild.tell(bad);
            return good.gateOpen();
          });
      assertThat(wild.block().scheduled()).isFalse();
      assertThat(statistic(Statistic.FAULTS)).isGreaterThanOrEqualTo(1_000);
    }
  }

  @Test
  void whoRanWhenIsKept() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      program.ready(queue);
      await(() -> control().runsAfter(0).size() == 1);
      assertThat(control().runsAfter(0).getFirst().endNanos()).isEqualTo(Long.MAX_VALUE);
      program.idle(queue);
      await(() -> control().runsAfter(0).getFirst().endNanos() != Long.MAX_VALUE);
      Run run = control().runsAfter(0).getFirst();
      assertThat(run.number()).isEqualTo(1);
      assertThat(run.endNanos()).isGreaterThan(run.startNanos());
      assertThat(control().runsAfter(1)).isEmpty();
    }
  }

  @Test
  void thereIsOneDaemonPerFolder() {
    assertThatThrownBy(() -> Daemon.start(options(null)))
        .isInstanceOf(Daemon.AlreadyRunningException.class)
        .hasMessageContaining("already");
  }

  @Test
  void timesThatCannotBeCountAsNow() throws Exception {
    try (TestProgram program = TestProgram.register(directory, "named")) {
      Slot queue = program.newQueue(0, "queue", GPU);
      queue.setReadySince(Long.MAX_VALUE);
      program.tell(queue);
      await(() -> state(queue).equals("running"));
      assertThat(queue(queue).readyNanos()).isBetween(0L, 60_000_000_000L);
      assertThat(statistic(Statistic.FAULTS)).isPositive();
    }
  }

  private List<Long> hintBy(String target, long priority) {
    return control().hint(owner, target, Map.of(Hint.PRIORITY, priority), Hints.Source.REST);
  }

  private long statistic(Statistic statistic) {
    Long value = control().state().statistics().get(statistic.label());
    return value == null ? -1 : value;
  }

  private List<QueueState> queues() {
    return control().state().programs().stream()
        .map(ProgramState::queues)
        .flatMap(List::stream)
        .toList();
  }

  private QueueState queue(Slot slot) {
    return queues().stream()
        .filter(q -> q.slot() == slot.index() && q.name().equals(slot.name()))
        .findFirst()
        .orElseThrow();
  }

  private String state(Slot slot) {
    return queues().stream()
        .filter(q -> q.slot() == slot.index() && q.name().equals(slot.name()))
        .map(QueueState::state)
        .findFirst()
        .orElse("");
  }

  private String hint(Slot slot, String label) {
    if (queues().stream().noneMatch(q -> q.name().equals(slot.name()))) {
      return "";
    }
    DaemonState.HintState hint = queue(slot).hints().get(label);
    return hint == null ? "" : hint.value() + " " + hint.source();
  }

  private String timeslice() {
    DaemonState.HintState hint = control().state().systemHints().get("timeslice");
    return hint == null ? "" : hint.value() + " " + hint.source();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      Thread.sleep(1);
    }
  }
}
