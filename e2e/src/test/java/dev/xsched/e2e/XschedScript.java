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
        "#!/bin/sh\nexec '%s' --enable-native-access=ALL-UNNAMED -Xmx128m %s -Dxsched.native='%s' -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                option,
                natives,
                System.getProperty("java.class.path"),
                "dev.xsched.cli.Main"));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    return command;
  }
}
