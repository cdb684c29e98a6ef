package dev.xsched.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * Serves all lanes at once. Progress is counted on a scale that advances by what each running lane
 * gets, so a change in their number touches none of them, and the next to end is the one whose end
 * is nearest on that scale.
 */
final class SharingEngine extends Engine {
  private final double gain;
  private final PriorityQueue<Lane> waiting = new PriorityQueue<>(DeviceContext.FIRST_COME);
  private final PriorityQueue<Lane> running =
      new PriorityQueue<>(
          Comparator.<Lane>comparingDouble(lane -> lane.endsAt)
              .thenComparing(DeviceContext.FIRST_COME));
  private double progress;
  private long progressNanos;
  private long plan;

  SharingEngine(
      EventLoop loop, DeviceModel model, RandomGenerator random, NativeScheduler.Sharing rule) {
    super(loop, model, random);
    this.gain = rule.gain();
  }

  @Override
  protected double progressNow() {
    return progress + (loop.nowNanos() - progressNanos) * rate();
  }

  @Override
  protected void offer(Lane lane) {
    waiting.add(lane);
    dispatch();
  }

  @Override
  protected void withdraw(Lane lane) {
    waiting.remove(lane);
  }

  @Override
  protected void cutShort(Lane lane) {
    advance();
    running.remove(lane);
    suspendRun(lane);
    dispatch();
  }

  private double rate() {
    int lanes = running.size();
    return lanes <= 1 ? 1 : gain / lanes;
  }

  /** Brings the scale up to now, before the rate changes. */
  private void advance() {
    progress = progressNow();
    progressNanos = loop.nowNanos();
  }

  private void dispatch() {
    advance();
    while (running.size() < commandsAtOnce() && !waiting.isEmpty()) {
      Lane lane = waiting.remove();
      begin(lane);
      running.add(lane);
    }
    planNextEnd();
  }

  private void planNextEnd() {
    long thisPlan = ++plan;
    Lane next = running.peek();
    if (next != null) {
      long nanos = (long) Math.ceil((next.endsAt - progress) / rate());
      loop.at(progressNanos + Math.max(0, nanos), () -> locked(() -> endDue(thisPlan)));
    }
  }

  private void endDue(long thisPlan) {
    if (thisPlan != plan) {
      return;
    }
    advance();
    Lane lane = running.remove();
    complete(lane);
    offerIfItCanRun(lane);
    dispatch();
  }
}
