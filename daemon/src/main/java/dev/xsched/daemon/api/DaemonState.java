package dev.xsched.daemon.api;

import dev.xsched.policy.GoalState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything there is to see of a daemon at one moment.
 *
 * @param nowNanos the moment, on the clock that all times here are of
 * @param owner the uid that the daemon runs as
 * @param directory where its socket and tokens are
 * @param policy the name of the policy
 * @param policyFailed whether the policy threw, so that every queue runs
 * @param systemHints by label, those that belong to no queue
 * @param statistics by {@link Statistic#label}
 * @param decisionNanos how long decisions took to come, from the change to its last order
 * @param preemptionNanos how long queues took to stop, from the order to the last command's end
 */
public record DaemonState(
    String version,
    int protocol,
    long pid,
    int owner,
    String directory,
    long nowNanos,
    long uptimeNanos,
    String policy,
    boolean policyFailed,
    Map<String, HintState> systemHints,
    List<DeviceState> devices,
    List<ProgramState> programs,
    Map<String, Long> statistics,
    Histogram decisionNanos,
    Histogram preemptionNanos) {

  /**
   * The value of a hint.
   *
   * @param value null where nothing is asked and there is no default
   * @param source who set it: default, application, environment, command-line, rest, web
   */
  public record HintState(@Nullable Long value, String source) {}

  /**
   * A device that some program uses.
   *
   * @param name the text by which all programs know it
   * @param ceiling the rank below which nothing is launched, null if there is none
   */
  public record DeviceState(int index, String name, @Nullable Integer ceiling) {}

  /**
   * A program that has registered.
   *
   * @param id the daemon's name for this registration
   * @param generation counts the registrations of the same process: exec comes with a new one
   * @param startTicks when the process started, in clock ticks after boot
   * @param user the name of its user, or the uid as text
   * @param stopped whether the process is stopped by a signal, so that it holds nobody back
   * @param usedNanos for how long its queues were ready and allowed to run, all together
   */
  public record ProgramState(
      long id,
      long pid,
      long startTicks,
      int generation,
      String name,
      int uid,
      String user,
      int nice,
      boolean stopped,
      long usedNanos,
      List<QueueState> queues) {}

  /**
   * A queue.
   *
   * @param id unique for the life of the daemon
   * @param slot its place in the program: {@code pid/slot} names it, too
   * @param state idle, running (ready and its gate open) or waiting (ready and its gate closed)
   * @param readyNanos how long it has been ready, 0 while idle
   * @param levels those that it has: 1, 2, 3
   * @param hints by label
   * @param sliceMicros how long the GPU stays with it when others have work; 0 as the driver has it
   * @param mechanism what keeps it apart from others on a GPU: gate, slices or interrupt (slices,
   *     with others off the GPU meanwhile); empty elsewhere
   * @param reason why that, or why it has no level 3; empty where there is no GPU
   * @param sliceOrders how often another slice was ordered for it
   * @param interrupts how often its work was taken off the GPU
   * @param interrupted who took its work off the GPU: none, here (the program) or by_daemon
   * @param earlyTurns how often its GPU turned to it before a request came
   * @param earlyTurnsInVain of these, how often none came
   * @param goal how it fares with its latency goal, null without one or under another policy
   */
  public record QueueState(
      long id,
      int slot,
      String name,
      int device,
      boolean buffered,
      String state,
      long readyNanos,
      boolean gateOpen,
      @Nullable Integer rank,
      List<Integer> levels,
      int level,
      long windowMicros,
      int windowCommands,
      int windowBatch,
      Map<String, HintState> hints,
      long submitted,
      long launched,
      long completed,
      long commandNanos,
      long busyNanos,
      long usedNanos,
      long gateWaits,
      long gateWaitNanos,
      long sliceMicros,
      String mechanism,
      String reason,
      long sliceOrders,
      long interrupts,
      String interrupted,
      long earlyTurns,
      long earlyTurnsInVain,
      @Nullable GoalState goal) {}

  /**
   * How often a time was how long.
   *
   * @param bounds upper bounds in nanoseconds; one bucket more follows the last
   * @param counts one more than bounds
   */
  public record Histogram(
      List<Long> bounds, List<Long> counts, long count, long sumNanos, long maxNanos) {}
}
