package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flat results of a record as tables: what was measured in several configurations with a column
 * for each, and the rest. Interval and number of samples stand beside their value.
 */
public final class ResultTables {
  /** As the names of results end; the longer ones first, since one may end another. */
  private static final List<String> CONFIGURATIONS =
      List.of(
          "standalone",
          "xsched_synchronous",
          "xsched_sync",
          "rate_control",
          "native",
          "xsched",
          "mps",
          "quota",
          "flat",
          "hhpf",
          "hpf",
          "slo",
          "lax");

  /** A name such as p99_latency_three_threads. */
  private static final Pattern QUANTITY =
      Pattern.compile(".*?(?:latency|throughput|speed|ratio)_(.+)");

  private static final int MOST_COLUMNS = 8;

  private static final List<String> COMPANIONS = List.of("_samples", "_ci_low", "_ci_high");

  private ResultTables() {}

  public static List<Table> of(RunRecord record) {
    Map<String, Map<String, String>> compared = new LinkedHashMap<>();
    Set<String> columns = new LinkedHashSet<>();
    List<List<String>> others = new ArrayList<>();
    boolean wide =
        record.results().keySet().stream()
                .filter(name -> !companion(record, name))
                .map(name -> configuration(name, false))
                .distinct()
                .count()
            > MOST_COLUMNS;
    for (String name : record.results().keySet()) {
      if (companion(record, name)) {
        continue;
      }
      String configuration = configuration(name, wide);
      if (configuration.isEmpty()) {
        others.add(List.of(name, cell(record, name)));
      } else {
        String what = name.substring(0, name.length() - configuration.length() - 1);
        columns.add(configuration);
        compared
            .computeIfAbsent(what, _ -> new LinkedHashMap<>())
            .put(configuration, cell(record, name));
      }
    }
    List<Table> tables = new ArrayList<>();
    if (!compared.isEmpty()) {
      tables.add(table(compared, columns));
    }
    if (!others.isEmpty()) {
      tables.add(new Table(List.of("result", "value"), others));
    }
    return tables;
  }

  /** What the name says after the quantity. With too many of these, only the well-known ones. */
  private static String configuration(String name, boolean knownOnly) {
    String known =
        CONFIGURATIONS.stream().filter(c -> name.endsWith("_" + c)).findFirst().orElse("");
    Matcher matcher = QUANTITY.matcher(name);
    return known.isEmpty() && !knownOnly && matcher.matches() ? matcher.group(1) : known;
  }

  private static Table table(Map<String, Map<String, String>> compared, Set<String> columns) {
    List<String> header = new ArrayList<>(List.of("result"));
    header.addAll(columns);
    List<List<String>> rows = new ArrayList<>();
    compared.forEach(
        (what, cells) -> {
          List<String> row = new ArrayList<>(List.of(what));
          columns.forEach(column -> row.add(cells.getOrDefault(column, "")));
          rows.add(row);
        });
    return new Table(header, rows);
  }

  /** Whether it only tells more about another result. */
  private static boolean companion(RunRecord record, String name) {
    return COMPANIONS.stream()
        .anyMatch(
            end ->
                name.endsWith(end)
                    && record
                        .results()
                        .containsKey(name.substring(0, name.length() - end.length())));
  }

  private static String cell(RunRecord record, String name) {
    StringBuilder cell = new StringBuilder(Numbers.shown(record.results().get(name)));
    if (record.results().get(name + "_ci_low") instanceof Double low
        && record.results().get(name + "_ci_high") instanceof Double high) {
      cell.append(" [%s, %s]".formatted(Numbers.significant(low), Numbers.significant(high)));
    }
    if (record.results().get(name + "_samples") instanceof Double samples) {
      cell.append(" n=").append(samples.longValue());
    }
    return cell.toString();
  }
}
