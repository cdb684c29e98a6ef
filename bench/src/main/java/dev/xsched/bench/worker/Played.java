package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Requests;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What a worker says of a scene, checked: a worker that counts wrongly must not become a result.
 *
 * @param queues by name
 * @param processorNanos of the whole process while it was measured
 */
record Played(Map<String, Queue> queues, long processorNanos) {
  /**
   * One queue.
   *
   * @param wants when it had work for the device, since measuring began
   */
  record Queue(Requests requests, long offered, Intervals wants) {}

  /**
   * Reads an answer.
   *
   * @param names of the queues that played
   * @throws IllegalArgumentException in a few words, if it is none
   */
  static Played of(JsonNode answer, List<String> names, long measuredNanos) {
    Map<String, Queue> queues = new TreeMap<>();
    for (String name : names) {
      queues.put(name, queue(answer.path("queues").path(name), measuredNanos));
    }
    return new Played(queues, number(answer, "cpu_ns"));
  }

  Queue queue(String name) {
    Queue queue = queues.get(name);
    if (queue == null) {
      throw new IllegalArgumentException("no queue '%s' played".formatted(name));
    }
    return queue;
  }

  private static Queue queue(JsonNode json, long measuredNanos) {
    long[] arrived = numbers(json, "arrived");
    long[] done = numbers(json, "done");
    if (arrived.length != done.length) {
      throw new IllegalArgumentException("arrived and done differ in length");
    }
    // Only who waits for each kernel knows.
    long[] first = json.has("first") ? numbers(json, "first") : done;
    long[] longest = json.has("longest") ? numbers(json, "longest") : new long[done.length];
    if (first.length != done.length || longest.length != done.length) {
      throw new IllegalArgumentException("first and done differ in length, or longest does");
    }
    Requests requests = new Requests();
    long last = 0;
    for (int i = 0; i < done.length; i++) {
      if (done[i] < last || done[i] > measuredNanos) {
        throw new IllegalArgumentException(
            "requests end out of order, or outside of what was measured");
      }
      if (arrived[i] > first[i] || first[i] > done[i]) {
        throw new IllegalArgumentException("a request is done before it came");
      }
      last = done[i];
      requests.add(arrived[i], first[i], longest[i], done[i]);
    }
    Intervals wants = new Intervals(numbers(json, "wants"));
    if (!wants.within(0, measuredNanos)) {
      throw new IllegalArgumentException("wants are outside of what was measured");
    }
    return new Queue(requests, number(json, "offered"), wants);
  }

  private static long number(JsonNode json, String name) {
    if (!json.path(name).isIntegralNumber()) {
      throw new IllegalArgumentException("it has no " + name);
    }
    return json.path(name).asLong();
  }

  private static long[] numbers(JsonNode json, String name) {
    if (!json.path(name).isArray()) {
      throw new IllegalArgumentException("it has no " + name);
    }
    return json.path(name).valueStream().mapToLong(JsonNode::asLong).toArray();
  }
}
