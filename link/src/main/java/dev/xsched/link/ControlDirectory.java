package dev.xsched.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The one folder by which programs, tools and a daemon find each other; containers mount it.
 *
 * <pre>
 * socket      where programs register
 * http        address of the REST interface and the page, such as 127.0.0.1:40123
 * token-UID   what that user must show to change anything; only they can read it
 * pid         the daemon's process id; locked while it runs
 * state.json  hints and policy, for the next daemon
 * log         what the daemon has to say
 * </pre>
 */
public record ControlDirectory(Path path) {
  private static final Path OF_SYSTEM = Path.of("/run/xsched");

  public Path socket() {
    return path.resolve("socket");
  }

  public Path http() {
    return path.resolve("http");
  }

  public Path token(int uid) {
    return path.resolve("token-" + uid);
  }

  public Path pid() {
    return path.resolve("pid");
  }

  public Path state() {
    return path.resolve("state.json");
  }

  public Path log() {
    return path.resolve("log");
  }

  /** Where a daemon of this user goes: the folder that was chosen, else the usual one. */
  public static ControlDirectory ofDaemon(Map<String, String> environment, int uid) {
    String chosen = environment.getOrDefault("XSCHED_DIR", "");
    if (!chosen.isEmpty()) {
      return new ControlDirectory(Path.of(chosen).toAbsolutePath());
    }
    if (uid == 0) {
      return new ControlDirectory(OF_SYSTEM);
    }
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    return new ControlDirectory(
        runtime.isEmpty() ? Path.of("/tmp/xsched-" + uid) : Path.of(runtime, "xsched"));
  }

  /**
   * Where programs and tools look for a daemon, best first: the folder that was chosen and no
   * other, else the system's, then the user's own.
   */
  public static List<ControlDirectory> ofClients(Map<String, String> environment, int uid) {
    ControlDirectory own = ofDaemon(environment, uid);
    List<ControlDirectory> all = new ArrayList<>();
    if (environment.getOrDefault("XSCHED_DIR", "").isEmpty() && uid != 0) {
      all.add(new ControlDirectory(OF_SYSTEM));
    }
    all.add(own);
    return all;
  }

  /** The uid of this process, as the kernel sees it. */
  public static int ownUid() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
