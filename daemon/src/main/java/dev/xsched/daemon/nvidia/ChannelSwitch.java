package dev.xsched.daemon.nvidia;

import dev.xsched.link.Gpu.Channel;
import java.io.IOException;
import java.util.List;

/**
 * Takes channels of any program off one GPU, and puts them back. Disabling counts, and the count
 * outlives who raised it; enabling what is not disabled does nothing. For one thread.
 */
public interface ChannelSwitch extends AutoCloseable {
  /** What is to become of channels. */
  enum Turn {
    ON,
    /** Off in the middle of what they run; whoever has the GPU is preempted by that. */
    OFF,
    /**
     * Nobody is preempted: what they run goes on until its time slice is over and somebody else has
     * work, and does not come back.
     */
    OFF_AFTER_SLICE
  }

  /**
   * Does that to all of them.
   *
   * @throws IOException with the driver's reason; some of them may have been switched
   */
  void turn(List<Channel> channels, Turn turn) throws IOException;

  @Override
  void close();

  /** Finds the switch of a GPU. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens it.
     *
     * @param device the name that programs have for it
     * @param instance the driver's number for it
     * @throws IOException with the reason why there is none
     */
    ChannelSwitch open(String device, int instance) throws IOException;

    /** Does what can be done before it is known which GPU, so that opening takes less time. */
    default void prepare() {}
  }
}
