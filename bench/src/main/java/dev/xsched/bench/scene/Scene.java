package dev.xsched.bench.scene;

import java.time.Duration;
import java.util.List;

/**
 * Who runs together, under whose control, and for how long.
 *
 * @param label for progress and records, such as "xsched"
 * @param warmUp left out of what is measured
 * @param measured how long it is measured, after the warm-up
 * @param repetition from 0; a stage that draws random numbers draws others for another one
 */
public record Scene(
    String label,
    Control control,
    List<Party> parties,
    Duration warmUp,
    Duration measured,
    int repetition) {
  public Scene {
    parties = List.copyOf(parties);
  }

  /** Returns the same for another repetition. */
  public Scene repeated(int number) {
    return new Scene(label, control, parties, warmUp, measured, number);
  }

  /** How long it takes on the device's clock. */
  public Duration length() {
    return warmUp.plus(measured);
  }
}
