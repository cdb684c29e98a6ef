package dev.xsched.gpu;

import dev.xsched.queue.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** A driver's library. It stays loaded: drivers have threads of their own that outlive a user. */
public final class NativeLibrary {
  private static final Linker LINKER = Linker.nativeLinker();

  private final String name;
  private final SymbolLookup symbols;

  private NativeLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /** The library to load: the one that this variable of the environment names, else the usual. */
  public static String named(String variable, String usual) {
    String named = System.getenv(variable);
    return named == null || named.isEmpty() ? usual : named;
  }

  /**
   * Loads a library by its name or path.
   *
   * @param remedy what to do where it cannot be loaded
   * @throws DeviceException where it cannot
   */
  public static NativeLibrary load(String name, String remedy) {
    try {
      return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new DeviceException("cannot load %s; %s".formatted(name, remedy), e);
    }
  }

  /** Loads the first of these that is there; else it is the first that cannot be loaded. */
  public static NativeLibrary loadFirst(List<String> names, String remedy) {
    for (String name : names) {
      try {
        return load(name, remedy);
      } catch (DeviceException _) {
        // Another one may be there.
      }
    }
    return load(names.getFirst(), remedy);
  }

  /**
   * Binds a function that returns an int, as most functions of drivers do.
   *
   * @throws DeviceException if the library has no such function
   */
  public MethodHandle function(String function, MemoryLayout... parameters) {
    return bind(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
  }

  /** Binds a function of any type. */
  public MethodHandle bind(String function, FunctionDescriptor type) {
    return find(function, type)
        .orElseThrow(
            () ->
                new DeviceException(
                    "%s has no function %s; install a newer driver".formatted(name, function)));
  }

  /** Binds a function that older drivers lack. */
  public Optional<MethodHandle> find(String function, FunctionDescriptor type) {
    return symbols.find(function).map(address -> LINKER.downcallHandle(address, type));
  }

  /** What to throw when a call did not get as far as the driver. */
  public static AssertionError broken(Throwable e) {
    return new AssertionError("a binding does not fit its function", e);
  }
}
