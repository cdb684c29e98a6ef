package dev.xsched.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** What is under test, in the place of the script that users have. */
final class XschedScript {
  private XschedScript() {}

  static Path in(Path folder) throws IOException {
    return in(folder, Path.of("../native/target").toAbsolutePath().normalize(), "");
  }

  /**
   * Writes one.
   *
   * @param natives where the native parts are
   * @param option one more for Java; empty: none
   */
  static Path in(Path folder, Path natives, String option) throws IOException {
    Path command = folder.resolve("xsched");
    Files.writeString(
        command,
        """
        #!/bin/sh
        . '%s'
        class_path_of() { printf %%s '%s'; }
        xs_java='%s' xs_lib= xs_native='%s' xs_cache= xs_commit=
        JAVA_OPTS='-Xmx128m %s'
        start "$@"
        """
            .formatted(
                Path.of("../scripts/start.sh").toAbsolutePath().normalize(),
                System.getProperty("java.class.path"),
                Path.of(System.getProperty("java.home"), "bin", "java"),
                natives,
                option));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    return command;
  }
}
