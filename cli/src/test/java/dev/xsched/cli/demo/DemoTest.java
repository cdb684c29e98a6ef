package dev.xsched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.cli.Terminal;
import dev.xsched.cli.report.Samples;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
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
      return 5;
    }

    @Override
    public Duration waiting(Duration measured) {
      return measured;
    }

    @Override
    public double backgroundAlone(Duration measured, Runnable tick) {
      return 100;
    }

    @Override
    public Measurement run(Configuration configuration, Duration measured, Runnable tick) {
      tick.run();
      double[] latencies =
          IntStream.rangeClosed(1, requests)
              .mapToDouble(i -> 100 * (1 - spread) + i * spread)
              .toArray();
      return switch (configuration) {
        case STANDALONE ->
            new Measurement(
                configuration,
                Samples.of(latencies),
                0,
                OptionalDouble.empty(),
                Optional.of(Samples.of(0.1, 0.2)));
        case NATIVE -> shared(configuration, latencies, 3, 90);
        case SCHEDULED -> shared(configuration, latencies, 1.1, 79);
      };
    }

    private Measurement shared(Configuration c, double[] latencies, double factor, double rate) {
      double[] slower =
          IntStream.range(0, requests).mapToDouble(i -> latencies[i] * factor).toArray();
      return new Measurement(
          c, Samples.of(slower), rate, OptionalDouble.of(contention), Optional.empty());
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
  void saysWhatTheHostAdds() throws Exception {
    assertThat(perform().hostNote())
        .hasValueSatisfying(n -> assertThat(n).contains("0.200 ms at P99."));
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
  void drawsAFigureThatStandsAlone() throws Exception {
    String figure = DemoPage.figure(perform());
    assertThat(figure)
        .startsWith("<svg ")
        .contains("xmlns=\"http://www.w3.org/2000/svg\"", "(simulated)", "--s0:");
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
  void thePageSaysWhatIsSimulatedAndEscapesNames() throws Exception {
    String page = DemoPage.render(perform(), Instant.EPOCH);
    assertThat(page)
        .contains("simulated device: fake &lt;XPU&gt;", "What is simulated", "How to read it")
        .contains("1970-01-01T00:00:00Z")
        .doesNotContain("http:", "https:");
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
