package dev.xsched.daemon.http;

/** A request that gets another status than 400 and one line with the remedy. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  Refused(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
