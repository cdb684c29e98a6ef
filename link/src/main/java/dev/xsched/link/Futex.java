package dev.xsched.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Sleeping and waking between processes at a word in shared memory. A sleeper pins its carrier, so
 * it must be a platform thread.
 */
public final class Futex {
  private static final long NUMBER = System.getProperty("os.arch", "").equals("aarch64") ? 98 : 202;
  private static final int WAIT =
      0; // Not the private variants: the word is in other processes, too.
  private static final int WAKE = 1;

  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(
                  JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
              Linker.Option.firstVariadicArg(1));

  private static final ThreadLocal<MemorySegment> TIMEOUTS =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_LONG, 2));

  private Futex() {}

  /**
   * Sleeps while the word has that value, until woken or until the time is over. May return early
   * for no reason: look at the word again.
   */
  public static void await(MemorySegment word, int value, long timeoutNanos) {
    MemorySegment timeout = TIMEOUTS.get();
    timeout.setAtIndex(JAVA_LONG, 0, timeoutNanos / 1_000_000_000);
    timeout.setAtIndex(JAVA_LONG, 1, timeoutNanos % 1_000_000_000);
    call(word, WAIT, value, timeout);
  }

  /** Wakes that many sleepers at most. */
  public static void wake(MemorySegment word, int most) {
    call(word, WAKE, most, MemorySegment.NULL);
  }

  private static void call(MemorySegment word, int operation, int value, MemorySegment timeout) {
    try {
      long _ =
          (long)
              SYSCALL.invokeExact(NUMBER, word, operation, value, timeout, MemorySegment.NULL, 0);
    } catch (Throwable e) {
      throw new AssertionError("the binding does not fit the function", e);
    }
  }
}
