package dev.xsched.queue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Waits in {@link HwQueue#sync} on a platform thread per queue with work in flight; idle queues
 * hold no thread. Platform threads, because a wait inside a driver would pin a virtual thread's
 * carrier.
 */
public final class ThreadSyncer implements Syncer, AutoCloseable {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("xsched-sync-", 0).factory());

  @Override
  public void follow(Following queue) {
    threads.execute(() -> run(queue));
  }

  private static void run(Following queue) {
    Command target = queue.advance(null, false);
    while (target != null) {
      target = step(queue, target);
    }
  }

  private static @Nullable Command step(Following queue, Command target) {
    boolean completed;
    try {
      completed = queue.hwQueue().sync(target);
    } catch (Throwable e) {
      // Whatever broke in a driver's code: those who wait for the command must hear of it.
      queue.failed(target, e);
      return queue.advance(null, false);
    }
    return queue.advance(target, completed);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
