package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much work a command of some length is, found out once for each length, by a plain worker that
 * is alone. If each worker found out for itself, one under the scheduler would take less work for
 * the same time, and what the scheduler costs would not show. The worker is kept: to start one for
 * each length takes seconds on a GPU.
 */
final class Calibration implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<String> command;
  private final Path folder;
  private final Map<Long, Long> rounds = new HashMap<>();
  private @Nullable WorkerProcess worker;

  /**
   * Makes one.
   *
   * @param command of a plain worker
   * @param folder for what it says on its standard error
   */
  Calibration(List<String> command, Path folder) {
    this.command = command;
    this.folder = folder;
  }

  /** The work of a command that takes that long, as the protocol counts it. */
  long rounds(Duration each) throws StageException, InterruptedException {
    Long known = rounds.get(each.toNanos());
    if (known != null) {
      return known;
    }
    try {
      long found = find(each);
      rounds.put(each.toNanos(), found);
      return found;
    } catch (StageException | InterruptedException e) {
      close(); // Its next answer could be the one that nobody waited for.
      throw e;
    }
  }

  private long find(Duration each) throws StageException, InterruptedException {
    if (worker == null) {
      Path errors = folder.resolve("calibration.err");
      worker = WorkerProcess.start("calibration", command, Map.of(), errors);
    }
    String load = "load queue=c workload=commands count=1 fresh=1 each_ns=" + each.toNanos();
    long found = worker.ask(load, LIMIT).path("rounds").asLong(0);
    if (found <= 0) {
      throw worker.failed("does not say how many rounds a command is");
    }
    return found;
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.close();
      worker = null;
    }
  }
}
