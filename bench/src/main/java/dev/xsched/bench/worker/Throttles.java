package dev.xsched.bench.worker;

import dev.xsched.bench.baseline.RateController;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Bounds what workers may have of the device while a scene is played: quota and rate control. */
final class Throttles implements AutoCloseable {
  /** What a reader of the record must know. */
  static final String NOTE =
      "quota and rate control take the time from a request's begin to its end for device time, and"
          + " rate control sees the pace as requests that ended in the last second";

  private final Map<String, ThrottleFile> files = new LinkedHashMap<>();
  private @Nullable Thread adjusting;

  /** Makes what a scene needs; nothing if its control bounds nobody this way. */
  static Throttles of(Scene scene, Path folder) throws StageException {
    Throttles throttles = new Throttles();
    try {
      for (Party party : scene.parties()) {
        switch (scene.control()) {
          case Control.Quota quota ->
              throttles
                  .add(party, folder)
                  .setPercent(quota.percent().getOrDefault(party.process(), 100));
          case Control.RateControl rate -> {
            ThrottleFile file = throttles.add(party, folder);
            if (party.name().equals(rate.throttled())) {
              file.setPercent(RateController.LEAST_PERCENT);
            }
          }
          default -> {}
        }
      }
      return throttles;
    } catch (IOException e) {
      throttles.close();
      throw new StageException(
          "no throttle can be made in %s: %s; make room there".formatted(folder, e.getMessage()),
          e);
    }
  }

  private ThrottleFile add(Party party, Path folder) throws IOException {
    ThrottleFile file = new ThrottleFile(folder.resolve("throttle-" + PlayLine.queue(party)));
    files.put(party.name(), file);
    return file;
  }

  /** By the name of the party. */
  Map<String, Path> files() {
    Map<String, Path> paths = new LinkedHashMap<>();
    files.forEach((party, file) -> paths.put(party, file.file()));
    return paths;
  }

  /** Adjusts from then on, where the control does. */
  void begin(Control control, long startNanos) {
    if (control instanceof Control.RateControl(var kept, var throttled, var adjust)) {
      ThrottleFile from = files.get(kept);
      ThrottleFile to = files.get(throttled);
      if (from != null && to != null) {
        adjusting =
            Thread.ofPlatform()
                .daemon()
                .name("rate control")
                .start(() -> adjust(from, to, adjust, startNanos));
      }
    }
  }

  private static void adjust(
      ThrottleFile kept, ThrottleFile throttled, Duration every, long startNanos) {
    Pacer pacer = new Pacer(every);
    for (long next = startNanos; !Thread.currentThread().isInterrupted(); next += every.toNanos()) {
      for (long left = next - System.nanoTime();
          left > 0 && !Thread.currentThread().isInterrupted();
          left = next - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      throttled.setPercent(pacer.adjust(kept.done()));
    }
  }

  /** Turns counts of what the kept side has done into the share of the other one. */
  static final class Pacer {
    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final RateController controller = new RateController();
    private final int ticks;
    private final Deque<Long> counts = new ArrayDeque<>();

    Pacer(Duration every) {
      this.ticks = Math.toIntExact(Math.max(1, WINDOW.dividedBy(every)));
    }

    /** Takes in how many requests were done so far, and returns a percentage. */
    double adjust(long done) {
      counts.addLast(done);
      double pace = Double.NaN;
      if (counts.size() > ticks) {
        pace = done - counts.removeFirst();
      }
      return controller.adjust(pace);
    }
  }

  @Override
  public void close() {
    try {
      if (adjusting != null) {
        adjusting.interrupt();
        adjusting.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return; // It still writes to the memory.
    }
    for (ThrottleFile file : files.values()) {
      try {
        file.close();
      } catch (IOException _) {
        // It goes with the folder.
      }
    }
  }
}
