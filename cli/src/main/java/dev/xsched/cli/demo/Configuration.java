package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.experiment.Scenes;
import java.util.Locale;

/** The runs of the demo. */
public enum Configuration {
  /** The foreground has the device to itself. */
  STANDALONE(Scenes.STANDALONE, "the foreground alone"),
  /** Both, and the device's own scheduler decides. */
  NATIVE(Scenes.NATIVE, "both, scheduled by the device alone"),
  /** Both, and XSched decides. */
  SCHEDULED(Scenes.XSCHED, "both, scheduled by XSched"),
  /** The background has the device to itself: what it could have. */
  BACKGROUND(FixedPriority.BACKGROUND_ALONE, "the background alone");

  private final String scene;
  private final String meaning;

  Configuration(String scene, String meaning) {
    this.scene = scene;
    this.meaning = meaning;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As the experiment calls it. */
  String scene() {
    return scene;
  }

  public String meaning() {
    return meaning;
  }
}
