package dev.xsched.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The models that come with XSched, and those that users write. */
public final class DeviceModels {
  /** The model that stands for "some device". */
  public static final String DEFAULT = "gv100";

  private static final String FOLDER = "models/";
  private static final String SUFFIX = ".toml";

  /** A jar cannot list a folder, so the names stand here; a test compares. */
  private static final List<String> NAMES =
      List.of(
          "gv100", "k40m", "mi50", "igpu", "npu3720", "910b", "dla", "ofa", "pva", "vu9p", "h200",
          "mi308x");

  private DeviceModels() {}

  /** Returns the names of the models that come with XSched. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Loads a model.
   *
   * @param nameOrPath one of {@link #names}, or the path of a file that ends in .toml
   * @throws IllegalArgumentException in one line, if there is no such model or it is not valid
   */
  public static DeviceModel load(String nameOrPath) {
    if (nameOrPath.endsWith(SUFFIX)) {
      return loadFile(Path.of(nameOrPath));
    }
    if (!NAMES.contains(nameOrPath)) {
      throw new IllegalArgumentException(
          "unknown model '%s'; choose one of %s, or the path of a file that ends in .toml"
              .formatted(nameOrPath, String.join(", ", NAMES)));
    }
    String file = nameOrPath + SUFFIX;
    return DeviceModelParser.parse(nameOrPath, file, Resources.read(FOLDER + file));
  }

  private static DeviceModel loadFile(Path path) {
    String file = path.toString();
    String name = path.getFileName().toString();
    try {
      return DeviceModelParser.parse(
          name.substring(0, name.length() - SUFFIX.length()), file, Files.readString(path));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no model file %s".formatted(file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the model file %s: %s".formatted(file, e), e);
    }
  }
}
