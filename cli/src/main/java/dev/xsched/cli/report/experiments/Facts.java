package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RunRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How a record came about: enough to run it again and to doubt it. */
final class Facts {
  /** The fact that is meant to be typed. */
  static final String COMMAND = "Repeat it";

  private Facts() {}

  static Map<String, String> of(RunRecord record) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Device", record.labelledDevice());
    facts.put(COMMAND, record.command());
    facts.put("Configuration", joined(record.configuration()));
    facts.put("Hardware", joined(record.hardware()));
    facts.put("Driver and runtime", joined(record.runtime()));
    facts.put("XSched", version(record));
    facts.put("Date", record.date());
    facts.put("Record", record.file());
    facts.values().removeIf(String::isBlank);
    return facts;
  }

  private static String version(RunRecord record) {
    return record.commit().isBlank()
        ? record.version()
        : "%s, commit %s".formatted(record.version(), record.commit());
  }

  private static String joined(Map<String, String> named) {
    return named.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining("; "));
  }
}
