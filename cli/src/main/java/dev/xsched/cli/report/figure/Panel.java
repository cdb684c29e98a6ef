package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.Curve.Source;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.cli.report.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one record has for one part of a figure, with the paper and the goals beside it.
 *
 * @param curves all distributions and lines, or all bars
 */
record Panel(RunRecord record, String name, String title, List<Curve> curves) {
  /** Such as "native, paper gv100": the source is told elsewhere, the device in brackets. */
  private static final Pattern PAPER_NAME = Pattern.compile("(.*?),? ?\\bpaper\\b,? ?(.*)");

  static Panel of(RunRecord record, String figure, String name, List<Curve> given) {
    List<Curve> own = given.stream().map(Panel::renamed).toList();
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
    String who = measured.isEmpty() ? "the paper alone" : record.device();
    String title = name.isEmpty() ? who : who + ": " + name;
    return new Panel(record, name, title, all);
  }

  private static Curve renamed(Curve curve) {
    Matcher matcher = PAPER_NAME.matcher(curve.name());
    if (curve.source() == Source.MEASURED && curve.name().equals("measured")) {
      return curve.named("");
    }
    if (curve.source() != Source.PAPER || !matcher.matches()) {
      return curve;
    }
    String detail = matcher.group(2);
    boolean device = !detail.isEmpty() && !detail.contains(" ");
    String whose = device ? detail.toUpperCase(Locale.ROOT) : detail;
    return curve.named(
        whose.isEmpty() ? matcher.group(1) : (matcher.group(1) + " (" + whose + ")").strip());
  }

  /** Whether anything of ours is in it. */
  boolean own() {
    return curves.stream().anyMatch(curve -> curve.source() == Source.MEASURED);
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
    if (!own()) {
      return List.of();
    }
    List<String> labels = new ArrayList<>(record.labels());
    switch (record.state()) {
      case PARTIAL -> labels.add("partial");
      case INVALID -> labels.add("invalid");
      case COMPLETE -> {}
    }
    return labels;
  }
}
