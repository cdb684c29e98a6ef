package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.cli.report.SampleRecords;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchRunTest {
  private final StringWriter out = new StringWriter();

  @Test
  void recordsThatWereThereAlreadyCount() throws Exception {
    List<RunRecord> all = SampleRecords.all();
    List<RunRecord> met = all.stream().filter(RunRecord::pass).limit(2).toList();
    List<RunRecord> missed =
        all.stream().filter(r -> r.deciding().stream().anyMatch(c -> !c.pass())).limit(1).toList();
    assertThat(code(met)).isZero();
    assertThat(out.toString()).startsWith("2 of 2 experiments pass, 2 were there already;");
    assertThat(missed).hasSize(1);
    assertThat(code(missed)).isEqualTo(1);
  }

  @Test
  void nothingThatCanBeMeasuredIsNoSuccess() {
    assertThat(code(List.of())).isEqualTo(3);
    assertThat(out.toString()).contains("nothing of this can be measured on sim");
  }

  private int code(List<RunRecord> kept) {
    PrintWriter writer = new PrintWriter(out);
    return new BenchRunCommand(new Terminal(writer, writer, false, false)).code(List.of(), kept);
  }
}
