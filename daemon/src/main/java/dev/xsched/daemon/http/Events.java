package dev.xsched.daemon.http;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.Run;
import dev.xsched.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Server-sent events: the state at once, then whenever it has changed; new runs and new changes of
 * the mechanism.
 *
 * <p>Every listener has a thread of its own that asks for what is new, writes it and sleeps. So a
 * slow reader delays only itself, and finds the newest state when it is back: nothing is queued for
 * it. One that has not read for a while loses its place when somebody else wants it.
 */
final class Events {
  static final int MOST_LISTENERS = 32;

  /** Five times a second is as fast as eyes can follow numbers. */
  private static final Duration SHORTEST = Duration.ofMillis(200);

  /** Tells readers that we live, and us that they do: a write to one that is gone fails. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private static final Duration STUCK = Duration.ofSeconds(10);

  private final DaemonControl control;
  private final LongSupplier nanoTime;
  private final LiveState live;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Events(DaemonControl control, LongSupplier nanoTime) {
    this.control = control;
    this.nanoTime = nanoTime;
    // A little less than the sleep, so that the first to wake takes a new state for all.
    this.live = new LiveState(control, nanoTime, SHORTEST.toNanos() * 3 / 4);
  }

  Reply open() {
    if (listeners.size() >= MOST_LISTENERS) {
      listeners.forEach(Listener::interruptIfStuck);
      throw new Refused(
          503,
          "%d listeners are there already, which is the most; close a page and try again"
              .formatted(MOST_LISTENERS));
    }
    return new Reply.Stream("text/event-stream", out -> new Listener(out).listen());
  }

  int listeners() {
    return listeners.size();
  }

  /** Ends every stream. */
  void close() {
    closed = true;
    listeners.forEach(listener -> listener.thread.interrupt());
  }

  /** One reader; used by its own thread but for the interrupts. */
  private final class Listener {
    private static final long NOT_WRITING = Long.MAX_VALUE;

    private final OutputStream out;
    private final Thread thread = Thread.currentThread();
    private final NewRuns runs = new NewRuns(control);
    private volatile long writingSince = NOT_WRITING;

    Listener(OutputStream out) {
      this.out = out;
    }

    void listen() throws IOException, InterruptedException {
      listeners.add(this);
      try {
        long version = 0;
        long sentNanos = 0;
        long lastChange = 0;
        while (!closed) {
          LiveState.Snapshot snapshot = live.latest();
          long now = nanoTime.getAsLong();
          if (version != snapshot.version() || now - sentNanos >= LONGEST.toNanos()) {
            send("state", snapshot.json());
            version = snapshot.version();
            sentNanos = now;
          }
          List<Run> news = runs.next();
          if (!news.isEmpty()) {
            send("runs", Json.compact(news));
          }
          List<MechanismChange> changes = control.changesAfter(lastChange);
          if (!changes.isEmpty()) {
            lastChange = changes.getLast().number();
            send("changes", Json.compact(changes));
          }
          Thread.sleep(SHORTEST);
        }
      } finally {
        listeners.remove(this);
      }
    }

    private void send(String event, String json) throws IOException {
      String text = "event: " + event + "\ndata: " + json + "\n\n";
      writingSince = nanoTime.getAsLong();
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
      writingSince = NOT_WRITING;
    }

    /** The interrupt closes the connection on which the thread is blocked. */
    void interruptIfStuck() {
      long since = writingSince;
      if (since != NOT_WRITING && nanoTime.getAsLong() - since > STUCK.toNanos()) {
        thread.interrupt();
      }
    }
  }
}
