package dev.xsched.cli.report.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.cli.CommandLineHarness;
import dev.xsched.cli.report.SampleRecords;
import dev.xsched.cli.report.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ReportCommandTest {
  @TempDir private Path out = Path.of("");

  private CommandLineHarness.Outcome report(Path records) {
    return CommandLineHarness.run("report", records.toString(), "--out", out.toString());
  }

  private Document page() throws Exception {
    return Xml.parse(Files.readString(out.resolve("report.html")));
  }

  private static List<String> rows(Document page) {
    return Xml.all(page, "tr").stream().map(Element::getTextContent).toList();
  }

  @Test
  void countsSimulatedAndMeasuredApart() throws Exception {
    var outcome = report(SampleRecords.folder());
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines().toList())
        .satisfiesExactly(
            measured ->
                assertThat(measured).isEqualTo("Measured: 6 of 6 criteria met, on cuda, opencl"),
            simulated ->
                assertThat(simulated)
                    .startsWith(
                        "Simulated: 20 of 24 criteria met (2 missed, 1 partial, 1 invalid,"
                            + " 1 of 1 stretch goals reached), on sim:gv100, "),
            where -> assertThat(where).startsWith("Page: ").endsWith("report.html"));
  }

  @Test
  void everyRowSaysGoalPaperMeasuredAndVerdict() throws Exception {
    report(SampleRecords.folder());
    List<String> rows = rows(page());
    assertThat(rows)
        .contains(
            "foreground P99 / standalone< 1.30x1.13x (GV100)1.165✓ met",
            "foreground P99 / standalone< 1.30x1.13x (GV100)1.623simulatedquick✗ missed",
            "production latency< 1.05x1.01x1.02simulatedquick◐ partial",
            "high P99< 50 ms–41simulatedquick⊘ invalid",
            "Lv3 P99< 0.1 ms0.085 ms0.085simulatedquick✓ met (stretch goal)");
    assertThat(Files.readString(out.resolve("report.md")))
        .contains(
            "| 7.2.1 | sim:mi50 (simulated, quick) | foreground P99 / standalone | \\< 1.30x |"
                + " 1.13x (GV100) | 1.623 | missed |");
  }

  @Test
  void thePageNeedsNothingBesideIt() throws Exception {
    report(SampleRecords.folder());
    Document page = page();
    assertThat(Files.readString(out.resolve("report.html")))
        .doesNotContain("http:", "https:", "url(", "@import", "src=")
        .contains("prefers-color-scheme: dark", "@media print");
    assertThat(Xml.all(page, "script")).isEmpty();
    assertThat(Xml.all(page, "link")).isEmpty();
    for (Element link : Xml.all(page, "a")) {
      String target = link.getAttribute("href");
      if (target.startsWith("#")) {
        assertThat(Files.readString(out.resolve("report.html")))
            .contains("id=\"" + target.substring(1) + "\"");
      } else {
        assertThat(out.resolve(target)).isRegularFile();
      }
    }
    assertThat(Xml.all(page, "th")).allMatch(th -> !th.getAttribute("scope").isEmpty());
  }

  @Test
  void everyChartIsAPictureThatMarkdownShows() throws Exception {
    report(SampleRecords.folder());
    String markdown = Files.readString(out.resolve("report.md"));
    try (var files = Files.list(out.resolve(Report.DATA))) {
      List<Path> pictures = files.filter(f -> f.toString().endsWith(".svg")).toList();
      assertThat(pictures).hasSizeGreaterThan(15);
      for (Path picture : pictures) {
        Xml.parse(Files.readString(picture));
        assertThat(markdown).contains("](report-data/" + picture.getFileName() + ")");
      }
    }
  }

  @Test
  void tellsHowEachCameAbout() throws Exception {
    report(SampleRecords.folder());
    assertThat(rows(page()))
        .contains(
            "Repeat it./xsched bench run 7.2.2 --device sim:gv100 --quick",
            "Driver and runtimejava: 25; driver: none",
            "foreground_p99_latency29.14 [28.6, 30.0] n=54052.5 [51.5, 54.1] n=540"
                + "47.3 [46.4, 48.7] n=540");
    assertThat(Xml.all(page(), "li").stream().map(Element::getTextContent))
        .contains(
            "Missed: the two switch every 5 ms, and each switch costs 0.18 ms on this model.");
  }

  @Test
  void whatARecordSaysStaysText() throws Exception {
    String hostile = "</td></svg></style><script>alert(1)</script> | `x` [a](javascript:b) \\u0000";
    Files.writeString(
        out.resolve("a.json"),
        """
        {"test_id": "7.2.1 X", "test_name": "X", "date": "X", "device": "X", "commit": "X",
         "command": "X", "simulated": false, "hardware": {"X": "X"}, "runtime": {"X": "X"},
         "configuration": {"X": "X"}, "results": {"X": "X", "X_native": 1}, "notes": ["X"],
         "criteria": [{"name": "X", "goal": "X", "paper": "X", "value": "X", "pass": true}],
         "series": [
           {"figure": "11a", "panel": "X", "name": "X", "kind": "bar", "source": "measured",
            "unit": "X", "x_label": "X", "y_label": "X", "points": [["X", 1]]},
           {"figure": "11b", "panel": "X", "name": "X", "kind": "line", "source": "measured",
            "unit": "X", "x_label": "X", "y_label": "X", "points": [[1, 1], [2, 2]]},
           {"figure": "F.1", "panel": "X", "name": "X", "kind": "bar", "source": "measured",
            "unit": "X", "x_label": "X", "y_label": "X", "points": [["X", 1]]}]}
        """
            .replace("X", hostile));
    var outcome = report(out);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("alert(1)").doesNotContain("\0");
    Document page = page();
    assertThat(Xml.all(page, "script")).isEmpty();
    assertThat(Xml.all(page, "figure")).hasSize(3);
    assertThat(Xml.all(page, "a"))
        .allMatch(a -> a.getAttribute("href").matches("#[a-zA-Z0-9.-]+|report-data/[a-z0-9.F-]+"));
    String code = "(?m)^- Repeat it: `` .* ``$"; // In there, nothing is markup.
    assertThat(Files.readString(out.resolve("report.md")).replaceFirst(code, ""))
        .contains("\\<script")
        .doesNotContain("\0")
        .doesNotContainPattern("(?<!\\\\)(<|`x|\\[a|\\| `)");
    for (String picture : List.of("figure-11a-1.svg", "figure-11b-1.svg")) {
      Document svg = Xml.parse(Files.readString(out.resolve(Report.DATA).resolve(picture)));
      assertThat(Xml.all(svg, "script")).isEmpty();
    }
  }

  @Test
  void otherFilesAreSkippedInOneLine() throws Exception {
    Files.writeString(out.resolve("good.json"), "{\"test_id\": \"x\", \"results\": {\"a\": 1}}");
    Files.writeString(out.resolve("notes.json"), "{}");
    Files.writeString(out.resolve("torn.json"), "{\"test_id\": \"7.2");
    var outcome = report(out);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err().lines())
        .containsExactly(
            "skipped, no records: notes.json (no test_id), torn.json (broken JSON in line 1)");
    assertThat(Files.readString(out.resolve("report.md"))).contains("- notes.json (no test\\_id)");
    assertThat(Files.readString(out.resolve("report.md"))).contains("no criteria.");
  }

  @Test
  void anEmptyFolderIsAnErrorThatSaysHowToFillIt() {
    assertThat(report(out).refusal())
        .contains("there are no records in", "xsched bench run all --device sim:gv100 --quick");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsAnErrorWithARemedy() throws Exception {
    Path file = Files.writeString(out.resolve("file"), "");
    var outcome =
        CommandLineHarness.run(
            "report", SampleRecords.folder().toString(), "--out", file.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.err()).contains("cannot write the report to", "give --out a folder");
  }
}
