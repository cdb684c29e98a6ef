package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.daemon.nvidia.ChannelSwitch.Turn;
import dev.xsched.link.Gpu.Channel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The channels of one program that this daemon keeps off a GPU. Each is disabled once. */
final class DisabledChannels {
  private final ChannelSwitch channelSwitch;
  private final Set<Channel> held;
  private final LongSupplier clock;
  private final Set<Channel> own = new LinkedHashSet<>();
  private long tookNanos;

  /**
   * Begins with none.
   *
   * @param held what is disabled, whoever's it is: two programs may show the same channel
   */
  DisabledChannels(ChannelSwitch channelSwitch, Set<Channel> held, LongSupplier clock) {
    this.channelSwitch = channelSwitch;
    this.held = held;
    this.clock = clock;
  }

  boolean isEmpty() {
    return own.isEmpty();
  }

  /** How long the last call to the driver took. */
  long tookNanos() {
    return tookNanos;
  }

  /**
   * Disables those that are not.
   *
   * @param off in which of the two ways
   * @throws IOException with the driver's reason; then none of them is
   */
  void disable(List<Channel> channels, Turn off) throws IOException {
    List<Channel> fresh = new ArrayList<>(channels);
    fresh.removeIf(held::contains);
    if (fresh.isEmpty()) {
      return;
    }
    try {
      turn(fresh, off);
    } catch (IOException e) {
      enable(fresh, _ -> false); // Some may be, before the one that was refused.
      throw e;
    }
    own.addAll(fresh);
    held.addAll(fresh);
  }

  /** Enables all of its own; false if one of them is still there and could not be. */
  boolean enable(Predicate<Channel> isStillThere) {
    return enable(own, isStillThere);
  }

  /** Enables its own and these, unless somebody else holds them. */
  boolean enableAlso(List<Channel> channels, Predicate<Channel> isStillThere) {
    Set<Channel> all = new LinkedHashSet<>(channels);
    all.removeIf(held::contains);
    all.addAll(own);
    return enable(all, isStillThere);
  }

  private boolean enable(Collection<Channel> channels, Predicate<Channel> isStillThere) {
    if (channels.isEmpty()) {
      return true;
    }
    List<Channel> enabled = new ArrayList<>(channels);
    try {
      turn(enabled, Turn.ON);
    } catch (IOException e) {
      // One that has gone must not keep the others off.
      enabled.removeIf(channel -> !enableAlone(channel) && isStillThere.test(channel));
    }
    boolean all = enabled.size() == channels.size();
    enabled.forEach(own::remove);
    enabled.forEach(held::remove);
    return all;
  }

  private boolean enableAlone(Channel channel) {
    try {
      turn(List.of(channel), Turn.ON);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void turn(List<Channel> channels, Turn turn) throws IOException {
    long start = clock.getAsLong();
    channelSwitch.turn(channels, turn);
    tookNanos = clock.getAsLong() - start;
  }
}
