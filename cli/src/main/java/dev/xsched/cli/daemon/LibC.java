package dev.xsched.cli.daemon;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The few calls into the C library that Java has no word for. */
@SuppressWarnings("restricted") // that is what it is for
final class LibC {
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

  private static MemorySegment symbol(Linker linker, String name) {
    return linker
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsupportedOperationException("no " + name + " in the C library"));
  }
}
