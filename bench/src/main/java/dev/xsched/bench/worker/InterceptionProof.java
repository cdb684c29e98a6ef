package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the worker in C without the scheduler and under it, compares what it computes, and asks a
 * daemon of its own what it saw. Everything is ended and deleted afterwards.
 */
public final class InterceptionProof {
  private static final String NAME = "validate";
  private static final Workload WORKLOAD = Workload.Named.BLACK_SCHOLES;
  private static final Duration LOADING = Duration.ofMinutes(2);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int TRIES = 20;
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final List<String> worker;
  private final Path xsched;

  public InterceptionProof(Kind kind, Installation installation) {
    worker = Recipes.inC(kind, installation);
    xsched = installation.xsched();
  }

  /**
   * Runs both.
   *
   * @throws StageException if a program cannot be run, without the scheduler or under it
   */
  public Interception run() throws StageException, InterruptedException {
    Path folder;
    try {
      folder = Files.createTempDirectory("xsched-validate-");
    } catch (IOException e) {
      throw new StageException("no folder can be made: %s".formatted(e), e);
    }
    try (OwnDaemon daemon = new OwnDaemon(xsched, folder.resolve("daemon"))) {
      return run(folder, daemon);
    } finally {
      Folders.delete(folder);
    }
  }

  private Interception run(Path folder, OwnDaemon daemon)
      throws StageException, InterruptedException {
    String alone;
    try (WorkerProcess plain =
        WorkerProcess.start("without", worker, Map.of(), folder.resolve("without.err"))) {
      alone = output(plain);
    }
    daemon.start();
    List<String> command =
        new ArrayList<>(List.of(xsched.toString(), "run", "--name", NAME, "--priority", "1", "--"));
    command.addAll(worker);
    Map<String, String> environment = Map.of("XSCHED_DIR", folder.resolve("daemon").toString());
    try (WorkerProcess scheduled =
        WorkerProcess.start("with", command, environment, folder.resolve("with.err"))) {
      String under = output(scheduled);
      List<QueueState> queues = seen(daemon);
      return new Interception(
          WORKLOAD.label(),
          alone.equals(under),
          queues.stream().mapToLong(QueueState::launched).sum(),
          queues.stream().flatMap(q -> q.levels().stream()).distinct().sorted().toList(),
          queues.stream().map(QueueState::mechanism).findFirst().orElse(""));
    }
  }

  private static String output(WorkerProcess process) throws StageException, InterruptedException {
    process.ask("load queue=q %s fresh=1".formatted(PlayLine.workload(WORKLOAD)), LOADING);
    String hash = process.ask("output queue=q", LIMIT).path("hash").asString("");
    if (hash.isEmpty()) {
      throw process.failed("does not say what it computed");
    }
    return hash;
  }

  /** Counts come to the daemon a moment later. */
  private static List<QueueState> seen(OwnDaemon daemon)
      throws StageException, InterruptedException {
    List<QueueState> queues = List.of();
    for (int i = 0; i < TRIES && queues.stream().noneMatch(q -> q.launched() > 0); i++) {
      Thread.sleep(BETWEEN);
      queues =
          daemon.programs().stream()
              .filter(program -> program.name().equals(NAME))
              .map(ProgramState::queues)
              .flatMap(List::stream)
              .toList();
    }
    return queues;
  }
}
