package dev.xsched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Outcome.PartyOutcome;
import dev.xsched.bench.scene.Requests;
import dev.xsched.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoTest {
  private final StringWriter err = new StringWriter();
  private final Terminal terminal =
      new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false);

  /** A device on which the foreground is exactly three times slower, then 1.1 times. */
  private static final class FakeStage implements Stage {
    private final int requests;
    private final double contention;
    private double spread;

    FakeStage(int requests, double contention) {
      this.requests = requests;
      this.contention = contention;
    }

    @Override
    public String device() {
      return "fake <XPU>";
    }

    @Override
    public boolean simulated() {
      return true;
    }

    @Override
    public Workload workload() {
      return new Workload(Duration.ofMillis(25), "requests", "tasks");
    }

    @Override
    public String simulation() {
      return "All of it.";
    }

    @Override
    public long defaultSeconds() {
      return 6;
    }

    @Override
    public Duration waiting(Duration measured) {
      return measured;
    }

    @Override
    public Outcome run(Configuration configuration, Duration measured, Runnable tick) {
      tick.run();
      return switch (configuration) {
        case STANDALONE -> outcome(measured, List.of(foreground(1)));
        case NATIVE -> outcome(measured, List.of(foreground(3), background(measured, 90)));
        case SCHEDULED -> outcome(measured, List.of(foreground(1.1), background(measured, 79)));
        case BACKGROUND -> outcome(measured, List.of(background(measured, 100)));
      };
    }

    private PartyOutcome foreground(double factor) {
      Requests all = new Requests();
      for (int i = 1; i <= requests; i++) {
        all.add(0, Math.round((100 * (1 - spread) + i * spread) * factor * 1e6));
      }
      return new PartyOutcome("foreground", all, requests, 0.35, OptionalDouble.empty());
    }

    private static PartyOutcome background(Duration measured, int perSecond) {
      Requests all = new Requests();
      for (int i = 0; i < perSecond * measured.toMillis() / 1_000; i++) {
        all.add(0, 1);
      }
      return new PartyOutcome("background", all, all.count(), 1, OptionalDouble.empty());
    }

    private Outcome outcome(Duration measured, List<PartyOutcome> parties) {
      return new Outcome(
          parties,
          measured.toMillis() / 1e3,
          contention,
          DeviceLoad.UNKNOWN,
          OptionalDouble.empty(),
          List.of("a note"));
    }

    @Override
    public void close() {}
  }

  private DemoResult perform() throws Exception {
    return new Demo(new FakeStage(100, 0.35), Rule.byDefault(), terminal, false).perform(null);
  }

  @Test
  void comparesTheRuns() throws Exception {
    DemoResult result = perform();
    assertThat(result.p99Ratio(Configuration.NATIVE)).isEqualTo(3);
    assertThat(result.p99Ratio(Configuration.SCHEDULED)).isEqualTo(1.1);
    assertThat(result.backgroundKept(Configuration.SCHEDULED)).isEqualTo(0.79);
    assertThat(result.contentionProven()).isTrue();
    assertThat(result.table().lines())
        .hasSize(4)
        .anyMatch(
            l -> l.matches("native .*300 ms .*300 ms .*3.00x .*90.0/s .*90 % .*proven, 35 %"));
  }

  @Test
  void saysWhenTheTwoDidNotCompete() throws Exception {
    DemoResult result =
        new Demo(new FakeStage(100, 0.05), Rule.byDefault(), terminal, false).perform(null);
    assertThat(result.contentionProven()).isFalse();
    assertThat(String.join("\n", result.table().lines())).contains("NOT proven, 5 %");
  }

  @Test
  void stopsWhereTheTimesOfAModelVaryThoughItIsAlone() {
    FakeStage varying = new FakeStage(100, 0.35);
    varying.spread = 1;
    Demo demo = new Demo(varying, Rule.byDefault(), terminal, false);
    assertThatThrownBy(() -> demo.perform(null))
        .isInstanceOf(HostTooBusyException.class)
        .hasMessageContaining("P99 is 1.98 times P50");
  }

  @Test
  void hasTheFieldsThatScriptsRelyOn() throws Exception {
    JsonNode json = JsonMapper.shared().readTree(DemoJson.of(perform()));
    assertThat(json.get("device").asString()).isEqualTo("fake <XPU>");
    assertThat(json.get("simulated").asBoolean()).isTrue();
    assertThat(json.get("p99_ratio_native").asDouble()).isEqualTo(3);
    assertThat(json.get("p99_ratio_scheduled").asDouble()).isEqualTo(1.1);
    assertThat(json.get("runs").findValuesAsString("config"))
        .containsExactly("standalone", "native", "scheduled");
    for (JsonNode run : json.get("runs")) {
      assertThat(run.get("foreground").get("p50_ms").isNumber()).isTrue();
      assertThat(run.get("foreground").get("p99_ms").isNumber()).isTrue();
      assertThat(run.get("foreground").get("samples").asInt()).isEqualTo(100);
      assertThat(run.get("background").get("per_second").isNumber()).isTrue();
    }
  }

  @Test
  void leavesARecordThatIsJudgedAsTheExperimentIs() throws Exception {
    ResultRecord record = DemoRecord.of(perform(), "./xsched demo");
    assertThat(record.testId()).isEqualTo("7.2.1");
    assertThat(record.simulated()).isTrue();
    assertThat(record.quick()).isTrue();
    assertThat(record.state()).isEqualTo("complete");
    assertThat(record.pass()).isTrue();
    assertThat(record.results())
        .containsEntry("foreground_p99_latency_standalone", 100.0)
        .containsEntry("foreground_p99_latency_xsched_samples", 100)
        .containsEntry("background_throughput_native", 90.0)
        .doesNotContainKey("runtime_overhead_percent");
    assertThat(record.series()).anyMatch(s -> s.figure().equals("9-top") && s.kind().equals("cdf"));
    assertThat(record.notes()).contains("what is simulated: All of it.", "a note");
  }

  @Test
  void aRecordWithoutContentionIsInvalid() throws Exception {
    DemoResult result =
        new Demo(new FakeStage(100, 0.05), Rule.byDefault(), terminal, false).perform(null);
    ResultRecord record = DemoRecord.of(result, "./xsched demo");
    assertThat(record.state()).isEqualTo("invalid");
    assertThat(record.pass()).isFalse();
  }

  @Test
  void tellsWithoutATerminalOneLineForEachStep() throws Exception {
    perform();
    assertThat(err.toString().lines()).hasSize(4).allMatch(l -> l.endsWith("s left"));
  }

  @Test
  void refusesRunsTooShortForAP99() {
    assertThatThrownBy(
            () -> new Demo(new FakeStage(100, 1), Rule.byDefault(), terminal, false).perform(2L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give 3 or more");
    assertThatThrownBy(
            () -> new Demo(new FakeStage(50, 1), Rule.byDefault(), terminal, false).perform(5L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only 50 requests")
        .hasMessageContaining("give --seconds 11 or more");
  }
}
