package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Stream;

/** Finds shared libraries where the loader looks, in its order, and where vendors put them. */
final class Libraries {
  private static final List<String> USUAL =
      List.of(
          "usr/lib/x86_64-linux-gnu",
          "usr/lib/aarch64-linux-gnu",
          "usr/lib64",
          "usr/lib",
          "usr/local/lib",
          "usr/local/nvidia/lib64",
          "usr/local/cuda/compat");

  private final MachineFiles files;

  Libraries(MachineFiles files) {
    this.files = files;
  }

  /** The files whose name fits. Of several names for one file the shortest is given. */
  List<Path> named(String glob) {
    Map<Path, Path> byFile = new LinkedHashMap<>();
    for (Path folder : folders()) {
      for (Path library : files.list(folder, glob)) {
        byFile.putIfAbsent(real(library), library);
      }
    }
    return List.copyOf(byFile.values());
  }

  /** By the file that a link leads to. */
  static Path real(Path library) {
    try {
      return library.toRealPath();
    } catch (IOException _) {
      return library;
    }
  }

  SequencedSet<Path> folders() {
    SequencedSet<Path> folders = new LinkedHashSet<>();
    for (String folder : files.environment().getOrDefault("LD_LIBRARY_PATH", "").split(":", -1)) {
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
    configured().forEach(folders::add);
    USUAL.forEach(folder -> folders.add(files.at(folder)));
    files.variable("ROCM_PATH").ifPresent(path -> folders.add(Path.of(path, "lib")));
    folders.add(files.at("opt/rocm/lib"));
    files.list(files.at("opt"), "rocm-*").forEach(rocm -> folders.add(rocm.resolve("lib")));
    return folders;
  }

  /** As ldconfig is told. */
  private List<Path> configured() {
    List<Path> folders = new ArrayList<>();
    for (Path file : files.list(files.at("etc/ld.so.conf.d"), "*.conf")) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .map(String::strip)
            .filter(line -> line.startsWith("/"))
            .forEach(line -> folders.add(files.at(line.substring(1))));
      } catch (IOException _) {
        // Then the loader cannot read it either.
      }
    }
    return folders;
  }
}
