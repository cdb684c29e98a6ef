package dev.xsched.queue;

/**
 * Somebody outside who may hold back a queue's launches without telling it first, such as a ceiling
 * in memory that other programs raise. Called under the queue's lock: it must be quick and must not
 * call the queue.
 */
public interface LaunchGate {
  /**
   * Asked before each launch. Whoever answers no must see to it that {@link XQueue#recheck} is
   * called once the answer is yes: the queue does not ask again by itself.
   */
  boolean open();

  /** Told when nothing of the queue is at work on the hardware any more. */
  default void stopped() {}
}
