package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The functions of HIP that the preloaded library stands in front of, from the table that it was
 * made of.
 */
final class HipTable {
  /**
   * One of them.
   *
   * @param launches whether it puts work on a stream
   */
  record Function(String name, boolean launches) {}

  private HipTable() {}

  /** Read where the launcher says that native parts are; nothing if they were not built. */
  static Optional<List<Function>> installed() {
    String folder = System.getProperty("xsched.native", "");
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(Files.readAllLines(Path.of(folder, "hip.table"))));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Lines are KIND NAME RETURNS ARGUMENTS; a name that ends in ^ has a twin that ends in _spt. */
  static List<Function> read(List<String> lines) {
    List<Function> functions = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length < 3 || line.startsWith("#") || words[0].equals("use")) {
        continue;
      }
      boolean launches = words[0].equals("launch");
      boolean twin = words[1].endsWith("^");
      String name = twin ? words[1].substring(0, words[1].length() - 1) : words[1];
      functions.add(new Function(name, launches));
      if (twin) {
        functions.add(new Function(name + "_spt", launches));
      }
    }
    return functions;
  }
}
