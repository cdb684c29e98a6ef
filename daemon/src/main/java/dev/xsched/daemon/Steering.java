package dev.xsched.daemon;

import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.NotAllowedException;
import dev.xsched.daemon.api.QueueConfig;
import dev.xsched.daemon.api.Run;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What people may see and change, and who may. */
final class Steering implements DaemonControl {
  /**
   * One at a time of those who only look: everybody may, and what the daemon itself has to do must
   * not wait for all of them.
   */
  private final ReentrantLock looking = new ReentrantLock();

  private final Dispatcher dispatcher;
  private final SavedHints saved;
  private final Limits limits;
  private final int ownUid;
  private final Supplier<DaemonState> view;
  private final Runnable onStop;

  Steering(
      Dispatcher dispatcher,
      SavedHints saved,
      Limits limits,
      int ownUid,
      Supplier<DaemonState> view,
      Runnable onStop) {
    this.dispatcher = dispatcher;
    this.saved = saved;
    this.limits = limits;
    this.ownUid = ownUid;
    this.view = view;
    this.onStop = onStop;
  }

  @Override
  public DaemonState state() {
    return look(view);
  }

  @Override
  public List<Run> runsAfter(long number) {
    return look(() -> dispatcher.runsAfter(number));
  }

  @Override
  public List<MechanismChange> changesAfter(long number) {
    return look(() -> dispatcher.changesAfter(number));
  }

  @Override
  public void setPolicy(Caller caller, String name) {
    Policy policy = Policies.named(name);
    requireOwner(caller, "change the policy");
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(policy);
          return true;
        });
    save();
  }

  @Override
  public List<Long> hint(
      Caller caller, String target, Map<Hint, Long> values, Hints.Source source) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("name at least one hint, such as priority");
    }
    boolean ofSystem = target.equals("system");
    values.forEach(
        (hint, value) -> hint.check(ofSystem ? Hint.Scope.SYSTEM : Hint.Scope.QUEUE, value));
    if (ofSystem) {
      requireOwner(caller, "change hints of the whole system");
    }
    List<Long> changed =
        dispatcher.change(
            () -> {
              if (!ofSystem) {
                return hintQueues(caller, target, values, source);
              }
              values.forEach((h, v) -> dispatcher.scheduler().systemHint(h, v, source));
              return List.of();
            });
    save();
    return changed;
  }

  @Override
  public List<Long> configure(Caller caller, String target, QueueConfig config) {
    check("level", config.level(), 0, 3);
    check("window_commands", config.windowCommands(), 0, 65_536);
    check("window_batch", config.windowBatch(), 0, 65_536);
    check("window_micros", config.windowMicros(), 0, 10_000_000);
    List<Long> changed =
        dispatcher.change(
            () -> {
              Targets.Match match = new Targets(dispatcher).find(target);
              match.programs().forEach(p -> requireOwnerOf(caller, p));
              match.programs().forEach(p -> p.steered = true);
              match.queues().forEach(q -> configure(q, config));
              match.programs().forEach(p -> p.block().raiseOrders());
              return ids(match);
            });
    save();
    return changed;
  }

  @Override
  public void stop(Caller caller) {
    requireOwner(caller, "stop the daemon");
    onStop.run();
  }

  private <T> T look(Supplier<T> action) {
    looking.lock();
    try {
      return dispatcher.look(action);
    } finally {
      looking.unlock();
    }
  }

  private List<Long> hintQueues(
      Caller caller, String target, Map<Hint, Long> values, Hints.Source source) {
    Targets.Match match = new Targets(dispatcher).find(target);
    for (Program program : match.programs()) {
      requireOwnerOf(caller, program);
    }
    values.forEach((hint, value) -> requireWithinLimits(caller, hint, value));
    for (Program program : match.programs()) {
      program.steered = true;
      if (match.whole()) {
        values.forEach((h, v) -> program.hints = program.hints.with(h, v, source));
      }
    }
    for (ManagedQueue queue : match.queues()) {
      values.forEach((h, v) -> dispatcher.scheduler().hint(queue.id(), h, v, source));
    }
    return ids(match);
  }

  private static void configure(ManagedQueue queue, QueueConfig config) {
    Integer level = config.level();
    if (level != null) {
      queue.setLevel(level);
    }
    Long micros = config.windowMicros();
    Integer commands = config.windowCommands();
    Integer batch = config.windowBatch();
    queue.setWindow(
        micros == null ? queue.windowNanos : micros * 1_000,
        commands == null ? queue.windowCommands : commands,
        batch == null ? queue.windowBatch : batch);
  }

  private static List<Long> ids(Targets.Match match) {
    return match.queues().stream().map(ManagedQueue::id).toList();
  }

  private void save() {
    saved.write(
        () -> dispatcher.look(() -> saved.content(dispatcher.scheduler(), dispatcher.programs())));
  }

  private static void check(String name, @Nullable Number value, long min, long max) {
    if (value != null && (value.longValue() < min || value.longValue() > max)) {
      throw new IllegalArgumentException(
          "%s %d is out of range; give %d to %d".formatted(name, value.longValue(), min, max));
    }
  }

  private boolean owns(Caller caller) {
    return caller.isRoot() || caller.uid() == ownUid;
  }

  private void requireOwner(Caller caller, String what) {
    if (!owns(caller)) {
      throw new NotAllowedException(
          "only root and uid %d, who runs the daemon, may %s".formatted(ownUid, what));
    }
  }

  private void requireOwnerOf(Caller caller, Program program) {
    if (!owns(caller) && caller.uid() != program.uid()) {
      throw new NotAllowedException(
          "%s belongs to uid %d; only they and root may change it"
              .formatted(program, program.uid()));
    }
  }

  private void requireWithinLimits(Caller caller, Hint hint, long value) {
    if (owns(caller)) {
      return;
    }
    long allowed = limits.clamp(caller.uid(), hint, value);
    if (allowed == Hint.UNSET && value != allowed) {
      throw new NotAllowedException(
          "uid %d may ask for no %s, which goes before every priority; root may end their max-priority"
              .formatted(caller.uid(), hint.label()));
    }
    if (allowed != value) {
      throw new NotAllowedException(
          "uid %d may ask for a %s of at most %d; root may raise that in the configuration"
              .formatted(caller.uid(), hint.label(), allowed));
    }
  }
}
