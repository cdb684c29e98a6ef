package dev.xsched.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A table of a TOML file that is read strictly: whatever is missing, misspelt, of the wrong type or
 * out of range ends in one line that names the file, the key and what would be right.
 */
final class StrictToml {
  private final String file;
  private final String path;
  private final TomlTable table;
  private final Set<String> known = new TreeSet<>();

  StrictToml(String file, TomlParseResult root) {
    this(file, "", root);
    if (root.hasErrors()) {
      throw new IllegalArgumentException(
          "%s: %s at %s"
              .formatted(
                  file,
                  root.errors().getFirst().getMessage(),
                  root.errors().getFirst().position()));
    }
  }

  private StrictToml(String file, String path, TomlTable table) {
    this.file = file;
    this.path = path;
    this.table = table;
  }

  String text(String key) {
    return need(key, "a text", get(key) instanceof String text ? text : null);
  }

  boolean flag(String key) {
    return need(key, "true or false", get(key) instanceof Boolean flag ? flag : null);
  }

  int integer(String key, int min, int max) {
    Long value = get(key) instanceof Long number && number >= min && number <= max ? number : null;
    return need(key, "an integer from %d to %d".formatted(min, max), value).intValue();
  }

  double number(String key, double min, double max) {
    Double value = get(key) instanceof Number number ? (Double) number.doubleValue() : null;
    boolean fits = value != null && value >= min && value <= max;
    return need(key, "a number from %s to %s".formatted(min, max), fits ? value : null);
  }

  /** Reads microseconds. */
  long nanos(String key, double minMicros) {
    return Math.round(1_000 * number(key, minMicros, 1e9));
  }

  StrictToml table(String key) {
    TomlTable value = get(key) instanceof TomlTable inner ? inner : null;
    return new StrictToml(file, path + key + ".", need(key, "a table", value));
  }

  List<StrictToml> tables(String key) {
    TomlArray array = array(key, "a list of tables");
    List<StrictToml> result = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      TomlTable value = array.get(i) instanceof TomlTable inner ? inner : null;
      String name = "%s[%d]".formatted(key, i);
      result.add(new StrictToml(file, path + name + ".", need(name, "a table", value)));
    }
    return result;
  }

  List<Long> integers(String key, int min, int max) {
    TomlArray array = array(key, "a list of integers");
    List<Long> result = new ArrayList<>();
    for (Object value : array.toList()) {
      Long number = value instanceof Long n && n >= min && n <= max ? n : null;
      result.add(need(key, "integers from %d to %d".formatted(min, max), number));
    }
    return result;
  }

  /** Ends the reading: keys that nobody asked for are errors. */
  void rejectOthers() {
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "%s: unknown key '%s%s'; choose one of %s"
                .formatted(file, path, key, String.join(", ", known)));
      }
    }
  }

  IllegalArgumentException wrong(String key, String expected) {
    return new IllegalArgumentException(
        "%s: key '%s%s' must be %s".formatted(file, path, key, expected));
  }

  private TomlArray array(String key, String expected) {
    return need(
        key, expected, get(key) instanceof TomlArray array && !array.isEmpty() ? array : null);
  }

  private @Nullable Object get(String key) {
    known.add(key);
    return table.get(List.of(key));
  }

  private <T> T need(String key, String expected, @Nullable T value) {
    if (value == null) {
      boolean missing = !key.endsWith("]") && !table.contains(List.of(key));
      throw missing ? wrong(key, expected + ", but is missing") : wrong(key, expected);
    }
    return value;
  }
}
