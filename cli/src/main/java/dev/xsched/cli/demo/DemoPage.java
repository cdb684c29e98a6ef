package dev.xsched.cli.demo;

import dev.xsched.cli.Version;
import dev.xsched.cli.report.Cdf;
import dev.xsched.cli.report.Heading;
import dev.xsched.cli.report.LineChart;
import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Origin;
import dev.xsched.cli.report.Page;
import dev.xsched.cli.report.Samples;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The demo's result as a page. */
final class DemoPage {
  private DemoPage() {}

  static String render(DemoResult result, Instant when) {
    Page page = new Page("XSched demo: a foreground task beside a background task");
    if (result.simulated()) {
      page.badge("simulated device: " + result.device());
    }
    page.paragraph(result.finding())
        .table(result.table())
        .heading("Latency of the foreground's requests")
        .chart(chart(result));
    explain(page, result);
    String commit = Version.commit().isEmpty() ? "" : ", commit " + Version.commit();
    return page.note(
            "xsched %s%s, %s, %d s per run."
                .formatted(
                    Version.release(),
                    commit,
                    when.truncatedTo(ChronoUnit.SECONDS),
                    result.perRun().toSeconds()))
        .render();
  }

  /** The page's chart alone, as an SVG file. */
  static String figure(DemoResult result) {
    return Page.figure(chart(result));
  }

  private static LineChart chart(DemoResult result) {
    Heading heading =
        new Heading(
            "Distribution of the latencies on " + result.device(),
            result.simulated() ? List.of("simulated") : List.of(),
            "");
    return Cdf.chart(
        heading,
        result.simulated() ? Origin.SIMULATED : Origin.MEASURED,
        "latency of a request in ms",
        lines(result));
  }

  private static Map<String, Samples> lines(DemoResult result) {
    Map<String, Samples> lines = new LinkedHashMap<>();
    for (Measurement run : result.runs()) {
      lines.put(
          "%s (P99 %s ms)".formatted(run.configuration().label(), Numbers.significant(run.p99())),
          run.latencies());
    }
    return lines;
  }

  private static void explain(Page page, DemoResult result) {
    page.heading("How to read it")
        .bullets(reading(result))
        .heading("What ran")
        .bullets(whatRan(result))
        .heading("What is simulated")
        .paragraph(result.simulation());
  }

  private static List<String> reading(DemoResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "A line shows for each latency the share of requests that took no longer. The further to"
            + " the left and the steeper, the better; the marker is its P99.");
    lines.add("With XSched the line should lie close to the one of the foreground alone.");
    lines.add(
        "P99 ratio: P99 divided by the P99 of the foreground alone. Kept: the background's rate"
            + " divided by its own rate when it is alone, %s/s."
                .formatted(Numbers.significant(result.backgroundAlone())));
    lines.add(
        "Contention: the share of the time in which both had work outstanding at the device."
            + " Proven from %s on; without it a comparison says nothing."
                .formatted(Numbers.percent(Measurement.PROVEN_FROM)));
    result.hostNote().ifPresent(lines::add);
    return lines;
  }

  private static List<String> whatRan(DemoResult result) {
    List<String> lines = new ArrayList<>();
    lines.add("Foreground: " + result.workload().foreground() + ".");
    lines.add("Background: " + result.workload().background() + ".");
    lines.add("XSched was told: " + result.rule() + ".");
    for (Configuration configuration : Configuration.values()) {
      lines.add("Run \"%s\": %s.".formatted(configuration.label(), configuration.meaning()));
    }
    return lines;
  }
}
