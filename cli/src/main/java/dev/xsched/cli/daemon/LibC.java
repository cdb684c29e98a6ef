package dev.xsched.cli.daemon;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** The few calls into the C library that Java has no word for. */
@SuppressWarnings("restricted") // that is what it is for
final class LibC {
  static final int ENOENT = 2;
  static final int EACCES = 13;

  private static final int SIG_SETMASK = 2;
  private static final int F_SETFD = 2;
  private static final int FD_CLOEXEC = 1;
  private static final int BYTES_OF_SIGSET = 128;
  private static final MemoryLayout ERRNO = Linker.Option.captureStateLayout();

  private LibC() {}

  /** Leaves the terminal that this process was started from, and its Ctrl-C. */
  static void newSession() {
    Linker linker = Linker.nativeLinker();
    MethodHandle setsid =
        linker.downcallHandle(symbol(linker, "setsid"), FunctionDescriptor.of(JAVA_INT));
    try {
      // It fails only for a process that leads a group already, which has no terminal to leave.
      int _ = (int) setsid.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Becomes another program. Returns only if that failed, with the error number.
   *
   * <p>Threads of the JVM have signals blocked, and a program inherits the mask of the thread that
   * starts it; what the JVM catches goes back to its default by itself. The files that the JVM has
   * open stay open across this unless they are marked.
   *
   * @param own files that the program shall not have
   * @param arguments the program first, as the bytes that the user typed
   * @param environment {@code NAME=value} each
   */
  static int exec(List<byte[]> arguments, List<byte[]> environment, List<Integer> own) {
    Linker linker = Linker.nativeLinker();
    // One shape for all calls: the JVM makes code for each shape, which takes its time. A number in
    // place of an address goes into the same register.
    FunctionDescriptor shape = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    Linker.Option capture = Linker.Option.captureCallState("errno");
    MethodHandle execvpe = linker.downcallHandle(symbol(linker, "execvpe"), shape, capture);
    MethodHandle sigmask = linker.downcallHandle(symbol(linker, "pthread_sigmask"), shape, capture);
    MethodHandle fcntl = linker.downcallHandle(symbol(linker, "fcntl"), shape, capture);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(ERRNO);
      MemorySegment argv = strings(arena, arguments);
      MemorySegment envp = strings(arena, environment);
      MemorySegment nothingBlocked = arena.allocate(BYTES_OF_SIGSET);
      for (int file : own) {
        int _ = (int) fcntl.invokeExact(errno, number(file), number(F_SETFD), number(FD_CLOEXEC));
      }
      int _ =
          (int) sigmask.invokeExact(errno, number(SIG_SETMASK), nothingBlocked, MemorySegment.NULL);
      int _ = (int) execvpe.invokeExact(errno, argv.getAtIndex(ADDRESS, 0), argv, envp);
      return errno.get(JAVA_INT, 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MemorySegment number(int value) {
    return MemorySegment.ofAddress(value);
  }

  private static MemorySegment strings(Arena arena, List<byte[]> strings) {
    MemorySegment array = arena.allocate(ADDRESS, strings.size() + 1L);
    for (int i = 0; i < strings.size(); i++) {
      byte[] bytes = strings.get(i);
      MemorySegment copy = arena.allocate(bytes.length + 1L);
      MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
      array.setAtIndex(ADDRESS, i, copy);
    }
    return array;
  }

  private static MemorySegment symbol(Linker linker, String name) {
    return linker
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsupportedOperationException("no " + name + " in the C library"));
  }
}
