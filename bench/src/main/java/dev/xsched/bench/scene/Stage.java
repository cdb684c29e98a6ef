package dev.xsched.bench.scene;

import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of device that can play scenes. One scene at a time.
 *
 * <p>What a stage promises, so that results of different stages can be compared:
 *
 * <ul>
 *   <li>All parties have started and compiled what they need before the warm-up begins; then they
 *       run together until the end of the scene.
 *   <li>Latency counts from a request's arrival by its pattern, not from when it could begin.
 *   <li>What it reports of contention and of the device's busy time was measured.
 *   <li>Where parties do not do what they were told, or one ends early, it throws.
 * </ul>
 */
public interface Stage extends AutoCloseable {
  /** As users name it, such as {@code sim:gv100}, {@code opencl} or {@code cuda}. */
  String device();

  /** Whether times come from a model. */
  boolean simulated();

  /** What it runs on: the device above all. */
  Map<String, String> hardware();

  /** Versions of what lies below. */
  Map<String, String> runtime();

  /** The levels that its queues have. */
  Set<Level> levels();

  /** Returns in a few words why its queues do not have a level. */
  default String whyNot(Level level) {
    return "this device does not have it";
  }

  /** Returns what stands for a workload here and where its numbers come from, for the record. */
  String describe(Workload workload);

  /** Returns in one line why it cannot play such a scene, or nothing if it can. */
  Optional<String> cannotPlay(Scene scene);

  /** Returns in one line why an experiment makes no sense here, or nothing if it does. */
  Optional<String> cannotRun(String experimentId);

  /**
   * Gets ready for these scenes, before anything is measured: a stage that starts programs can
   * start them all at once here. After this it can {@link #describe} their workloads. Without
   * scenes it only sees whether the device is there.
   *
   * @throws StageException as {@link #play} does
   */
  default void prepare(List<Scene> scenes) throws StageException, InterruptedException {}

  /**
   * Ends programs of earlier experiments that none of these scenes needs: where also idle ones
   * matter. What an NVIDIA GPU can do for a program depends on everybody who is registered.
   */
  default void endOthers(List<Scene> scenes) throws StageException, InterruptedException {}

  /**
   * Plays a scene.
   *
   * @throws StageException if there is no outcome to be had: the device vanished, a worker crashed
   */
  Outcome play(Scene scene) throws StageException, InterruptedException;

  /**
   * Has a task launch commands of one length without end, suspends it at random moments, and
   * returns how long each time the device still worked for it, in nanoseconds.
   *
   * @param level which the device has
   * @param command asked-for time of one command
   */
  long[] suspend(Level level, Duration command, LaunchWindow window, int times, int repetition)
      throws StageException, InterruptedException;

  /**
   * Runs a program that knows nothing of the scheduler with it and without, and compares. Only
   * asked where {@link #cannotRun} has nothing against it.
   */
  default ProgramCheck check(ProgramCheck.Program program)
      throws StageException, InterruptedException {
    throw new StageException("%s has no such program; leave this one out".formatted(device()));
  }

  /**
   * Kills daemons and programs at random and looks after those that are left. Only asked where
   * {@link #cannotRun} has nothing against it, as {@link #endure} is.
   */
  default KillOutcome kill(KillPlan plan) throws StageException, InterruptedException {
    throw new StageException("%s has nobody to kill; leave this one out".formatted(device()));
  }

  /** Has programs compete for that long and looks whether they or their daemon grow. */
  default GrowthOutcome endure(Duration length) throws StageException, InterruptedException {
    throw new StageException("%s has no such program; leave this one out".formatted(device()));
  }

  /**
   * How many seconds a second on the device's clock takes, roughly: 1 where time is real. For the
   * time left, before anything was measured.
   */
  double slowness();

  @Override
  void close();
}
