package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The switches that were opened so far, and what was said of those that could not be. */
final class ChannelSwitches {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");
  private static final int MOST_SAID = 100;

  private record Place(String device, int instance) {}

  private final ChannelSwitch.Opener opener;
  private final Map<Place, ChannelSwitch> open = new HashMap<>();
  private final Set<String> said = new HashSet<>();

  ChannelSwitches(ChannelSwitch.Opener opener) {
    this.opener = opener;
  }

  /** Returns the switch of a GPU, null if there is none; the reason is said once. */
  @Nullable ChannelSwitch of(String device, int instance) {
    Place place = new Place(device, instance);
    ChannelSwitch there = open.get(place);
    if (there == null) {
      try {
        there = opener.open(device, instance);
        open.put(place, there);
      } catch (IOException | LinkageError e) {
        say(device, e);
      }
    }
    return there;
  }

  void prepare() {
    try {
      opener.prepare();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.DEBUG, "no driver can be called here", e);
    }
  }

  void say(String device, Throwable reason) {
    String text =
        "%s: %s; programs are asked to interrupt their work themselves"
            .formatted(device, reason.getMessage());
    if (said.size() < MOST_SAID && said.add(text)) {
      LOG.log(Level.WARNING, text);
    }
  }

  void close() {
    open.values().forEach(ChannelSwitch::close);
    open.clear();
  }
}
