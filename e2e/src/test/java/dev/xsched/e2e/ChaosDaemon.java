package dev.xsched.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A daemon that gets killed, stopped and ordered about. Only policies under which nobody starves by
 * right: so whoever waits for long, waits for a fault of ours.
 */
final class ChaosDaemon {
  private static final List<String> POLICIES = List.of("UP", "PUP", "CFS", "HPF");

  private final Machine machine;
  private final Random random;
  private final List<String> names;
  private final Story story;
  private volatile DaemonProcess process;
  private int kills;
  private int stops;
  private int changes;

  /**
   * @param names of programs that get hints
   */
  ChaosDaemon(Machine machine, Random random, List<String> names, Story story) throws Exception {
    this.machine = machine;
    this.random = random;
    this.names = names;
    this.story = story;
    this.process = machine.startDaemon("--policy", POLICIES.getFirst());
  }

  DaemonProcess process() {
    return process;
  }

  /** Does one thing to it. */
  void suffer(boolean mayDie) throws Exception {
    if (!process.alive()) {
      throw new IllegalStateException("the daemon ended by itself");
    }
    int what = random.nextInt(10);
    if (what < 2 && mayDie) {
      process.kill();
      story.tell("daemon killed");
      Thread.sleep(random.nextInt(2_000));
      process = machine.startDaemon();
      story.tell("daemon back");
      kills++;
    } else if (what < 4) {
      signal("STOP");
      story.tell("daemon stopped");
      Thread.sleep(random.nextInt(2_000));
      signal("CONT");
      story.tell("daemon goes on");
      stops++;
      // Two stops in a row that are too short for the heartbeat to be lost would add up.
      Thread.sleep(1_000);
    } else if (what < 7) {
      String policy = POLICIES.get(random.nextInt(POLICIES.size()));
      process.setPolicy(policy);
      story.tell("policy " + policy);
      changes++;
    } else {
      hint();
      changes++;
    }
  }

  private void hint() throws Exception {
    String name = names.get(random.nextInt(names.size()));
    String body =
        switch (random.nextInt(4)) {
          // All have the same priority.
          case 0 -> body(name, "priority", 0);
          case 1 -> body(name, "deadline", 1 + random.nextInt(100_000));
          // With a smaller part of a device that twenty share, a second's wait is its due.
          case 2 -> body(name, "utilization", 50 + random.nextInt(51));
          default -> body("system", "timeslice", 500 + random.nextInt(5_000));
        };
    story.tell("hint " + body);
    int status = process.send("PATCH", "/api/v1/hints", body, process.token()).statusCode();
    // After a restart it may not know the program yet.
    if (status != 200 && status != 400) {
      throw new IllegalStateException("a hint was answered with " + status);
    }
  }

  private static String body(String target, String hint, long value) {
    return "{\"target\":\"%s\",\"hints\":{\"%s\":%d}}".formatted(target, hint, value);
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  int descriptors() throws Exception {
    try (var all = Files.list(proc("fd"))) {
      return (int) all.count();
    }
  }

  /** How many blocks of programs it has mapped. */
  long blocks() throws Exception {
    return Files.readAllLines(proc("maps")).stream()
        .filter(l -> l.contains("xsched-block"))
        .count();
  }

  long residentKilobytes() throws Exception {
    return Files.readAllLines(proc("status")).stream()
        .filter(l -> l.startsWith("VmRSS:"))
        .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")))
        .sum();
  }

  private Path proc(String file) {
    return Path.of("/proc", String.valueOf(process.pid()), file);
  }

  @Override
  public String toString() {
    return "%d kills, %d stops and %d changes of the daemon".formatted(kills, stops, changes);
  }
}
