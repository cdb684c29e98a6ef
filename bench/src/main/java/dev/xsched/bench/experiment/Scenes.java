package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Collects the scenes of an experiment, which all take equally long. */
public final class Scenes {
  public static final String STANDALONE = "standalone";
  public static final String NATIVE = "native";
  static final String MPS = "mps";
  public static final String XSCHED = "xsched";

  private final Duration warmUp;
  private final Duration measured;
  private final List<Scene> scenes = new ArrayList<>();

  Scenes(Duration warmUp, Duration measured) {
    this.warmUp = warmUp;
    this.measured = measured;
  }

  /** Of these, those that the stage could play. */
  static List<String> played(Runs runs, String... labels) {
    return Stream.of(labels).filter(runs::has).toList();
  }

  /** Long enough for the requests of that period. */
  static Scenes paced(Extent extent, Duration period) {
    return new Scenes(extent.warmUp(period), extent.measured(period));
  }

  Scenes add(String label, Control control, Party... parties) {
    return add(label, control, List.of(parties));
  }

  Scenes add(String label, Control control, List<Party> parties) {
    scenes.add(new Scene(label, control, parties, warmUp, measured, 0));
    return this;
  }

  List<Scene> list() {
    return scenes;
  }
}
