package dev.xsched.bench.experiment;

import dev.xsched.sim.experiment.Csv;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The paper's published results for the device that is measured; where it has none, those of its
 * GV100 as a reference, named as that.
 */
final class Paper {
  private static final String REFERENCE = "gv100";

  private final String device;

  private Paper(String device) {
    this.device = device;
  }

  /** By the device's name in records, such as "sim:gv100". */
  static Paper of(String device) {
    return new Paper(device.startsWith("sim:") ? device.substring("sim:".length()) : device);
  }

  /** Rows of a file, such as {@code harvest.csv}, whose columns have these values. */
  static List<Csv.Row> rows(String file, String... columnsAndValues) {
    return Csv.read("paper/" + file).stream()
        .filter(
            row -> {
              for (int i = 0; i < columnsAndValues.length; i += 2) {
                if (!row.text(columnsAndValues[i]).equals(columnsAndValues[i + 1])) {
                  return false;
                }
              }
              return true;
            })
        .toList();
  }

  /** The device whose results are shown: the measured one, or the reference. */
  String shown(String file, String column) {
    return rows(file, column, device).isEmpty() ? REFERENCE : device;
  }

  /** A number of this very device, if the paper has it. */
  Optional<Double> own(String file, String deviceColumn, String value, String... where) {
    return rows(file, where).stream()
        .filter(row -> row.text(deviceColumn).equals(device))
        .map(row -> row.number(value))
        .findFirst();
  }

  static String times(double ratio) {
    return String.format(Locale.ROOT, "%.2fx", ratio);
  }
}
