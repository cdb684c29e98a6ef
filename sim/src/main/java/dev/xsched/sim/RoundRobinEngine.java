package dev.xsched.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Serves one program at a time, each for a slice while others wait. Within a program commands are
 * served in the order in which they arrived.
 */
final class RoundRobinEngine extends Engine {
  private final NativeScheduler.RoundRobin rule;
  private final ArrayDeque<DeviceContext> ring = new ArrayDeque<>();
  private final List<Lane> running = new ArrayList<>();
  private @Nullable DeviceContext loaded;
  private boolean switching;
  private boolean expired;
  private boolean armed;
  private long turn;
  private long turnBeganNanos;

  RoundRobinEngine(
      EventLoop loop, DeviceModel model, RandomGenerator random, NativeScheduler.RoundRobin rule) {
    super(loop, model, random);
    this.rule = rule;
  }

  @Override
  protected void offer(Lane lane) {
    DeviceContext context = lane.context;
    context.waiting.add(lane);
    if (context != loaded && !context.inRing) {
      context.inRing = true;
      ring.addLast(context);
    }
    goOn();
  }

  @Override
  protected void withdraw(Lane lane) {
    lane.context.waiting.remove(lane);
    goOn();
  }

  @Override
  protected void cutShort(Lane lane) {
    running.remove(lane);
    suspendRun(lane);
    goOn();
  }

  @Override
  protected void ended(Lane lane) {
    running.remove(lane);
    complete(lane);
    offerIfItCanRun(lane);
    goOn();
  }

  private void goOn() {
    DeviceContext current = loaded;
    if (switching) {
      return;
    }
    if (current != null && !expired) {
      dispatch(current);
    }
    if (!othersWait()) {
      return;
    }
    if (running.isEmpty()) {
      endTurn();
    } else if (!armed) {
      armSlice();
    }
  }

  /** Passes over programs whose lanes were all withdrawn since they joined the ring. */
  private boolean othersWait() {
    while (!ring.isEmpty() && ring.getFirst().waiting.isEmpty()) {
      ring.removeFirst().inRing = false;
    }
    return !ring.isEmpty();
  }

  private void dispatch(DeviceContext current) {
    while (running.size() < commandsAtOnce() && !current.waiting.isEmpty()) {
      Lane lane = current.waiting.remove();
      running.add(lane);
      begin(lane);
      planEnd(lane);
    }
  }

  /** Slices are counted from the beginning of the turn, also while nobody else waits. */
  private void armSlice() {
    armed = true;
    long own = loaded == null ? 0 : loaded.sliceNanos;
    long slice = own == 0 ? rule.sliceNanos() : own;
    long slices = (loop.nowNanos() - turnBeganNanos) / slice + 1;
    long armedTurn = turn;
    loop.at(turnBeganNanos + slices * slice, () -> locked(() -> expire(armedTurn)));
  }

  private void expire(long armedTurn) {
    if (armedTurn != turn) {
      return;
    }
    armed = false;
    if (!othersWait()) {
      return;
    }
    if (rule.midCommand()) {
      for (Lane lane : List.copyOf(running)) {
        running.remove(lane);
        suspendRun(lane);
        offerAgain(lane);
      }
      endTurn();
    } else {
      expired = true;
    }
  }

  /** Back among those that wait, without the turn that it has just lost. */
  private static void offerAgain(Lane lane) {
    if (lane.canRun()) {
      lane.offered = true;
      lane.context.waiting.add(lane);
    }
  }

  private void endTurn() {
    DeviceContext last = loaded;
    if (last != null && !last.waiting.isEmpty() && !last.inRing) {
      last.inRing = true;
      ring.addLast(last);
    }
    DeviceContext next = ring.removeFirst();
    next.inRing = false;
    loaded = next;
    expired = false;
    armed = false;
    turn++;
    switching = true;
    loop.at(loop.nowNanos() + rule.switchNanos(), () -> locked(this::beginTurn));
  }

  private void beginTurn() {
    switching = false;
    turnBeganNanos = loop.nowNanos();
    goOn();
  }
}
