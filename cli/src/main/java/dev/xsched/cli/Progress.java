package dev.xsched.cli;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells the user what is going on and how long it will still take: in one line that is written over
 * where that shows, else in a line for each step.
 */
public final class Progress implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\033[K";

  private final Terminal terminal;
  private final boolean silent;
  private final long endNanos;
  private final LongSupplier clock;
  private String step = "";

  /**
   * @param silent says nothing at all, for the sake of scripts
   * @param expected how long everything will take
   */
  public Progress(Terminal terminal, boolean silent, Duration expected, LongSupplier clock) {
    this.terminal = terminal;
    this.silent = silent;
    this.clock = clock;
    this.endNanos = clock.getAsLong() + expected.toNanos();
  }

  /** Begins with the next thing. */
  public void step(String what) {
    step = what;
    if (!terminal.live()) {
      print(line() + System.lineSeparator());
    }
    tick();
  }

  /** To be called now and then during a step. */
  public void tick() {
    if (terminal.live()) {
      print(CLEAR_LINE + line());
    }
  }

  /** Takes the line away again. */
  @Override
  public void close() {
    if (terminal.live()) {
      print(CLEAR_LINE);
    }
  }

  private String line() {
    long seconds = Math.max(0, Math.ceilDiv(endNanos - clock.getAsLong(), 1_000_000_000L));
    return "%s, %d s left".formatted(step, seconds);
  }

  private void print(String text) {
    if (!silent) {
      terminal.err().print(text);
      terminal.err().flush();
    }
  }
}
