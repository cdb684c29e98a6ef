package dev.xsched.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Calls the functions of a driver: they return a code, and answer where a pointer says. */
public abstract class Driver {
  /** A call that returns the driver's code. */
  @FunctionalInterface
  public interface Call {
    int invoke() throws Throwable;
  }

  /** A call that returns the driver's code, and its answer through a pointer. */
  @FunctionalInterface
  protected interface Getter {
    int get(MemorySegment out) throws Throwable;
  }

  /** Throws a DeviceException with a remedy, unless the code is that of success. */
  protected abstract void check(String what, int code);

  /** Returns the driver's code. */
  public static int call(Call call) {
    try {
      return call.invoke();
    } catch (Throwable e) {
      throw NativeLibrary.broken(e);
    }
  }

  protected final void check(String what, Call call) {
    check(what, call(call));
  }

  /** Returns the object that the driver made. */
  protected final MemorySegment made(String what, Getter getter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      check(what, () -> getter.get(out));
      return out.get(ADDRESS, 0);
    }
  }

  protected final int integer(String what, Getter getter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      check(what, () -> getter.get(out));
      return out.get(JAVA_INT, 0);
    }
  }
}
