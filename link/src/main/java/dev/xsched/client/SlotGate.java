package dev.xsched.client;

import dev.xsched.link.Block;
import dev.xsched.link.Board;
import dev.xsched.link.Registration;
import dev.xsched.link.Slot;
import dev.xsched.queue.LaunchGate;
import org.jspecify.annotations.Nullable;

/**
 * The rule "to launch" of xsched_control.h for one queue: a closed gate or a ceiling above the
 * queue's rank holds a launch back. An open one costs a few reads of memory and no clock.
 */
final class SlotGate implements LaunchGate {
  /** XSCHED_CONFIRM_NANOS: a ceiling that the daemon has not confirmed holds this long. */
  static final long CONFIRM_NANOS = 5_000_000;

  private static final int NOWHERE = -1;

  private final Block block;
  private final Slot slot;
  private final Connection connection;
  private final Runnable onHold;
  private volatile long heldSinceNanos;

  // Guarded by the queue's lock, under which it is asked.
  private @Nullable Board seenBoard;
  private long seenWord;
  private long seenSinceNanos;

  /**
   * Makes the gate of a slot.
   *
   * @param onHold runs when a launch was held back that somebody must make later
   */
  SlotGate(Block block, Slot slot, Connection connection, Runnable onHold) {
    this.block = block;
    this.slot = slot;
    this.connection = connection;
    this.onHold = onHold;
  }

  @Override
  public boolean open() {
    Registration daemon = connection.obeyed();
    if (daemon == null || (slot.gateOpen() && ceilingAbove(daemon.board()) == NOWHERE)) {
      return true;
    }
    long now = System.nanoTime();
    if (!connection.isAlive(now) || mayPass(daemon.board(), now)) {
      return true;
    }
    if (heldSinceNanos == 0) {
      heldSinceNanos = now;
      onHold.run();
    }
    return false;
  }

  @Override
  public void stopped() {
    if (!slot.gateOpen()) {
      slot.setStopped(System.nanoTime());
    }
  }

  /** Since when a launch is held back, 0 if none is. Whoever takes that must have it rechecked. */
  long takeHeld() {
    long since = heldSinceNanos;
    heldSinceNanos = 0;
    return since;
  }

  boolean isHeld() {
    return heldSinceNanos != 0;
  }

  /** The ceiling that is above this queue's rank, if there is one. */
  private int ceilingAbove(Board board) {
    int index = slot.ceiling();
    boolean none = index < 0 || index >= Board.CEILINGS;
    return none || slot.rank() >= Board.rank(board.ceiling(index)) || block.ignoresCeilings()
        ? NOWHERE
        : index;
  }

  /** Whether the gate is open and the ceiling has gone, or has waited too long for the daemon. */
  private boolean mayPass(Board board, long now) {
    if (!slot.gateOpen()) {
      return false;
    }
    int index = ceilingAbove(board);
    if (index == NOWHERE) {
      return true;
    }
    long word = board.ceiling(index);
    if (board != seenBoard || word != seenWord) {
      seenBoard = board;
      seenWord = word;
      seenSinceNanos = now;
    }
    return now - seenSinceNanos >= CONFIRM_NANOS;
  }
}
