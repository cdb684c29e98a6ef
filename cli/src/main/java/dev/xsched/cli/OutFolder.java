package dev.xsched.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder for what a command leaves. */
public final class OutFolder {
  private OutFolder() {}

  /** Makes the folder and tries to write to it: said before something is measured, not after. */
  public static void prepare(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".xsched-", ".tmp"));
    } catch (IOException _) {
      throw new IllegalArgumentException(
          "cannot write to %s; give --out a folder that is yours".formatted(folder));
    }
  }

  /** As above, for what may be the name of a file, too. */
  static void prepareFor(Path folderOrFile) {
    boolean file = folderOrFile.toString().endsWith(".json");
    prepare(file ? folderOrFile.toAbsolutePath().resolveSibling("") : folderOrFile);
  }
}
