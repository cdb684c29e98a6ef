package dev.xsched.daemon.api;

/**
 * Who asks.
 *
 * @param uid as the kernel told it, or as the token proves it
 */
public record Caller(int uid) {
  public boolean isRoot() {
    return uid == 0;
  }
}
