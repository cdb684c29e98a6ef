package dev.xsched.daemon.http;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Text in the Prometheus format 0.0.4, well-formed whatever the labels hold. */
final class Exposition {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder out = new StringBuilder();

  /** Begins a family; its samples must come before the next one begins. */
  Family family(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(escape(help)).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return new Family(name);
  }

  String text() {
    return out.toString();
  }

  final class Family {
    private final String name;

    private Family(String name) {
      this.name = name;
    }

    void sample(Map<String, String> labels, double value) {
      sample("", labels, value);
    }

    void sample(String suffix, Map<String, String> labels, double value) {
      out.append(name).append(suffix);
      if (!labels.isEmpty()) {
        out.append(
            new TreeMap<>(labels)
                .entrySet().stream()
                    .map(e -> e.getKey() + "=\"" + escape(e.getValue()).replace("\"", "\\\"") + '"')
                    .collect(Collectors.joining(",", "{", "}")));
      }
      out.append(' ').append(number(value)).append('\n');
    }
  }

  /** Without an exponent, so that people read it, too. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
