package dev.xsched.sim;

import dev.xsched.queue.Command;
import dev.xsched.queue.Syncer;
import org.jspecify.annotations.Nullable;

/** Learns of completions in events of the loop: needs no thread, so it works on virtual time. */
final class LoopSyncer implements Syncer {
  private final EventLoop loop;

  LoopSyncer(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void follow(Following queue) {
    loop.at(loop.nowNanos(), () -> advance(queue, null, false));
  }

  private static void advance(Following queue, @Nullable Command synced, boolean completed) {
    Command target = queue.advance(synced, completed);
    if (target != null) {
      VirtualQueue hwQueue = (VirtualQueue) queue.hwQueue();
      hwQueue.watch(target, done -> advance(queue, target, done));
    }
  }
}
