package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * XSched in C++ keeps its classes for HIP in several libraries. Where one of them is loaded without
 * the others, or beside ours, programs end with "undefined symbol: typeinfo for ... HipCommand",
 * which looks as if it were ours. Ours is one library in C and needs none of them.
 */
final class OtherXsched {
  private static final List<String> NAMES = List.of("libshimhip.so*", "libhalhip.so*");

  /** As the compiler writes "typeinfo for" a class whose name ends so. */
  private static final String TYPE_INFO = "_ZTI";

  private static final String CLASS = "HipCommand";

  private OtherXsched() {}

  static Optional<Finding> check(MachineFiles files) {
    Set<Path> folders = Set.copyOf(new Libraries(files).folders());
    List<Path> libraries = new ArrayList<>();
    for (Path folder : folders) {
      NAMES.forEach(name -> libraries.addAll(files.list(folder, name)));
    }
    String preloaded = files.environment().getOrDefault("LD_PRELOAD", "");
    for (String name : preloaded.split("[: ]", -1)) {
      if (name.matches(".*lib(shim|hal)hip\\.so.*")) {
        libraries.add(Path.of(name));
      }
    }
    if (libraries.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.warning(
            "another XSched",
            "%s, which is XSched in C++; %s".formatted(libraries.getFirst(), typeInfo(libraries)),
            "take its folder out of LD_LIBRARY_PATH and LD_PRELOAD; ours is one C library and needs"
                + " nothing of it"));
  }

  private static String typeInfo(List<Path> libraries) {
    boolean wanted = false;
    boolean provided = false;
    for (Path library : libraries) {
      try {
        ElfSymbols elf = ElfSymbols.of(library);
        wanted |= elf.undefined().stream().anyMatch(OtherXsched::isTypeInfo);
        provided |= elf.defined().keySet().stream().anyMatch(OtherXsched::isTypeInfo);
      } catch (IOException _) {
        return "it cannot be read";
      }
    }
    return wanted && !provided
        ? "'typeinfo for %s' is wanted and no library there provides it: programs end with an undefined symbol"
            .formatted(CLASS)
        : "loaded beside ours, both would hold programs back";
  }

  private static boolean isTypeInfo(String symbol) {
    return symbol.startsWith(TYPE_INFO) && symbol.contains(CLASS);
  }
}
