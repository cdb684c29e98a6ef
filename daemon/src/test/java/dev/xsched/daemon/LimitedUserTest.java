package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.NotAllowedException;
import dev.xsched.link.Block;
import dev.xsched.link.PacketSocket;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user's programs have whom the file of limits names, and what others do for them. */
class LimitedUserTest {
  private static final int ROOT = 0;
  private static final int USER = 1001;

  private final PacketSocket.Peer user =
      new PacketSocket.Peer((int) ProcessHandle.current().pid(), USER, USER);
  private final Path folder;
  private Dispatcher dispatcher;
  private Steering steering;

  LimitedUserTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    start();
  }

  private void start() throws IOException {
    Path file = folder.resolve("limits.toml");
    Files.writeString(file, "[limits]\nmax-priority = -5\nmax-utilization = 50\n");
    Limits limits = Limits.read(file, Users.none(), ROOT);
    SavedHints saved = SavedHints.read(folder.resolve("state.json"));
    dispatcher = new Dispatcher(Policies.named("SLO"), USER, limits, saved);
    StateView view = new StateView(dispatcher, Users.none(), "test", ROOT, folder.toString());
    steering = new Steering(dispatcher, saved, limits, ROOT, view::state, () -> {});
  }

  @AfterEach
  void close() {
    dispatcher.close();
  }

  @Test
  void whoAsksForNothingHasNoMoreThanWhoAsks() throws Exception {
    Block silent = block();
    dispatcher.admit(user, "silent", silent);
    Block asking = block();
    asking.slot(0).asks().ask(Hint.PRIORITY, 0);
    asking.slot(0).asks().ask(Hint.UTILIZATION, 100);
    dispatcher.admit(user, "asking", asking);
    for (long queue = 1; queue <= 2; queue++) {
      assertThat(hint(queue, Hint.PRIORITY)).isEqualTo(-5);
      assertThat(hint(queue, Hint.LAX_PRIORITY)).isEqualTo(-5);
      assertThat(hint(queue, Hint.CRITICAL_PRIORITY)).isEqualTo(-5);
      assertThat(hint(queue, Hint.UTILIZATION)).isEqualTo(50);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SLO_P99", "SLO_RATIO"})
  void aGoalWouldGoBeforeEveryPriority(Hint goal) throws Exception {
    Block byEnvironment = block();
    byEnvironment.asks().ask(goal, 2_000);
    dispatcher.admit(user, "first", byEnvironment);
    assertThat(hint(1, goal)).isEqualTo(Hint.UNSET);
    Block byItself = block();
    byItself.slot(0).asks().ask(goal, 2_000);
    dispatcher.admit(user, "second", byItself);
    assertThat(hint(2, goal)).isEqualTo(Hint.UNSET);
    assertThatThrownBy(() -> state(new Caller(USER), goal))
        .isInstanceOf(NotAllowedException.class)
        .hasMessageContaining("no " + goal.label(), "max-priority");
    state(new Caller(ROOT), goal);
    assertThat(hint(2, goal)).as("root's wish").isEqualTo(2_000);
  }

  @Test
  void theNextDaemonKeepsTheLimitWhereSomebodySetSomethingElse() throws Exception {
    Block block = block();
    dispatcher.admit(user, "job", block);
    steering.hint(
        new Caller(ROOT), "job", Map.of(Hint.UTILIZATION, 30L), Hints.Source.COMMAND_LINE);
    dispatcher.close();
    start();
    dispatcher.admit(user, "job", block);
    assertThat(hint(1, Hint.UTILIZATION)).isEqualTo(30);
    assertThat(hint(1, Hint.PRIORITY)).isEqualTo(-5);
  }

  private void state(Caller caller, Hint goal) {
    steering.hint(caller, "second", Map.of(goal, 2_000L), Hints.Source.REST);
  }

  private long hint(long queue, Hint hint) {
    return dispatcher.look(() -> dispatcher.scheduler().queue(queue).hints().get(hint));
  }

  private static Block block() throws IOException {
    Block block = Block.create();
    block.slot(0).use("queue", "device", 1, false);
    return block;
  }
}
