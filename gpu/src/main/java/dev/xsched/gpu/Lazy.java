package dev.xsched.gpu;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first wanted. If that fails, the next who wants it tries. */
public final class Lazy<T> {
  private final Supplier<T> maker;
  private final ReentrantLock making = new ReentrantLock();
  private @Nullable T made; // guarded by making

  public Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns it; others who want it meanwhile wait. */
  public T get() {
    making.lock();
    try {
      T known = made;
      if (known == null) {
        known = maker.get();
        made = known;
      }
      return known;
    } finally {
      making.unlock();
    }
  }
}
