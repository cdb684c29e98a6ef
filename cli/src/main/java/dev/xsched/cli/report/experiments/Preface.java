package dev.xsched.cli.report.experiments;

import java.util.List;
import java.util.Map;

/**
 * What a report of a machine begins with.
 *
 * @param parts what was tried
 * @param environment what was found there, by name, in the order to be shown
 */
public record Preface(List<Part> parts, Map<String, String> environment) {
  /** Of a mere folder of records. */
  static final Preface NONE = new Preface(List.of(), Map.of());
}
