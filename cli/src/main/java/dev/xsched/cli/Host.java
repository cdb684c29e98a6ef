package dev.xsched.cli;

import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * What a command knows of where it runs.
 *
 * @param environment the variables as the user has them
 */
public record Host(Map<String, String> environment) {
  static Host ofProcess() {
    return new Host(System.getenv());
  }

  /** The user, as the kernel sees them. */
  public int uid() {
    try {
      return ControlDirectory.ownUid();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
