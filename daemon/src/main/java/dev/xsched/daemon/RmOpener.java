package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.daemon.nvidia.RmClient;
import java.io.IOException;

/**
 * Opens NVIDIA's driver. Other users' channels are for root to stop; a daemon of one user asks the
 * programs to.
 *
 * @param uid of the daemon
 */
record RmOpener(int uid) implements ChannelSwitch.Opener {
  @Override
  public ChannelSwitch open(String device, int instance) throws IOException {
    if (uid != 0) {
      throw new IOException("the daemon runs as uid %d, not as root".formatted(uid));
    }
    return RmClient.open(device, instance);
  }

  @Override
  public void prepare() {
    if (uid == 0) {
      RmClient.prepare();
    }
  }
}
