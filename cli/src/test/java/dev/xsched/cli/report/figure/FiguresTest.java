package dev.xsched.cli.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Legend;
import dev.xsched.cli.report.SampleRecords;
import dev.xsched.cli.report.Xml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

class FiguresTest {
  private static Figure figure(String id) throws Exception {
    return Figures.of(SampleRecords.all()).stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Document svg(Chart chart) throws Exception {
    return Xml.parse(chart.markup().render());
  }

  @Test
  void figuresComeInTheOrderOfThePaper() throws Exception {
    assertThat(Figures.of(SampleRecords.all()))
        .extracting(Figure::id)
        .containsExactly(
            "9-top",
            "9-bottom",
            "10",
            "11a",
            "11b",
            "11c",
            "12a",
            "12b",
            "13-left",
            "13-right",
            "14",
            "15a",
            "15b",
            "F.1",
            "F.2",
            "F.4");
  }

  /** Own series, the paper's beside them, and goals. */
  @ParameterizedTest(name = "figure {0}")
  @CsvSource({
    "9-bottom, 2, 2, 2",
    "10, 3, 0, 0",
    "11a, 1, 1, 0",
    "11b, 3, 3, 0",
    "11c, 4, 0, 1",
    "13-left, 5, 4, 2",
    "13-right, 1, 1, 1",
    "14, 3, 2, 1",
    "15a, 1, 1, 1",
    "15b, 2, 3, 1",
  })
  void ownResultPaperAndGoalAreInOneChart(String id, int own, int paper, int goals)
      throws Exception {
    Chart chart = figure(id).charts().getFirst();
    Document svg = svg(chart);
    assertThat(Xml.all(svg, "g", "series")).hasSize(own + paper + goals);
    assertThat(chart.keys().stream().filter(k -> k.look().origin().word().equals("simulated")))
        .hasSize(own);
    assertThat(chart.keys().stream().filter(k -> k.look().origin().word().equals("paper")))
        .hasSize(paper);
    assertThat(chart.keys().stream().filter(k -> k.look().origin().word().equals("goal")))
        .hasSize(goals);
    assertThat(Xml.texts(svg)).contains("simulated", "quick");
    assertThat(Xml.all(svg, "desc")).isNotEmpty();
  }

  @Test
  void everyDeviceHasItsPanelAndOnlySimulatedOnesSaySo() throws Exception {
    List<Chart> charts = figure("9-top").charts();
    assertThat(charts)
        .extracting(chart -> chart.heading().title())
        .containsExactly("cuda", "sim:gv100", "sim:mi50", "P99 against standalone, all devices");
    assertThat(Xml.texts(svg(charts.getFirst()))).doesNotContain("simulated");
    assertThat(Xml.texts(svg(charts.get(1))))
        .contains("simulated", "P99: standalone 6.47, native 13.8, xsched 7.05 ms");
    assertThat(charts.getLast().heading().labels())
        .containsExactly("partly simulated", "partly quick");
  }

  @Test
  void wherePaperAndItsDataDisagreeBothAreShown() throws Exception {
    Document ratios = svg(figure("9-top").charts().getLast());
    assertThat(Xml.texts(ratios)).contains("mi50", "1.67", "1.3", "1.62");
    assertThat(figure("9-top").remarks()).anyMatch(r -> r.contains("1.67x") && r.contains("1.30x"));
  }

  @Test
  void thePapersNumbersAreConvertedToTheUnitOfTheRecord() throws Exception {
    assertThat(figure("11a").csv())
        .contains("11a,,sim:gv100,simulated quick,P50 (GV100),paper,bar,ms,Lv1,4.7055");
    assertThat(figure("13-left").csv())
        .contains("xsched (GV100),paper,bar,of standalone,production,0.96");
    assertThat(figure("15b").csv()).contains("paella,paper,line,ms,1005.0,201.768");
  }

  @Test
  void theNumbersOfAFigureAreAllInItsFile() throws Exception {
    List<String> lines = figure("9-bottom").csv().lines().toList();
    assertThat(lines.getFirst())
        .isEqualTo("figure,panel,device,labels,series,source,kind,unit,x,y,record,commit");
    assertThat(lines)
        .hasSize(1 + 4 + 4 + 2)
        .contains(
            "9-bottom,,sim:gv100,simulated quick,xsched,simulated,bar,of standalone,foreground,"
                + "0.719,7.2.2-sim-gv100.json,testdata01");
    assertThat(figure("13-right").csv()).contains("\"xsched, synchronous launch\"");
  }

  @Test
  void loneBarsOfDevicesShareAChartButMeasuredAndSimulatedDoNot() throws Exception {
    List<Chart> charts = figure("12a").charts();
    assertThat(charts)
        .extracting(chart -> chart.heading().title())
        .containsExactly("opencl", "sim:gv100, sim:mi308x");
    assertThat(Xml.texts(svg(charts.getLast()))).contains("GV100", "MI50", "0.7", "1.7", "1.6");
  }

  @Test
  void mixedUnitsAreATable() throws Exception {
    assertThat(figure("F.1").charts()).isEmpty();
    assertThat(figure("F.1").tables().getFirst().table().rows())
        .contains(List.of("P99", "6.42", "18.5", "6.5"));
    assertThat(figure("F.1").tables().getFirst().title()).contains("simulated");
  }

  @Test
  void aRunThatProvesNothingSaysSoInItsFigure() throws Exception {
    assertThat(Xml.texts(svg(figure("F.4").charts().getFirst()))).contains("invalid");
    assertThat(figure("F.4").tables().getFirst().title()).contains("invalid");
  }

  @Test
  void sampleCountsAreBelowTheFigure() throws Exception {
    assertThat(figure("9-top").remarks()).anyMatch(r -> r.contains("Samples: cuda 540;"));
  }

  @Test
  void ofSeveralRecordsTheFullOneIsDrawn() throws Exception {
    RunRecord quick =
        SampleRecords.all().stream()
            .filter(r -> r.testId().equals("7.2.2"))
            .findFirst()
            .orElseThrow();
    RunRecord full = Copies.of(quick, "full.json", "2020-01-01T00:00:00Z", false);
    Figure figure = Figures.of(List.of(quick, full)).getFirst();
    assertThat(figure.charts()).hasSize(1);
    assertThat(figure.csv()).contains("full.json").doesNotContain("7.2.2-sim-gv100.json");
    assertThat(figure.remarks()).anyMatch(r -> r.startsWith("Of several records"));
  }

  @Test
  void namesThatRepeatTheSourceSayItOnce() throws Exception {
    RunRecord record =
        SampleRecords.all().stream()
            .filter(r -> r.testId().equals("7.3.1"))
            .findFirst()
            .orElseThrow();
    Curve own = record.series().getFirst().named("measured");
    Curve paper =
        new Curve(
            "11a", "", "paper gv100", own.kind(), Curve.Source.PAPER, "ms", "", "", own.points());
    Curve alone =
        new Curve(
            "11a", "P99", "Lv1, paper", own.kind(), Curve.Source.PAPER, "ms", "", "", own.points());
    List<Chart> charts =
        Figures.of(List.of(Copies.of(record, List.of(own, paper, alone)))).getFirst().charts();
    assertThat(Legend.of(charts).markup().render())
        .contains("</svg>simulated</li>", "</svg>paper (GV100)</li>", "</svg>Lv1, paper</li>");
    assertThat(charts.getLast().heading().title()).isEqualTo("the paper alone: P99");
    assertThat(charts.getLast().heading().labels()).as("nothing in it is simulated").isEmpty();
  }
}
