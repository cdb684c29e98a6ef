package dev.xsched.link;

import static dev.xsched.link.Layouts.ASKS;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.offset;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.lang.foreign.MemorySegment;

/** Hints that a program asks for, in its block: struct xsched_asks. */
public final class Asks {
  private static final long SEQ = offset(ASKS, "seq");
  private static final long MASK = offset(ASKS, "mask");
  private static final long VALUES = offset(ASKS, "values");

  private final MemorySegment memory;

  Asks(MemorySegment memory) {
    this.memory = memory;
  }

  /** Asks for a value that was checked before. One writer at a time. */
  public void ask(Hint hint, long value) {
    int i = hint.ordinal();
    LONG.setRelease(memory, VALUES + 8L * i, value);
    INT.setRelease(memory, MASK, (int) INT.get(memory, MASK) | 1 << i);
    int _ = (int) INT.getAndAdd(memory, SEQ, 1);
  }

  /** Changes whenever something else is asked; 0 if nothing ever was. */
  public int sequence() {
    return (int) INT.getAcquire(memory, SEQ);
  }

  /** What was asked, and how many of the numbers make no sense. */
  public record Answer(Hints hints, int nonsense) {}

  /** Puts what is asked on top of other hints. Takes only values that are in range. */
  public Answer over(Hints hints, Hint.Scope scope, Hints.Source source) {
    int mask = (int) INT.getAcquire(memory, MASK);
    Hints result = hints;
    int nonsense = mask >>> Hint.values().length == 0 ? 0 : 1;
    for (Hint hint : Hint.values()) {
      if (hint.scope() == scope && (mask & 1 << hint.ordinal()) != 0) {
        long value = (long) LONG.getAcquire(memory, VALUES + 8L * hint.ordinal());
        if (value < hint.min() || value > hint.max()) {
          nonsense++;
        } else if (value != result.get(hint) || result.source(hint) != source) {
          result = result.with(hint, value, source);
        }
      }
    }
    return new Answer(result, nonsense);
  }
}
