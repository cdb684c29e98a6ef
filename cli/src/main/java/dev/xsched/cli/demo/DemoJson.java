package dev.xsched.cli.demo;

import dev.xsched.bench.Machine;
import dev.xsched.bench.judge.Latencies;
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
            DemoResult.COMPARED.stream().map(c -> run(result, c)).toList(),
            result.p99Ratio(Configuration.NATIVE),
            result.p99Ratio(Configuration.SCHEDULED),
            result.backgroundPerSecond(Configuration.BACKGROUND),
            result.contentionProven(),
            result.rule().toString(),
            result.perRun().toSeconds(),
            Machine.hardware(),
            Machine.runtime(),
            Version.release(),
            Version.commit()));
  }

  private static Run run(DemoResult result, Configuration configuration) {
    Latencies latencies = result.latencies(configuration);
    boolean alone = configuration == Configuration.STANDALONE;
    return new Run(
        configuration.label(),
        new Foreground(latencies.percentile(50), latencies.percentile(99), latencies.count()),
        new Background(result.backgroundPerSecond(configuration)),
        alone ? null : result.run(configuration).contended());
  }
}
