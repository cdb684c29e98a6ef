package dev.xsched.sim;

import dev.xsched.queue.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A device on virtual time that notes down when commands complete, as "name@time". */
final class Bench {
  final VirtualLoop loop = new VirtualLoop();
  final VirtualXpu device;
  final List<String> log = new ArrayList<>();

  Bench(DeviceModel model) {
    device = new VirtualXpu(model, loop, new SplittableRandom(1));
  }

  Command launch(VirtualQueue queue, long nanos) {
    Command command = device.command(nanos);
    queue.launch(command);
    return command;
  }

  void watch(VirtualQueue queue, String name, Command command) {
    queue.watch(command, done -> log.add((done ? "" : "left ") + name + "@" + loop.nowNanos()));
  }

  /** Launches one command and notes down when it has completed. */
  void launchAndWatch(VirtualQueue queue, String name, long nanos) {
    watch(queue, name, launch(queue, nanos));
  }

  void at(long nanos, Runnable event) {
    loop.at(nanos, event);
  }

  List<String> run() {
    loop.runUntil(1_000_000);
    return log;
  }
}
