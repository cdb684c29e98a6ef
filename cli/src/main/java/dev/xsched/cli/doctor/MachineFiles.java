package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a machine shows of itself in files. Tests hand in a folder in place of the root.
 *
 * @param environment the variables as the user has them
 * @param opens whether the user may read and write a device file
 */
public record MachineFiles(Path root, Map<String, String> environment, Predicate<Path> opens) {
  /** This machine. */
  public static MachineFiles here(Map<String, String> environment) {
    return new MachineFiles(
        Path.of("/"), environment, file -> Files.isReadable(file) && Files.isWritable(file));
  }

  Path at(String path) {
    return root.resolve(path);
  }

  /** What is in a small file, without blanks around it; nothing if it cannot be read. */
  Optional<String> text(String path) {
    try {
      return Optional.of(Files.readString(at(path)).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Files of a folder in the order of their names; none if there is no such folder. */
  List<Path> list(Path folder, String glob) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
      stream.forEach(files::add);
    } catch (IOException _) {
      return List.of(); // There is no such folder, or it is none of ours.
    }
    Collections.sort(files);
    return files;
  }

  /** A variable that is set and not empty. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  boolean inContainer() {
    return Files.exists(at(".dockerenv"))
        || Files.exists(at("run/.containerenv"))
        || environment.containsKey("KUBERNETES_SERVICE_HOST");
  }
}
