package dev.xsched.queue;

import java.time.Duration;

/** An accelerator that makes command queues. */
public interface Device extends AutoCloseable {
  /** What it is, for people: "virtual XPU gv100", "NVIDIA H200". */
  String name();

  /**
   * Which one it is: the same text in every program that uses this very device, and no other's.
   * Programs that use the same device compete.
   */
  default String key() {
    return name();
  }

  /** Whether its times come from a model and not from hardware. */
  boolean simulated();

  HwQueue newHwQueue();

  /** Returns how the completions of this device's queues are learned. */
  Syncer syncer();

  /** Returns a command that keeps the device busy for about that long. */
  Command delay(Duration time);

  @Override
  void close();
}
