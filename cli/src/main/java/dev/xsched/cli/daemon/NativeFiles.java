package dev.xsched.cli.daemon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What was built from C. The launcher tells where that is; it may not be there, because nothing but
 * interception needs it.
 */
final class NativeFiles {
  /** What to do where one is missing. */
  static final String REMEDY = "apt-get install gcc make, then again";

  private NativeFiles() {}

  /** The library that has a program ask the daemon before it launches anything. */
  static Optional<Path> library() {
    return file("libxsched.so");
  }

  /** A program that uses an accelerator and knows nothing of XSched. */
  static Optional<Path> probe() {
    return file("xsched-probe");
  }

  private static Optional<Path> file(String name) {
    String folder = System.getProperty("xsched.native", "");
    return folder.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(folder, name)).filter(Files::isReadable);
  }
}
