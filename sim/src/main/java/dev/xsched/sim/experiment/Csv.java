package dev.xsched.sim.experiment;

import dev.xsched.sim.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the paper's data files: comments by #, then a line of names, then plain values. */
public final class Csv {
  /** One line, by the names of its columns. */
  public record Row(Map<String, String> values) {
    public String text(String column) {
      String value = values.get(column);
      if (value == null) {
        throw new IllegalArgumentException(
            "there is no column '%s'; choose one of %s".formatted(column, values.keySet()));
      }
      return value;
    }

    public int integer(String column) {
      return Integer.parseInt(text(column));
    }

    public double number(String column) {
      return Double.parseDouble(text(column));
    }
  }

  private Csv() {}

  public static List<Row> read(String name) {
    List<String> lines =
        Resources.read("paper/" + name)
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    String[] columns = lines.getFirst().split(",", -1);
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < columns.length; i++) {
        values.put(columns[i], cells[i]);
      }
      rows.add(new Row(values));
    }
    return rows;
  }
}
