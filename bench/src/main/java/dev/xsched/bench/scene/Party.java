package dev.xsched.bench.scene;

import dev.xsched.policy.Hint;
import java.util.EnumMap;
import java.util.Map;

/**
 * One queue's worth of work in a scene.
 *
 * @param name such as "foreground"; the outcome speaks of it by this
 * @param process parties of the same process are queues inside one program
 * @param hints what the scheduler is told of it; without a scheduler they have no effect
 */
public record Party(
    String name,
    String process,
    Workload workload,
    Pattern pattern,
    Map<Hint, Long> hints,
    Place place) {
  /** Where it runs. */
  public enum Place {
    DEVICE,
    /** On a second device that shares the memory of the first. */
    NEIGHBOUR
  }

  public Party {
    hints = Map.copyOf(hints);
  }

  /** Returns a program of its own, without hints. */
  public static Party of(String name, Workload workload, Pattern pattern) {
    return new Party(name, name, workload, pattern, Map.of(), Place.DEVICE);
  }

  /** Returns this party with one more hint. */
  public Party with(Hint hint, long value) {
    Map<Hint, Long> more = new EnumMap<>(Hint.class);
    more.putAll(hints);
    more.put(hint, value);
    return new Party(name, process, workload, pattern, more, place);
  }

  /** Returns this party as a queue of that program. */
  public Party in(String program) {
    return new Party(name, program, workload, pattern, hints, place);
  }

  /** Returns this party on the second device. */
  public Party onNeighbour() {
    return new Party(name, process, workload, pattern, hints, Place.NEIGHBOUR);
  }
}
