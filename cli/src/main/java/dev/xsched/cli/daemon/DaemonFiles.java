package dev.xsched.cli.daemon;

import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** What the files of a daemon tell without asking it. */
final class DaemonFiles {
  private DaemonFiles() {}

  /** The process that wrote itself down, which may have ended since. */
  static Optional<Long> pid(ControlDirectory directory) {
    try {
      return Optional.of(Long.parseLong(Files.readString(directory.pid()).strip()));
    } catch (IOException | NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** Says what is wrong with a file or folder, without the names of our classes. */
  static String reason(FileSystemException e) {
    String reason =
        switch (e) {
          case FileAlreadyExistsException _ -> "is no folder";
          case NoSuchFileException _ -> "cannot be made";
          case AccessDeniedException _ -> "is not yours to write to";
          default -> "cannot be used: " + e.getReason();
        };
    return e.getFile() + " " + reason;
  }

  static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Whether a daemon without a REST interface is there: programs can register all the same. */
  static boolean hasPrivateDaemon(ControlDirectory directory) {
    return Files.exists(directory.socket())
        && !Files.exists(directory.http())
        && holder(directory).isPresent();
  }

  /** The process that holds the folder now: the number alone may be another's by now. */
  static Optional<Long> holder(ControlDirectory directory) {
    try (FileChannel file = FileChannel.open(directory.pid(), StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      return lock == null ? pid(directory) : Optional.empty();
    } catch (IOException | OverlappingFileLockException _) {
      return Optional.empty();
    }
  }
}
