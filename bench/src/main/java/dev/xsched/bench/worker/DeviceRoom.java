package dev.xsched.bench.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether there is room for us on a device that others may use, too.
 *
 * @param freeBytes of its memory; unknown where nobody says
 * @param others how many programs use it already; unknown likewise
 */
public record DeviceRoom(OptionalLong freeBytes, OptionalLong others) {
  private static final String AMD = "0x1002";

  /**
   * Looks at the first device of a kind.
   *
   * @param root where files are looked for, {@code /} but in tests
   */
  public static DeviceRoom of(String kind, Path root) {
    return switch (kind) {
      case "cuda" -> nvidia();
      case "hip" -> amd(root);
      // PoCL computes in the host's memory; what a GPU under OpenCL has left nobody tells.
      default -> new DeviceRoom(available(root), OptionalLong.empty());
    };
  }

  private static DeviceRoom nvidia() {
    return new DeviceRoom(
        smi("--query-gpu=memory.free")
            .mapToLong(mebibytes -> Long.parseLong(mebibytes) << 20)
            .findFirst(),
        OptionalLong.of(smi("--query-compute-apps=pid").count()));
  }

  private static Stream<String> smi(String query) {
    return Shell.tryRun(
            List.of("nvidia-smi", "--id=0", query, "--format=csv,noheader,nounits"), Map.of(), "")
        .stream()
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> line.matches("\\d{1,9}"));
  }

  private static DeviceRoom amd(Path root) {
    OptionalLong free = OptionalLong.empty();
    for (Path node : list(root.resolve("sys/class/drm"), "renderD*")) {
      Path device = node.resolve("device");
      if (free.isEmpty() && text(device.resolve("vendor")).equals(AMD)) {
        OptionalLong total = number(text(device.resolve("mem_info_vram_total")));
        OptionalLong used = number(text(device.resolve("mem_info_vram_used")));
        if (total.isPresent() && used.isPresent()) {
          free = OptionalLong.of(total.getAsLong() - used.getAsLong());
        }
      }
    }
    Path programs = root.resolve("sys/class/kfd/kfd/proc");
    return new DeviceRoom(
        free,
        Files.isDirectory(programs)
            ? OptionalLong.of(list(programs, "[0-9]*").size())
            : OptionalLong.empty());
  }

  private static OptionalLong available(Path root) {
    Matcher matcher =
        Pattern.compile("MemAvailable:\\s+(\\d+) kB").matcher(text(root.resolve("proc/meminfo")));
    return matcher.find()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)) << 10)
        : OptionalLong.empty();
  }

  private static OptionalLong number(String text) {
    return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return "";
    }
  }

  private static TreeSet<Path> list(Path folder, String glob) {
    TreeSet<Path> files = new TreeSet<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
      stream.forEach(files::add);
    } catch (IOException _) {
      return files; // There is no such folder.
    }
    return files;
  }
}
