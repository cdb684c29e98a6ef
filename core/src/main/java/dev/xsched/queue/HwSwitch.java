package dev.xsched.queue;

import java.lang.System.Logger;

/** Stops and starts a device queue, and survives a driver that refuses. */
final class HwSwitch {
  private final String name;
  private final HwQueue hwQueue;

  HwSwitch(String name, HwQueue hwQueue) {
    this.name = name;
    this.hwQueue = hwQueue;
  }

  /** Returns false if the driver refused: the queue runs on. */
  boolean stop(Level at) {
    try {
      if (at == Level.INTERRUPT) {
        hwQueue.interrupt();
      } else {
        hwQueue.deactivate();
      }
      return true;
    } catch (RuntimeException e) {
      warn("level %d failed on queue %s, level 1 is used".formatted(at.number(), name), e);
      return false;
    }
  }

  /** Whatever the driver says, the queue goes on: better to launch into it than to hang. */
  void start(Level from) {
    try {
      if (from == Level.INTERRUPT) {
        hwQueue.restore();
      } else {
        hwQueue.reactivate();
      }
    } catch (RuntimeException e) {
      warn("queue %s could not be started again".formatted(name), e);
    }
  }

  private static void warn(String message, Throwable cause) {
    System.getLogger("dev.xsched").log(Logger.Level.WARNING, message, cause);
  }
}
