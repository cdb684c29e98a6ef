package dev.xsched.cli;

/** It did not work, and the message says why and what to do: one line, no stack trace. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  public Failure(String message) {
    this(Errors.FAILED, message);
  }

  /** As above, with the exit code that scripts expect of such a failure. */
  public Failure(int code, String message) {
    super(message);
    this.code = code;
  }

  int code() {
    return code;
  }
}
