package dev.xsched.cli.demo;

import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Requests;
import java.util.List;

/** One side of the demo in real time, performed on a thread of its own. */
interface Performer {
  /** The time in which what happens is counted. What lies before is the warm-up. */
  record Window(long fromNanos, long toNanos) {
    boolean contains(long nanos) {
      return nanos >= fromNanos && nanos < toNanos;
    }

    long nanos() {
      return toNanos - fromNanos;
    }
  }

  /** As the experiment calls it. */
  String name();

  /** Works from now on until the window ends. */
  void perform(Window window) throws InterruptedException;

  /** What it completed. */
  Requests requests();

  /** When it had work for the device. */
  Intervals wants();

  /** What a reader must know. */
  default List<String> notes() {
    return List.of();
  }
}
