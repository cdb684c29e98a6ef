package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.Statistic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)"
              + "(\\{[a-z_]+=\"(?:[^\"\\\\\n]|\\\\[\\\\n\"])*\"(?:,[a-z_]+=\"(?:[^\"\\\\\n]|\\\\[\\\\n\"])*\")*})?"
              + " (-?[0-9]+(?:\\.[0-9]+)?)");

  private final FakeControl control =
      new FakeControl(
          List.of(
              new FakeControl.FakeProgram(7, "a\"b\\c\nd", "alice", List.of("x\"} 1\nevil 1", "y")),
              new FakeControl.FakeProgram(8, "train", "bob", List.of("z"))));

  @Test
  void everyLineIsAsTheFormatWantsIt() {
    Set<String> families = new HashSet<>();
    Set<String> samples = new HashSet<>();
    String family = "";
    for (String line : Metrics.of(control.state()).split("\n", -1)) {
      if (line.startsWith("# HELP ")) {
        family = line.split(" ", 4)[2];
        assertThat(families.add(family)).as(family).isTrue();
      } else if (line.startsWith("# TYPE ")) {
        assertThat(line).matches("# TYPE " + family + " (counter|gauge|histogram)");
        assertThat(line.endsWith(" counter")).isEqualTo(family.endsWith("_total"));
      } else if (!line.isEmpty()) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(sample.group(1)).startsWith(family).startsWith("xsched_");
        assertThat(samples.add(sample.group(1) + sample.group(2))).as(line).isTrue();
      }
    }
    assertThat(families).hasSizeGreaterThan(Statistic.values().length);
  }

  @Test
  void nanosecondsBecomeSecondsAndCountersSaySo() {
    assertThat(Metrics.of(control.state()))
        .contains("\nxsched_gate_closed_seconds_total 1.500000005\n")
        .contains("\nxsched_decisions_total 1500000000\n")
        .contains("# TYPE xsched_queues gauge\nxsched_queues 150000001");
  }

  @Test
  void histogramsCountUpwards() {
    assertThat(Metrics.of(control.state()))
        .contains(
            """
            xsched_decision_latency_seconds_bucket{le="0.0000009"} 12
            xsched_decision_latency_seconds_bucket{le="0.0000036"} 92
            """)
        .contains(
            """
            xsched_decision_latency_seconds_bucket{le="+Inf"} 557
            xsched_decision_latency_seconds_sum 0.0005013
            xsched_decision_latency_seconds_count 557
            """);
  }

  @Test
  void programsAndQueuesAreTold() {
    assertThat(Metrics.of(control.state()))
        .contains("xsched_program_used_seconds_total{name=\"a\\\"b\\\\c\\nd\",pid=\"7\",user=")
        .contains(
            "xsched_queue_state{device=\"shared:gv100\",name=\"z\",pid=\"8\",program=\"train\","
                + "queue=\"3\",state=\"waiting\"} 1\n")
        .contains("xsched_queue_gate_wait_seconds_total{");
  }

  @Test
  void whatKeepsQueuesApartOnAGpuIsTold() {
    control.keepApart(3, "slices", 1, "the \"highest\" rank");
    String labels = "device=\"shared:gv100\",%sname=\"z\",pid=\"8\",program=\"train\",queue=\"3\"";
    String plain = labels.formatted("");
    assertThat(Metrics.of(control.state()))
        .containsOnlyOnce("\nxsched_queue_mechanism{")
        .contains(
            "\nxsched_queue_mechanism{"
                + labels.formatted("mechanism=\"slices\",")
                + ",reason=\"the \\\"highest\\\" rank\"} 1\n")
        .contains("\nxsched_queue_slice_seconds{" + plain + "} 0.000001\n")
        .contains("\nxsched_queue_slice_orders_total{" + plain + "} 2\n")
        .contains("\nxsched_queue_interrupts_total{" + plain + "} 3\n");
  }

  @Test
  void itIsServed() throws Exception {
    try (FaceUnderTest face = new FaceUnderTest(control)) {
      var response = face.get("/metrics");
      assertThat(response.headers().firstValue("Content-Type"))
          .hasValue("text/plain; version=0.0.4; charset=utf-8");
      assertThat(response.body()).startsWith("# HELP xsched_info ");
    }
  }
}
