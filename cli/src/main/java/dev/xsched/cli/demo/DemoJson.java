package dev.xsched.cli.demo;

import dev.xsched.bench.Machine;
import dev.xsched.cli.Version;
import dev.xsched.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demo's result for scripts. Names and meaning stay; more may be added. */
record DemoJson(
    String device,
    boolean simulated,
    List<Run> runs,
    double p99RatioNative,
    double p99RatioScheduled,
    double backgroundStandalonePerSecond,
    boolean contentionProven,
    String rule,
    long seconds,
    Map<String, String> hardware,
    Map<String, String> runtime,
    String xschedVersion,
    String commit) {
  record Run(
      String config, Foreground foreground, Background background, @Nullable Double contention) {}

  record Foreground(double p50Ms, double p99Ms, int samples) {}

  record Background(double perSecond) {}

  static String of(DemoResult result) {
    return Json.of(
        new DemoJson(
            result.device(),
            result.simulated(),
            result.runs().stream().map(DemoJson::run).toList(),
            result.p99Ratio(Configuration.NATIVE),
            result.p99Ratio(Configuration.SCHEDULED),
            result.backgroundAlone(),
            result.contentionProven(),
            result.rule().toString(),
            result.perRun().toSeconds(),
            Machine.hardware(),
            Machine.runtime(),
            Version.release(),
            Version.commit()));
  }

  private static Run run(Measurement run) {
    return new Run(
        run.configuration().label(),
        new Foreground(run.p50(), run.p99(), run.latencies().size()),
        new Background(run.backgroundPerSecond()),
        run.contention().isPresent() ? run.contention().getAsDouble() : null);
  }
}
