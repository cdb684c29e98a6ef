package dev.xsched.daemon.nvidia;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The calls by which a driver's files are used. For one thread. */
final class DriverCalls {
  private static final int EINTR = 4;
  private static final int READ_WRITE_CLOSE_ON_EXEC = 02 | 02000000;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = CALL_STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));
  private static final MethodHandle OPEN =
      variadic("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle IOCTL =
      variadic("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private final MemorySegment state = Arena.ofAuto().allocate(CALL_STATE);

  int open(String path) throws IOException {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment text = local.allocateFrom(path);
      return checked(path, () -> (int) OPEN.invokeExact(state, text, READ_WRITE_CLOSE_ON_EXEC));
    }
  }

  /**
   * Calls until no signal comes in between.
   *
   * @param name of what is called, for the message
   */
  void ioctl(String name, int fd, long request, MemorySegment argument) throws IOException {
    checked(name, () -> (int) IOCTL.invokeExact(state, fd, request, argument));
  }

  void close(int fd) {
    try {
      int _ = (int) CLOSE.invokeExact(fd);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private interface Call {
    int invoke() throws Throwable;
  }

  private int checked(String name, Call call) throws IOException {
    try {
      int result;
      do {
        result = call.invoke();
      } while (result == -1 && errno() == EINTR);
      if (result != -1) {
        return result;
      }
    } catch (Throwable e) {
      throw broken(e);
    }
    throw new IOException("%s: %s".formatted(name, reason(errno())));
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }

  private static String reason(int errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static MethodHandle variadic(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        preloaded(name),
        type,
        Linker.Option.firstVariadicArg(2),
        Linker.Option.captureCallState("errno"));
  }

  /** As it is for all code in C: a library that was preloaded comes before the C library. */
  private static MemorySegment preloaded(String name) {
    MethodHandle dlsym =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("dlsym"),
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    try (Arena local = Arena.ofConfined()) {
      MemorySegment symbol = local.allocateFrom(name);
      return (MemorySegment) dlsym.invokeExact(MemorySegment.NULL, symbol);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static AssertionError broken(Throwable e) {
    return new AssertionError("a binding does not fit its function", e);
  }
}
