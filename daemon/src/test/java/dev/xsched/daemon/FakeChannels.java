package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.link.Gpu.Channel;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A driver's channels: knows how often each is disabled, how, and how many calls there were. */
final class FakeChannels implements ChannelSwitch {
  private final Map<Integer, Integer> disabled = new TreeMap<>();
  private final Set<Integer> offAfterSlice = new HashSet<>();
  final Set<Integer> absent = new HashSet<>();
  int calls;
  int disableCalls;
  int mostDisabled;
  boolean refusesToDisable;
  boolean refusesToEnable;
  boolean closed;
  Runnable meanwhile = () -> {};

  /** Somebody else did, and died. */
  synchronized void disableFromOutside(int handle) {
    disabled.merge(handle, 1, Integer::sum);
  }

  /** Handles of those that are off the GPU. */
  synchronized Set<Integer> off() {
    Set<Integer> off = new HashSet<>();
    disabled.forEach(
        (handle, count) -> {
          if (count > 0) {
            off.add(handle);
          }
        });
    return off;
  }

  /** Handles of those for which nobody was preempted. */
  synchronized Set<Integer> offAfterSlice() {
    return Set.copyOf(offAfterSlice);
  }

  @Override
  public synchronized void turn(List<Channel> channels, Turn turn) throws IOException {
    boolean disable = turn != Turn.ON;
    calls++;
    disableCalls += disable ? 1 : 0;
    meanwhile.run();
    if (disable ? refusesToDisable : refusesToEnable) {
      throw new IOException("the driver refuses DISABLE_CHANNELS with status 0x1b");
    }
    for (Channel channel : channels) {
      if (absent.contains(channel.handle())) {
        throw new IOException("the driver refuses DISABLE_CHANNELS with status 0x57");
      }
      int before = disabled.getOrDefault(channel.handle(), 0);
      int count = Math.max(0, before + (disable ? 1 : -1));
      disabled.put(channel.handle(), count);
      offAfterSlice.remove(channel.handle());
      if (turn == Turn.OFF_AFTER_SLICE) {
        offAfterSlice.add(channel.handle());
      }
      mostDisabled = Math.max(mostDisabled, count);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
