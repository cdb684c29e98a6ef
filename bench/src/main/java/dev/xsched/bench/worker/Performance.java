package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Outcome.PartyOutcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** One scene, played by workers that have loaded all they need: all begin at the same moment. */
final class Performance {
  /** What else is measured meanwhile. */
  interface Meters {
    /** Processor time that the scheduler has used so far; empty where there is none. */
    OptionalDouble schedulerSeconds() throws StageException;

    /** Processor time that this machine was to have and did not get so far. */
    double stolenSeconds();

    /** What the device did in that time, as far as it is known. */
    DeviceLoad device(long fromNanos, long toNanos);
  }

  /** Time for the order to reach everybody before they begin. */
  private static final Duration HEAD_START = Duration.ofMillis(150);

  /** So much longer than its scene a worker may take: it ends what it has begun. */
  private static final Duration GRACE = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofMillis(100);

  /** Of the time, that a processor was taken away: it can be all at the expense of one program. */
  private static final double NOTABLE = 0.02;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final Scene scene;
  private final Map<List<Party>, WorkerProcess> workers;

  /**
   * Makes one.
   *
   * @param workers by the parties that each plays
   */
  Performance(Scene scene, Map<List<Party>, WorkerProcess> workers) {
    this.scene = scene;
    this.workers = workers;
  }

  Outcome play(Throttles throttles, Meters meters) throws StageException, InterruptedException {
    long start = System.nanoTime() + HEAD_START.toNanos();
    long from = start + scene.warmUp().toNanos();
    long to = start + scene.length().toNanos();
    for (var entry : workers.entrySet()) {
      entry.getValue().send(PlayLine.play(scene, entry.getKey(), start, throttles.files()));
    }
    throttles.begin(scene.control(), start);
    waitUntil(from);
    OptionalDouble before = meters.schedulerSeconds();
    double stolenBefore = meters.stolenSeconds();
    waitUntil(to);
    double stolen = meters.stolenSeconds() - stolenBefore;
    OptionalDouble after = meters.schedulerSeconds();
    OptionalDouble scheduler =
        before.isPresent() && after.isPresent()
            ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
            : OptionalDouble.empty();
    Outcome outcome =
        outcome(scene, answers(), meters.device(from, to), scheduler)
            .disturbed(stolen / (PROCESSORS * scene.measured().toNanos() / 1e9));
    return stolen < NOTABLE * outcome.seconds()
        ? outcome
        : outcome.noting(
            "in scene '%s' the host took %.0f ms of %.0f ms from a processor of this machine"
                .formatted(scene.label(), 1e3 * stolen, 1e3 * outcome.seconds()));
  }

  private void waitUntil(long nanos) throws StageException, InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      for (WorkerProcess worker : workers.values()) {
        if (!worker.alive()) {
          throw worker.ended();
        }
      }
      Thread.sleep(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
    }
  }

  private Map<List<Party>, Played> answers() throws StageException, InterruptedException {
    Map<List<Party>, Played> answers = new LinkedHashMap<>();
    for (var entry : workers.entrySet()) {
      WorkerProcess worker = entry.getValue();
      JsonNode answer = worker.answer(GRACE);
      List<String> queues = entry.getKey().stream().map(PlayLine::queue).toList();
      try {
        answers.put(entry.getKey(), Played.of(answer, queues, scene.measured().toNanos()));
      } catch (IllegalArgumentException e) {
        throw worker.failed("does not keep to the protocol: " + e.getMessage());
      }
    }
    return answers;
  }

  static Outcome outcome(
      Scene scene,
      Map<List<Party>, Played> answers,
      DeviceLoad device,
      OptionalDouble schedulerSeconds) {
    Map<String, PartyOutcome> outcomes = new HashMap<>();
    List<Intervals> wants = new ArrayList<>();
    double measured = scene.measured().toNanos();
    answers.forEach(
        (parties, played) -> {
          OptionalDouble processor =
              parties.size() == 1
                  ? OptionalDouble.of(played.processorNanos() / 1e9)
                  : OptionalDouble.empty();
          for (Party party : parties) {
            Played.Queue queue = played.queue(PlayLine.queue(party));
            wants.add(queue.wants());
            double wanting = queue.wants().length() / measured;
            outcomes.put(
                party.name(),
                new PartyOutcome(
                    party.name(), queue.requests(), queue.offered(), wanting, processor));
          }
        });
    boolean throttled =
        scene.control() instanceof Control.Quota || scene.control() instanceof Control.RateControl;
    return new Outcome(
        scene.parties().stream().map(p -> Objects.requireNonNull(outcomes.get(p.name()))).toList(),
        measured / 1e9,
        Intervals.ofTwo(wants) / measured,
        device,
        schedulerSeconds,
        throttled ? List.of(Throttles.NOTE) : List.of());
  }
}
