package dev.xsched.hip;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.xsched.gpu.Driver;
import dev.xsched.gpu.Lazy;
import dev.xsched.gpu.NativeLibrary;
import dev.xsched.queue.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Function;

/** HIP's compiler: in HIP's own library or, from ROCm 7 on, in one beside it. */
final class Hiprtc extends Driver {
  private static final List<String> LIBRARIES =
      List.of("libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so");

  private record Functions(
      MethodHandle create,
      MethodHandle compile,
      MethodHandle logSize,
      MethodHandle log,
      MethodHandle codeSize,
      MethodHandle code,
      MethodHandle destroy) {
    static Functions of(NativeLibrary library) {
      return new Functions(
          library.function(
              "hiprtcCreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS),
          library.function("hiprtcCompileProgram", ADDRESS, JAVA_INT, ADDRESS),
          library.function("hiprtcGetProgramLogSize", ADDRESS, ADDRESS),
          library.function("hiprtcGetProgramLog", ADDRESS, ADDRESS),
          library.function("hiprtcGetCodeSize", ADDRESS, ADDRESS),
          library.function("hiprtcGetCode", ADDRESS, ADDRESS),
          library.function("hiprtcDestroyProgram", ADDRESS));
    }
  }

  private final Lazy<Functions> functions;

  Hiprtc(NativeLibrary hip) {
    functions =
        new Lazy<>(
            () ->
                Functions.of(
                    hip.find("hiprtcCreateProgram", FunctionDescriptor.of(JAVA_INT)).isPresent()
                        ? hip
                        : NativeLibrary.loadFirst(
                            LIBRARIES, "install the hip-runtime-amd of the same ROCm")));
  }

  /**
   * Compiles for the current device.
   *
   * @param use gets the code, which is freed then
   * @throws DeviceException with what the compiler said, if it does not compile
   */
  <T> T compile(String source, Function<MemorySegment, T> use) {
    Functions f = functions.get();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(source);
      MemorySegment name = arena.allocateFrom("kernels");
      MemorySegment program = arena.allocate(ADDRESS);
      check(
          "hiprtcCreateProgram",
          () -> (int) f.create.invokeExact(program, text, name, 0, NULL, NULL));
      try {
        return use.apply(code(f, program.get(ADDRESS, 0), arena));
      } finally {
        int _ = call(() -> (int) f.destroy.invokeExact(program));
      }
    }
  }

  private MemorySegment code(Functions f, MemorySegment program, Arena arena) {
    int code = call(() -> (int) f.compile.invokeExact(program, 0, NULL));
    if (code != 0) {
      MemorySegment log = read(f.logSize, f.log, program, arena);
      throw new DeviceException(
          "the kernels do not compile (hiprtc error %d):%n%s"
              .formatted(code, log.getString(0).strip()));
    }
    return read(f.codeSize, f.code, program, arena);
  }

  /** What a program has of a size; ends with 0. */
  private MemorySegment read(
      MethodHandle getSize, MethodHandle get, MemorySegment program, Arena arena) {
    MemorySegment size = arena.allocate(JAVA_LONG);
    check("hiprtc", () -> (int) getSize.invokeExact(program, size));
    MemorySegment bytes = arena.allocate(size.get(JAVA_LONG, 0) + 1, Long.BYTES);
    check("hiprtc", () -> (int) get.invokeExact(program, bytes));
    return bytes;
  }

  @Override
  protected void check(String what, int code) {
    if (code != 0) {
      throw new DeviceException(
          "%s gave %d; see that hiprtc and HIP are of the same ROCm".formatted(what, code));
    }
  }
}
