package dev.xsched.sim;

/** How a device orders the commands that it was given. None of these knows any priority. */
public sealed interface NativeScheduler {
  /** First come, first served, over the commands of all programs. */
  record Fifo() implements NativeScheduler {}

  /**
   * Programs take turns. One that has no work gives its turn away at once.
   *
   * @param sliceNanos a turn, if others wait
   * @param switchNanos what the device loses when another program's turn begins
   * @param midCommand whether a turn ends within a command, else with the command that overruns it
   */
  record RoundRobin(long sliceNanos, long switchNanos, boolean midCommand)
      implements NativeScheduler {}

  /**
   * All queues with work progress at once and equally.
   *
   * @param gain how much more the device gets done when at least two share it; 1 for nothing
   */
  record Sharing(double gain) implements NativeScheduler {}
}
