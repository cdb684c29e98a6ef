package dev.xsched.daemon.nvidia;

import dev.xsched.link.Gpu.Channel;
import java.io.IOException;
import java.util.List;

/**
 * Takes channels of any program off one GPU, and puts them back. Disabling counts, and the count
 * outlives who raised it; enabling what is not disabled does nothing. For one thread.
 */
public interface ChannelSwitch extends AutoCloseable {
  /**
   * Disables or enables all of them.
   *
   * @throws IOException with the driver's reason; some of them may have been switched
   */
  void turn(List<Channel> channels, boolean disable) throws IOException;

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
  }
}
