package dev.xsched.bench.scene;

/**
 * The device is gone, or a worker crashed: the scene has no outcome. The message says what
 * happened, with the worker's last lines, and what to do.
 */
public final class StageException extends Exception {
  private static final long serialVersionUID = 1L;

  public StageException(String message) {
    super(message);
  }

  public StageException(String message, Throwable cause) {
    super(message, cause);
  }
}
