package dev.xsched.sim;

import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** Serves commands in the order in which they arrived, whoever sent them. */
final class FifoEngine extends Engine {
  private final PriorityQueue<Lane> waiting = new PriorityQueue<>(DeviceContext.FIRST_COME);
  private int running;

  FifoEngine(EventLoop loop, DeviceModel model, RandomGenerator random) {
    super(loop, model, random);
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
    running--;
    suspendRun(lane);
    dispatch();
  }

  @Override
  protected void ended(Lane lane) {
    running--;
    complete(lane);
    offerIfItCanRun(lane);
    dispatch();
  }

  private void dispatch() {
    while (running < commandsAtOnce() && !waiting.isEmpty()) {
      Lane lane = waiting.remove();
      running++;
      begin(lane);
      planEnd(lane);
    }
  }
}
