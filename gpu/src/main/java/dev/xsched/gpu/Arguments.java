package dev.xsched.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a kernel: memory of the device, numbers, and native segments, whose bytes are
 * passed as they are (for a struct).
 */
public final class Arguments {
  private final List<Object> values;

  /**
   * Checks them.
   *
   * @param kernel its name, for messages
   * @throws IllegalArgumentException if a kernel can have no such argument
   */
  public Arguments(String kernel, Object... values) {
    this.values = List.of(values);
    for (int i = 0; i < values.length; i++) {
      if (!fits(values[i])) {
        throw new IllegalArgumentException(
            "argument %d of kernel '%s' is a %s; give memory of the device, an Integer, Long,"
                    .formatted(i, kernel, values[i].getClass().getSimpleName())
                + " Short, Byte, Float or Double, or a native MemorySegment");
      }
    }
  }

  private static boolean fits(Object value) {
    return switch (value) {
      case DeviceMemory _, Integer _, Long _, Short _, Byte _, Float _, Double _ -> true;
      case MemorySegment segment -> segment.isNative() && HostMemory.sharedByThreads(segment);
      default -> false;
    };
  }

  /** How many bytes each takes. */
  public List<Long> sizes() {
    return values.stream().map(Arguments::size).toList();
  }

  private static long size(Object value) {
    return switch (value) {
      case Byte _ -> Byte.BYTES;
      case Short _ -> Short.BYTES;
      case Integer _, Float _ -> Integer.BYTES;
      case MemorySegment segment -> segment.byteSize();
      default -> Long.BYTES;
    };
  }

  /** A call of the driver with the arguments as they lie in memory. It returns the code. */
  @FunctionalInterface
  public interface Use {
    int with(List<MemorySegment> arguments, Arena arena);
  }

  /** Lays the arguments out in native memory, and keeps what they name alive meanwhile. */
  public int use(Use use) {
    List<Handle> entered = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> laidOut = new ArrayList<>(values.size());
      for (Object value : values) {
        laidOut.add(layOut(value, arena, entered));
      }
      return use.with(laidOut, arena);
    } finally {
      entered.forEach(Handle::leave);
    }
  }

  private static MemorySegment layOut(Object value, Arena arena, List<Handle> entered) {
    return switch (value) {
      case DeviceMemory memory -> {
        MemorySegment address = memory.handle().enter();
        entered.add(memory.handle());
        yield arena.allocateFrom(ValueLayout.ADDRESS, address);
      }
      case Integer number -> arena.allocateFrom(ValueLayout.JAVA_INT, number);
      case Long number -> arena.allocateFrom(ValueLayout.JAVA_LONG, number);
      case Short number -> arena.allocateFrom(ValueLayout.JAVA_SHORT, number);
      case Byte number -> arena.allocateFrom(ValueLayout.JAVA_BYTE, number);
      case Float number -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, number);
      case Double number -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, number);
      case MemorySegment segment -> segment;
      default -> throw new IllegalStateException("was checked before");
    };
  }
}
