package dev.xsched.daemon.api;

/** This caller may not do that. The message says who may. */
public final class NotAllowedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotAllowedException(String message) {
    super(message);
  }
}
