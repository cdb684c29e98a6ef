package dev.xsched.daemon;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import java.io.IOException;

/** A program that says whatever a test wants, through real memory and a real socket. */
final class TestProgram implements AutoCloseable {
  private final Block block;
  private Registration registration;

  private TestProgram(Block block, Registration registration) {
    this.block = block;
    this.registration = registration;
  }

  static TestProgram register(ControlDirectory directory, String name) throws IOException {
    Block block = Block.create();
    return new TestProgram(block, Registration.with(directory, name, block));
  }

  /** Asks for something for all queues before it registers, as the environment would. */
  static TestProgram register(ControlDirectory directory, String name, Hint hint, long value)
      throws IOException {
    Block block = Block.create();
    block.asks().ask(hint, value);
    return new TestProgram(block, Registration.with(directory, name, block));
  }

  /** Finds the next daemon, with the memory that it has. */
  void registerAgain(ControlDirectory directory, String name) throws IOException {
    registration.close();
    registration = Registration.with(directory, name, block);
  }

  Block block() {
    return block;
  }

  Registration registration() {
    return registration;
  }

  Slot newQueue(int index, String name, String device) {
    Slot slot = block.slot(index);
    slot.use(name, device, 1, false);
    tell(slot);
    return slot;
  }

  void ask(Slot slot, Hint hint, long value) {
    slot.asks().ask(hint, value);
    tell(slot);
  }

  void ready(Slot slot) {
    slot.setReadySince(System.nanoTime());
    tell(slot);
  }

  void idle(Slot slot) {
    slot.setReadySince(0);
    tell(slot);
  }

  void tell(Slot slot) {
    block.setChanged(slot.index());
    registration.board().ring(registration.boardIndex());
  }

  @Override
  public void close() {
    registration.close();
  }
}
