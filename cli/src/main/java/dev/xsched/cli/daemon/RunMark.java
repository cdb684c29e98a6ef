package dev.xsched.cli.daemon;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An empty file per program that is run. The library writes a byte into it when the program, or one
 * that it started, first reaches the scheduler. If it is empty when the program ends, that says so:
 * a silent no-op is the worst failure there is.
 */
final class RunMark {
  private RunMark() {}

  /** Makes one for the launcher, as PID:PATH; none is no reason not to run. */
  static Optional<String> make(Map<String, String> environment, int uid) {
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    boolean usable = !runtime.isEmpty() && Files.isWritable(Path.of(runtime));
    Path folder = Path.of(usable ? runtime : "/tmp", "xsched-run-" + uid).toAbsolutePath();
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(folder, mode("rwx------"));
      }
      if (!ownedBy(folder, uid)) {
        return Optional.empty();
      }
      sweep(folder);
      long pid = Long.getLong("xsched.pid", ProcessHandle.current().pid());
      Path file = folder.resolve(pid + "-" + Long.toHexString(System.nanoTime()));
      return Optional.of(pid + ":" + Files.createFile(file, mode("rw-------")));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Anybody may make a folder of that name in /tmp. */
  private static boolean ownedBy(Path folder, int uid) throws IOException {
    return (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) == uid;
  }

  /** Removes what programs left that were killed, or into which no library was loaded. */
  private static void sweep(Path folder) throws IOException {
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder, "*-*")) {
      for (Path mark : marks) {
        String name = String.valueOf(mark.getFileName());
        if (!Files.exists(Path.of("/proc", name.substring(0, name.indexOf('-'))))) {
          Files.deleteIfExists(mark);
        }
      }
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }
}
