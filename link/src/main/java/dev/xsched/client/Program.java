package dev.xsched.client;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * This program as daemons see it: one block for life, the slots of its queues, and the watcher that
 * carries out orders.
 */
final class Program implements AutoCloseable {
  private final Block block;
  private final Environment environment;
  private final Connection connection;
  private final Watcher watcher;
  private final List<ScheduledQueue> queues = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private final BitSet usedSlots = new BitSet();

  Program(List<ControlDirectory> folders, Environment environment) throws IOException {
    this.block = Block.create();
    this.environment = environment;
    environment.hints().forEach(block.asks()::ask);
    this.connection = new Connection(folders, environment.name(), block);
    this.watcher = new Watcher(block, connection, queues, this::tellAll);
    if (connection.check(System.nanoTime())) {
      tellAll();
    }
    watcher.start();
  }

  Connection connection() {
    return connection;
  }

  /** Schedules a queue from now on; null if there is no slot left. */
  synchronized @Nullable ScheduledQueue add(XQueue queue, String device, Set<Level> levels) {
    int index = usedSlots.nextClearBit(0);
    if (index >= Block.CAPACITY) {
      return null;
    }
    usedSlots.set(index);
    int levelBits = 0;
    for (Level level : levels) {
      levelBits |= 1 << level.ordinal();
    }
    Slot slot = block.slot(index);
    slot.use(queue.name(), device, levelBits, true);
    SlotGate gate = new SlotGate(block, slot, connection, watcher::wake);
    ScheduledQueue scheduled = new ScheduledQueue(queue, slot, this, gate, environment.level());
    queues.add(scheduled);
    tell(index);
    if (connection.registration() != null) {
      environment.mark().make();
    }
    return scheduled;
  }

  void remove(ScheduledQueue queue) {
    queue.close();
    queues.remove(queue);
    synchronized (this) {
      usedSlots.clear(queue.slot().index());
    }
  }

  /** Asks for something on behalf of the whole program; the value was checked. */
  synchronized void ask(Hint hint, long value) {
    block.asks().ask(hint, value);
    tellAll();
  }

  /** Tells the daemon, if there is one, that a slot has changed. */
  void tell(int slot) {
    block.setChanged(slot);
    ring();
  }

  private void tellAll() {
    for (ScheduledQueue queue : queues) {
      block.setChanged(queue.slot().index());
    }
    ring();
  }

  private void ring() {
    Registration daemon = connection.registration();
    if (daemon != null) {
      daemon.board().ring(daemon.boardIndex());
    }
  }

  /** Ends the acquaintance. All queues must have been removed. */
  @Override
  public void close() {
    watcher.close();
    connection.close();
    block.close();
  }
}
