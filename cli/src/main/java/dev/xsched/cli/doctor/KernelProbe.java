package dev.xsched.cli.doctor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** Tries the kernel calls by which programs and the daemon share memory and wake each other. */
@SuppressWarnings("restricted") // that is what it is for
final class KernelProbe {
  private static final int FUTEX_WAKE = 1;

  private KernelProbe() {}

  /** Returns the names of the calls that do not work, or the empty string. */
  static String missing() {
    Linker linker = Linker.nativeLinker();
    List<String> missing = new ArrayList<>();
    if (!memfdWorks(linker)) {
      missing.add("memfd_create");
    }
    if (!futexWorks(linker)) {
      missing.add("futex");
    }
    return String.join(", ", missing);
  }

  private static boolean memfdWorks(Linker linker) {
    MethodHandle memfd =
        linker.downcallHandle(
            symbol(linker, "memfd_create"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    MethodHandle close =
        linker.downcallHandle(symbol(linker, "close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int fd = (int) memfd.invokeExact(arena.allocateFrom("xsched-doctor"), 0);
      return fd >= 0 && (int) close.invokeExact(fd) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean futexWorks(Linker linker) {
    long number = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
    MethodHandle futex =
        linker.downcallHandle(
            symbol(linker, "syscall"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(JAVA_INT);
      return (long) futex.invokeExact(number, word, FUTEX_WAKE, 1) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MemorySegment symbol(Linker linker, String name) {
    return linker
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsupportedOperationException("no " + name + " in the C library"));
  }
}
