package dev.xsched.queue;

import org.jspecify.annotations.Nullable;

/**
 * Learns that launched commands have completed and tells their queue. A blocking device needs a
 * thread for that ({@link ThreadSyncer}); a device on virtual time calls back instead.
 */
public interface Syncer {
  /**
   * Starts to follow a queue that has commands in flight: sync the target that {@link
   * Following#advance} names, then call it again with the outcome, until it names none.
   */
  void follow(Following queue);

  /** A queue's side of the conversation. */
  interface Following {
    HwQueue hwQueue();

    /**
     * Reports on a target and returns the next one.
     *
     * @param synced the target that was waited for, or null at the start
     * @param completed what {@link HwQueue#sync} returned for it
     * @return the next command to wait for, or null to stop following
     */
    @Nullable Command advance(@Nullable Command synced, boolean completed);

    /** Reports that waiting for a target failed; then go on with {@link #advance} from null. */
    void failed(Command target, Throwable cause);
  }
}
