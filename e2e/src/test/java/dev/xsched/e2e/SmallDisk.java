package dev.xsched.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder on a disk of its own that can be filled; a plain folder for who may not mount. */
final class SmallDisk implements AutoCloseable {
  private final Path folder;
  private final boolean mounted;

  private SmallDisk(Path folder, boolean mounted) {
    this.folder = folder;
    this.mounted = mounted;
  }

  static SmallDisk mount() throws IOException {
    Path folder = Files.createTempDirectory("xs");
    boolean mounted =
        succeeds(
            "mount", "-t", "tmpfs", "-o", "size=256k,mode=755", "xsched-test", folder.toString());
    if (!mounted) {
      System.out.println("not tested: a full disk, because this user may not mount one");
    }
    return new SmallDisk(folder, mounted);
  }

  Path folder() {
    return folder;
  }

  /** Takes all the room there is. */
  void fill() {
    if (mounted) {
      try (OutputStream out = Files.newOutputStream(folder.resolve("filler"))) {
        byte[] page = new byte[4096];
        while (true) {
          out.write(page);
        }
      } catch (IOException e) {
        // Full: just what was wanted.
      }
    }
  }

  void makeRoom() throws IOException {
    Files.deleteIfExists(folder.resolve("filler"));
  }

  private static boolean succeeds(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.onExit().join().exitValue() == 0;
  }

  @Override
  public void close() throws IOException {
    if (mounted) {
      if (!succeeds("umount", folder.toString())) {
        // Somebody is still in there.
        boolean _ = succeeds("umount", "--lazy", folder.toString());
      }
      Files.deleteIfExists(folder);
    }
  }
}
