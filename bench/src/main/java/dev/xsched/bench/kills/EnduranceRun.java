package dev.xsched.bench.kills;

import dev.xsched.bench.scene.GrowthOutcome;
import dev.xsched.bench.scene.GrowthOutcome.Size;
import dev.xsched.bench.scene.KillOutcome;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One trio that nobody kills, and how much it takes of the system. */
public final class EnduranceRun {
  private static final int KERNEL_MILLIS = 30;
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /**
   * With little room for young objects, garbage goes several times a minute; and the better of the
   * compilers, which takes 8 MB at once when it comes to something, is left out. What grows then is
   * what the daemon keeps.
   */
  private static final String STEADY = "-Xmn2m -XX:TieredStopAtLevel=1";

  private final Surroundings surroundings;

  public EnduranceRun(Surroundings surroundings) {
    this.surroundings = surroundings.with("JAVA_TOOL_OPTIONS", STEADY);
  }

  /** Looks once a second, for that long. */
  public GrowthOutcome run(Duration length) throws StageException, InterruptedException {
    Tally tally = new Tally();
    try (Lateness lateness = Lateness.watch()) {
      int rounds = new Speed(surroundings).rounds(KERNEL_MILLIS);
      try (Trio trio = new Trio(surroundings.in("t"), KillRun.load(rounds))) {
        Watch watch = new Watch("endurance", trio, tally, lateness);
        for (String who : List.of(Trio.DAEMON, Trio.LOW, Trio.HIGH)) {
          watch.start(who);
        }
        Map<String, List<Size>> samples = sample(trio, watch, length);
        trio.programs().forEach(program -> watch.ended(program, System.nanoTime()));
        KillOutcome seen = tally.outcome(1, lateness.worstNanos() / 1e6, 1, List.of(), List.of());
        return new GrowthOutcome(
            samples,
            seen.resultsChecked(),
            seen.resultsWrong(),
            Stream.concat(seen.hangs().stream(), seen.faults().stream()).toList(),
            List.of());
      }
    } catch (IOException e) {
      throw new StageException("the programs cannot be run: " + e.getMessage(), e);
    }
  }

  private static Map<String, List<Size>> sample(Trio trio, Watch watch, Duration length)
      throws IOException, InterruptedException {
    Map<String, List<Size>> samples = new LinkedHashMap<>();
    for (long i = 0; i < length.dividedBy(PERIOD); i++) {
      watch.until(PERIOD, () -> false);
      if (trio.daemon().isPresent()) {
        add(samples, Trio.DAEMON, trio.daemon().get().pid());
      }
      add(samples, Trio.LOW, trio.program(Trio.LOW).pid());
      add(samples, Trio.HIGH, trio.program(Trio.HIGH).pid());
    }
    return samples;
  }

  private static void add(Map<String, List<Size>> samples, String name, long pid)
      throws IOException {
    samples.computeIfAbsent(name, _ -> new ArrayList<>()).add(ProcessSize.of(pid));
  }
}
