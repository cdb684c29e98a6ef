package dev.xsched.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** Calls of the C library that the JDK has no equal of. Linux, 64 bits. */
final class Kernel {
  static final int EINTR = 4;
  static final int EAGAIN = 11;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = CALL_STATE.varHandle(PathElement.groupElement("errno"));
  private static final ThreadLocal<MemorySegment> CALL_STATES =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));

  private static final MethodHandle SOCKET = function("socket", 3);
  private static final MethodHandle CLOSE = function("close", 1);
  private static final MethodHandle LISTEN = function("listen", 2);
  private static final MethodHandle FCHMOD = function("fchmod", 2);
  private static final MethodHandle FCHOWN = function("fchown", 3);
  private static final MethodHandle BIND = bound("bind", of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CONNECT =
      bound("connect", of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle ACCEPT =
      bound("accept4", of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle SENDMSG =
      bound("sendmsg", of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RECVMSG =
      bound("recvmsg", of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      bound("getsockopt", of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle POLL =
      bound("poll", of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MEMFD_CREATE =
      bound("memfd_create", of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle FTRUNCATE =
      bound("ftruncate", of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle LSEEK =
      bound("lseek", of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle FCNTL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("fcntl"),
          of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle MMAP =
      bound("mmap", of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP = bound("munmap", of(JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("strerror"), of(ADDRESS, JAVA_INT));

  private Kernel() {}

  /** A call that failed, with the kernel's own reason. */
  static final class CallFailedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final int errno;

    CallFailedException(String call, int errno) {
      super("%s: %s".formatted(call, reason(errno)));
      this.errno = errno;
    }

    int errno() {
      return errno;
    }
  }

  static int socket(int domain, int type) throws IOException {
    return checked("socket", () -> (int) SOCKET.invokeExact(state(), domain, type, 0));
  }

  static void close(int fd) {
    try {
      int _ = (int) CLOSE.invokeExact(state(), fd);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static void bind(int fd, MemorySegment address) throws IOException {
    int size = (int) address.byteSize();
    checked("bind", () -> (int) BIND.invokeExact(state(), fd, address, size));
  }

  static void listen(int fd, int backlog) throws IOException {
    checked("listen", () -> (int) LISTEN.invokeExact(state(), fd, backlog));
  }

  static void connect(int fd, MemorySegment address) throws IOException {
    int size = (int) address.byteSize();
    checked("connect", () -> (int) CONNECT.invokeExact(state(), fd, address, size));
  }

  static int accept(int fd, int flags) throws IOException {
    MemorySegment none = MemorySegment.NULL;
    return checked("accept", () -> (int) ACCEPT.invokeExact(state(), fd, none, none, flags));
  }

  static int sendmsg(int fd, MemorySegment message, int flags) throws IOException {
    return checked("sendmsg", () -> (int) (long) SENDMSG.invokeExact(state(), fd, message, flags));
  }

  static int recvmsg(int fd, MemorySegment message, int flags) throws IOException {
    return checked("recvmsg", () -> (int) (long) RECVMSG.invokeExact(state(), fd, message, flags));
  }

  static void getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment size)
      throws IOException {
    checked(
        "getsockopt", () -> (int) GETSOCKOPT.invokeExact(state(), fd, level, option, value, size));
  }

  static int poll(MemorySegment pollFds, int count, int timeoutMillis) throws IOException {
    return checked(
        "poll", () -> (int) POLL.invokeExact(state(), pollFds, (long) count, timeoutMillis));
  }

  static int memfdCreate(MemorySegment name, int flags) throws IOException {
    return checked("memfd_create", () -> (int) MEMFD_CREATE.invokeExact(state(), name, flags));
  }

  static void ftruncate(int fd, long size) throws IOException {
    checked("ftruncate", () -> (int) FTRUNCATE.invokeExact(state(), fd, size));
  }

  static long size(int fd) throws IOException {
    int seekEnd = 2;
    long size;
    try {
      size = (long) LSEEK.invokeExact(state(), fd, 0L, seekEnd);
    } catch (Throwable e) {
      throw broken(e);
    }
    if (size == -1) {
      throw new CallFailedException("lseek", errno());
    }
    return size;
  }

  static int fcntl(int fd, int command, int argument) throws IOException {
    return checked("fcntl", () -> (int) FCNTL.invokeExact(state(), fd, command, argument));
  }

  static void chmod(int fd, int mode) throws IOException {
    checked("fchmod", () -> (int) FCHMOD.invokeExact(state(), fd, mode));
  }

  static void chown(int fd, int uid) throws IOException {
    checked("fchown", () -> (int) FCHOWN.invokeExact(state(), fd, uid, -1));
  }

  /** Maps shared memory for reading and writing; it is unmapped when the arena closes. */
  static MemorySegment mmap(int fd, long size, Arena arena) throws IOException {
    int readAndWrite = 3;
    int shared = 1;
    try {
      MemorySegment none = MemorySegment.NULL;
      MemorySegment memory =
          (MemorySegment) MMAP.invokeExact(state(), none, size, readAndWrite, shared, fd, 0L);
      if (memory.address() == -1) {
        throw new CallFailedException("mmap", errno());
      }
      return memory.reinterpret(size, arena, Kernel::unmap);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static void unmap(MemorySegment memory) {
    try {
      long size = memory.byteSize();
      int _ = (int) MUNMAP.invokeExact(state(), memory, size);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private interface Call {
    int invoke() throws Throwable;
  }

  private static int checked(String name, Call call) throws CallFailedException {
    int result;
    try {
      result = call.invoke();
    } catch (Throwable e) {
      throw broken(e);
    }
    if (result == -1) {
      throw new CallFailedException(name, errno());
    }
    return result;
  }

  private static MemorySegment state() {
    return CALL_STATES.get();
  }

  private static int errno() {
    return (int) ERRNO.get(state(), 0L);
  }

  private static String reason(int errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static AssertionError broken(Throwable e) {
    return new AssertionError("a binding does not fit its function", e);
  }

  private static FunctionDescriptor of(
      MemoryLayout result, java.lang.foreign.MemoryLayout... parameters) {
    return FunctionDescriptor.of(result, parameters);
  }

  private static MethodHandle bound(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
  }

  /** A function whose parameters are all int. */
  private static MethodHandle function(String name, int parameters) {
    MemoryLayout[] types = new MemoryLayout[parameters];
    Arrays.fill(types, JAVA_INT);
    return bound(name, of(JAVA_INT, types));
  }
}
