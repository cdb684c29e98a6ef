package dev.xsched.cli;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Ctrl-C ends the process only after what runs here has written and put away what it had to. */
final class Interruptible {
  private static final int SECONDS_TO_END = 10;

  private Interruptible() {}

  /**
   * Runs it. On Ctrl-C it is interrupted, and has some time to end.
   *
   * @param message in one line, what became of what was done so far
   */
  static <T> T run(Terminal terminal, Callable<T> body, String message) throws Exception {
    Thread self = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              self.interrupt();
              try {
                boolean _ = ended.await(SECONDS_TO_END, TimeUnit.SECONDS);
              } catch (InterruptedException _) {
                // Then the process ends at once.
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return body.call();
    } catch (InterruptedException _) {
      Failure failure = new Failure("interrupted; " + message);
      if (hook.isAlive()) {
        terminal.err().println(Errors.line(String.valueOf(failure.getMessage())));
        terminal.err().flush();
        ended.countDown();
        waitForTheEnd();
      }
      throw failure;
    } finally {
      ended.countDown();
      removeIfStillUp(hook);
    }
  }

  /** Whoever is told of a failure now might say it once more, or be cut off in the midst of it. */
  private static void waitForTheEnd() {
    while (true) {
      LockSupport.park();
    }
  }

  private static void removeIfStillUp(Thread hook) {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook is what waits for us.
    }
  }
}
