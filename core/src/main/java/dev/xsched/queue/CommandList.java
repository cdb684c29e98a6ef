package dev.xsched.queue;

import org.jspecify.annotations.Nullable;

/**
 * The unfinished commands of one queue in order of submission, linked through the commands
 * themselves: first those in flight, then the pending ones. Not thread-safe.
 *
 * <pre>
 *   oldest -> ... -> lastLaunched -> firstPending -> ... -> newest
 *   |------ in flight ----------|    |------ pending ---------|
 * </pre>
 *
 * <p>Commands that leave do so as a chain: still linked, ending in null.
 */
final class CommandList {
  private @Nullable Command oldest;
  private @Nullable Command lastLaunched;
  private @Nullable Command firstPending;
  private @Nullable Command newest;
  private long submitted;
  private int inFlight;

  long submitted() {
    return submitted;
  }

  int inFlight() {
    return inFlight;
  }

  boolean isEmpty() {
    return oldest == null;
  }

  boolean hasPending() {
    return firstPending != null;
  }

  /** Sequence of the command to be launched next, or the largest number if there is none. */
  long nextSequence() {
    return firstPending == null ? Long.MAX_VALUE : firstPending.sequence;
  }

  /** Sequence of the newest command in flight, or 0 if there is none. */
  long lastLaunchedSequence() {
    return lastLaunched == null ? 0 : lastLaunched.sequence;
  }

  /** Sequence of the oldest unfinished command, or the largest number if all have finished. */
  long oldestSequence() {
    return oldest == null ? Long.MAX_VALUE : oldest.sequence;
  }

  void append(Command command) {
    command.sequence = ++submitted;
    if (newest == null) {
      oldest = command;
    } else {
      newest.next = command;
    }
    newest = command;
    if (firstPending == null) {
      firstPending = command;
    }
  }

  /** Moves the first pending command in flight and returns it. */
  Command launchNext() {
    Command command = firstPending;
    if (command == null) {
      throw new IllegalStateException("nothing is pending");
    }
    firstPending = command.next;
    lastLaunched = command;
    inFlight++;
    return command;
  }

  /**
   * Takes off the commands in flight up to that sequence, and the failed ones that follow: they
   * wait only for their turn. Returns the chain, or null if it is empty.
   */
  @Nullable Command retireThrough(long sequence) {
    Command first = oldest;
    Command last = null;
    Command command = first;
    long end = nextSequence();
    while (command != null
        && command.sequence < end
        && (command.sequence <= sequence || command.failure != null)) {
      last = command;
      command = command.next;
      inFlight--;
    }
    if (last == null) {
      return null;
    }
    last.next = null;
    oldest = command;
    if (inFlight == 0) {
      lastLaunched = null;
    }
    if (command == null) {
      newest = null;
    }
    return first;
  }

  /** Takes off all pending commands. Returns the chain, or null if it is empty. */
  @Nullable Command dropPending() {
    Command chain = firstPending;
    if (chain == null) {
      return null;
    }
    firstPending = null;
    newest = lastLaunched;
    if (lastLaunched == null) {
      oldest = null;
    } else {
      lastLaunched.next = null;
    }
    return chain;
  }

  /** Returns what to wait for next: the first sync point in flight, else the last command. */
  @Nullable Command syncTarget() {
    Command target = null;
    long end = nextSequence();
    for (Command c = oldest; c != null && c.sequence < end; c = c.next) {
      if (c.failure == null) {
        target = c;
        if (c.syncPoint) {
          break;
        }
      }
    }
    return target;
  }

  /** Marks the commands in flight up to that sequence as failed. */
  void failThrough(long sequence, Throwable cause) {
    long end = Math.min(nextSequence(), sequence + 1);
    for (Command c = oldest; c != null && c.sequence < end; c = c.next) {
      c.failure = cause;
    }
  }
}
