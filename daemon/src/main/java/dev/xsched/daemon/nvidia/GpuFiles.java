package dev.xsched.daemon.nvidia;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Finds the file of a GPU under /dev, by what the driver tells under /proc. */
final class GpuFiles {
  /** What programs put before the UUID to name a GPU, and what the driver does. */
  private static final String OURS = "gpu:";

  private static final String THEIRS = "GPU-";

  private GpuFiles() {}

  /**
   * Returns such as /dev/nvidia0.
   *
   * @param gpus the driver's folder, which has one folder for each
   * @param device the name that programs have for it
   * @throws IOException if there is no such GPU
   */
  static String find(Path gpus, String device) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(gpus)) {
      for (Path folder : folders) {
        List<String> lines = Files.readAllLines(folder.resolve("information"));
        if (device.equalsIgnoreCase(value(lines, "GPU UUID").replace(THEIRS, OURS))) {
          return "/dev/nvidia" + Integer.parseInt(value(lines, "Device Minor"));
        }
      }
    } catch (NoSuchFileException e) {
      throw new IOException(e.getFile() + " is missing, so NVIDIA's driver is not loaded", e);
    } catch (NumberFormatException e) {
      throw new IOException("%s does not tell the minor number of %s".formatted(gpus, device), e);
    }
    throw new IOException("%s has no %s".formatted(gpus, device));
  }

  private static String value(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst()
        .orElse("");
  }
}
