package dev.xsched.daemon;

import dev.xsched.link.Block;
import dev.xsched.link.PacketSocket;
import dev.xsched.policy.Hints;
import dev.xsched.policy.ProcessView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program that has registered: who it is, its memory and its queues. */
final class Program {
  private final long id;
  private final Key key;
  private final int generation;
  private final String name;
  private final int uid;
  private final Block block;
  private final UserBoard board;
  private final int boardIndex;
  private final @Nullable ManagedQueue[] queues = new @Nullable ManagedQueue[Block.CAPACITY];

  ProcessView process;
  boolean stopped;

  /** Whether another daemon scheduled it before. */
  boolean adopted;

  boolean expelled;
  boolean clamped;
  int faults;
  long completedBefore;

  /** How often in a row it had work and none of it had ended. */
  int looksInVain;

  /** So many of these are to be, before it may be off its GPU unnoticed. */
  int doubtsAfter;

  long usedByGoneQueues;

  /** What new queues of this program start with. */
  Hints hints = Hints.DEFAULT;

  int askedSequence;

  /** Whether somebody set a hint of it from outside, so that the next daemon must know. */
  boolean steered;

  /** A process that a pid means only together with its start. */
  record Key(int pid, long startTicks) {
    /** False for a process that this one cannot see, because it is in no namespace here. */
    boolean known() {
      return startTicks != 0;
    }
  }

  Program(
      long id,
      Key key,
      int generation,
      String name,
      PacketSocket.Peer peer,
      Block block,
      UserBoard board,
      int boardIndex,
      ProcessView process) {
    this.id = id;
    this.key = key;
    this.generation = generation;
    this.name = name;
    this.uid = peer.uid();
    this.block = block;
    this.board = board;
    this.boardIndex = boardIndex;
    this.process = process;
  }

  long id() {
    return id;
  }

  Key key() {
    return key;
  }

  int generation() {
    return generation;
  }

  String name() {
    return name;
  }

  int uid() {
    return uid;
  }

  Block block() {
    return block;
  }

  UserBoard board() {
    return board;
  }

  int boardIndex() {
    return boardIndex;
  }

  @Nullable ManagedQueue queue(int slot) {
    return queues[slot];
  }

  void setQueue(int slot, @Nullable ManagedQueue queue) {
    queues[slot] = queue;
  }

  List<ManagedQueue> queues() {
    List<ManagedQueue> all = new ArrayList<>();
    for (ManagedQueue queue : queues) {
      if (queue != null) {
        all.add(queue);
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return "%s (pid %d)".formatted(name, key.pid());
  }
}
