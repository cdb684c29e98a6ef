package dev.xsched.sim;

/**
 * Virtual time: jumps from event to event. Deterministic, and as fast as the events are handled.
 * One thread only.
 */
public final class VirtualLoop implements EventLoop {
  private final EventHeap events = new EventHeap();
  private long nowNanos;

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public void at(long nanos, Runnable event) {
    events.add(Math.max(nanos, nowNanos), event);
  }

  /** Always: while somebody blocks, no time passes. */
  @Override
  public boolean mustNotBlock() {
    return true;
  }

  /** Handles all events up to and including that time, which it then is. */
  public void runUntil(long nanos) {
    while (events.nextNanos() <= nanos && step()) {}
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** Handles the next event; returns false if there is none. */
  public boolean step() {
    if (events.isEmpty()) {
      return false;
    }
    nowNanos = events.nextNanos();
    events.remove().run();
    return true;
  }
}
