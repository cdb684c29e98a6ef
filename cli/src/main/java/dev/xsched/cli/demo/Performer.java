package dev.xsched.cli.demo;

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

  /** Works from now on until the window ends. */
  void perform(Window window) throws InterruptedException;
}
