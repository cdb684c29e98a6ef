package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Policies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteeringTest {
  private static final int READERS = 20;

  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch allHaveCome = new CountDownLatch(1);

  @Test
  void howeverManyLookTheDaemonsOwnWorkComesNext(@TempDir Path folder) throws Exception {
    int uid = ControlDirectory.ownUid();
    SavedHints none = SavedHints.read(folder.resolve("state.json"));
    Dispatcher dispatcher = new Dispatcher(Policies.named("HPF"), uid, Limits.NONE, none);
    StateView view = new StateView(dispatcher, Users.none(), "test", uid, folder.toString());
    Steering steering =
        new Steering(
            dispatcher,
            none,
            Limits.NONE,
            uid,
            () -> {
              awaitAll();
              looks.incrementAndGet();
              return view.state();
            },
            () -> {});
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(Thread.ofPlatform().daemon().start(steering::state));
    }
    awaitWaiting(readers);
    AtomicInteger looksBefore = new AtomicInteger();
    Thread daemon =
        Thread.ofPlatform().daemon().start(() -> looksBefore.set(dispatcher.change(looks::get)));
    awaitWaiting(List.of(daemon));
    allHaveCome.countDown();
    daemon.join();
    assertThat(looksBefore.get()).isBetween(1, READERS / 2);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(looks.get()).isEqualTo(READERS);
    dispatcher.close();
  }

  private void awaitAll() {
    try {
      allHaveCome.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitWaiting(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
  }
}
