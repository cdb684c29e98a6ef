package dev.xsched.cli.daemon;

/**
 * Proves that a launch is seen: this process is to register as a program, launch on a virtual XPU,
 * and find by REST that the daemon counted it. A silent no-op is the worst failure there is.
 */
final class LaunchCheck {
  private LaunchCheck() {}

  static Finding check(DaemonClient client) {
    // Here goes: DaemonScheduler.connect(), newQueue(virtual XPU, "doctor"), one command, and then
    // client.state() must show the queue of this pid with launched and completed at 1.
    return Finding.warning(
        "launch",
        "not tried against " + client.address(),
        "it comes with the Java client; xsched list shows what was counted for each queue");
  }
}
