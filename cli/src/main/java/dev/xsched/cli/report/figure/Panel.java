package dev.xsched.cli.report.figure;

import dev.xsched.cli.report.Origin;
import dev.xsched.cli.report.record.Curve;
import dev.xsched.cli.report.record.Curve.Kind;
import dev.xsched.cli.report.record.Curve.Source;
import dev.xsched.cli.report.record.RunRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * What one record has for one part of a figure, with the paper and the goals beside it.
 *
 * @param curves all distributions and lines, or all bars
 */
record Panel(RunRecord record, String name, String title, List<Curve> curves) {
  static Panel of(RunRecord record, String figure, String name, List<Curve> own) {
    List<Curve> all = new ArrayList<>(own);
    List<Curve> measured = own.stream().filter(c -> c.source() == Source.MEASURED).toList();
    if (!measured.isEmpty() && own.stream().noneMatch(c -> c.source() == Source.PAPER)) {
      String model = record.device().startsWith("sim:") ? record.device().substring(4) : "";
      all.addAll(
          measured.getFirst().kind() == Kind.BAR
              ? PaperBars.beside(figure, model, measured)
              : PaperLines.beside(figure, model, measured));
    }
    if (!measured.isEmpty() && own.stream().noneMatch(c -> c.source() == Source.GOAL)) {
      all.addAll(Goals.beside(figure, measured));
    }
    String title = name.isEmpty() ? record.device() : record.device() + ": " + name;
    return new Panel(record, name, title, all);
  }

  boolean bars() {
    return curves.getFirst().kind() == Kind.BAR;
  }

  Origin origin(Curve curve) {
    return switch (curve.source()) {
      case PAPER -> Origin.PAPER;
      case GOAL -> Origin.GOAL;
      case MEASURED -> record.simulated() ? Origin.SIMULATED : Origin.MEASURED;
    };
  }

  /** What must stand in the picture: also that it proves nothing. */
  List<String> labels() {
    List<String> labels = new ArrayList<>(record.labels());
    switch (record.state()) {
      case PARTIAL -> labels.add("partial");
      case INVALID -> labels.add("invalid");
      case COMPLETE -> {}
    }
    return labels;
  }
}
