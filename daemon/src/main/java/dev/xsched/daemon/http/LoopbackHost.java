package dev.xsched.daemon.http;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Host header names this very machine. A foreign page can have its own name resolve to
 * 127.0.0.1 (DNS rebinding) and would then be of the same origin as the daemon; the header gives it
 * away.
 */
final class LoopbackHost {
  private static final Pattern IPV4 = Pattern.compile("127(\\.\\d{1,3}){3}");

  /** As people and browsers write it, and as Java does, so also in the daemon's file "http". */
  private static final Set<String> NAMES = Set.of("localhost", "[::1]", "[0:0:0:0:0:0:0:1]");

  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

  private LoopbackHost() {}

  static boolean isLoopback(@Nullable String header) {
    if (header == null) {
      return false;
    }
    String host = PORT.matcher(header.strip()).replaceFirst("").toLowerCase(Locale.ROOT);
    return NAMES.contains(host) || IPV4.matcher(host).matches();
  }
}
