package dev.xsched.policy.builtin;

import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;

/**
 * Who shares a device with whom: single queues, or processes with all the queues that they have on
 * one device. A process with queues on two devices is two claimants. They are numbered densely in
 * the order in which their queues are added, so that facts about them fit into plain arrays.
 */
final class Claimants {
  /** What counts as one claimant. */
  enum Kind {
    QUEUE,
    PROCESS
  }

  /** Stands for no claimant. */
  static final int NOBODY = -1;

  /** Stands for the id of no claimant. */
  static final long NO_ID = Long.MIN_VALUE;

  private final Snapshot snapshot;
  private final Kind kind;
  private int count;

  // By queue. Where queues are the claimants, the numbers are the same.
  private final int[] ofQueue;
  private final boolean[] executes;
  private final boolean[] current;

  // By claimant. Where queues are the claimants, the numbers are the same.
  private final long[] ids;
  private final int[] devices;
  private final boolean[] ready;
  private final long[] spentNanos;

  /** By device and process slot: the claimant, plus one. */
  private final int[] ofProcess;

  Claimants(Snapshot snapshot, Kind kind) {
    this.snapshot = snapshot;
    this.kind = kind;
    int queues = snapshot.queues().size();
    boolean processes = kind == Kind.PROCESS;
    ofQueue = new int[processes ? queues : 0];
    ofProcess = new int[processes ? snapshot.devices() * snapshot.processSlots() : 0];
    executes = new boolean[queues];
    current = new boolean[queues];
    ids = new long[queues];
    devices = new int[queues];
    ready = new boolean[queues];
    spentNanos = new long[queues];
  }

  /** Adds the next queue of the snapshot and returns its claimant. */
  int add(int index, QueueView queue) {
    int claimant = kind == Kind.QUEUE ? ofItself(queue) : ofProcess(index, queue);
    devices[claimant] = queue.device();
    executes[index] = queue.hints().executes();
    ready[claimant] |= queue.ready() && executes[index];
    return claimant;
  }

  private int ofItself(QueueView queue) {
    ids[count] = queue.id();
    return count++;
  }

  private int ofProcess(int index, QueueView queue) {
    int place = queue.device() * snapshot.processSlots() + queue.process().slot();
    if (ofProcess[place] == 0) {
      ids[count] = queue.process().id();
      ofProcess[place] = ++count;
    }
    ofQueue[index] = ofProcess[place] - 1;
    return ofQueue[index];
  }

  /** Notes what a queue was charged for before; it has spent what it used since. */
  void charged(int index, QueueView queue, long chargedNanos) {
    long spent = queue.usedNanos(snapshot.nowNanos()) - chargedNanos;
    current[index] = spent == 0;
    // Queues of one claimant run at the same time: the longest used is the time it had.
    int claimant = of(index);
    spentNanos[claimant] = Math.max(spentNanos[claimant], spent);
  }

  int count() {
    return count;
  }

  /** Returns the claimant to which the queue at this index of the snapshot belongs. */
  int of(int index) {
    return kind == Kind.QUEUE ? index : ofQueue[index];
  }

  boolean executes(int index) {
    return executes[index];
  }

  /** Returns whether a queue was charged before, and for all that it used. */
  boolean isCurrent(int index) {
    return current[index];
  }

  int device(int claimant) {
    return devices[claimant];
  }

  /** Returns what stays the same from one snapshot to the next: the id of the queue or process. */
  long id(int claimant) {
    return ids[claimant];
  }

  /** Returns whether one of its queues is ready and allowed to execute. */
  boolean ready(int claimant) {
    return ready[claimant];
  }

  /** Returns for how long it had the device since it was charged. */
  long spentNanos(int claimant) {
    return spentNanos[claimant];
  }
}
