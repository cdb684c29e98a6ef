package dev.xsched.daemon.http;

import dev.xsched.daemon.api.Caller;
import org.jspecify.annotations.Nullable;

/** Knows who holds which token. Compares in constant time, so that nobody guesses by the clock. */
@FunctionalInterface
public interface Tokens {
  /** Returns who holds this token, or null if nobody does. */
  @Nullable Caller callerOf(String token);
}
