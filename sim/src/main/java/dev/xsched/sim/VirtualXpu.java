package dev.xsched.sim;

import dev.xsched.queue.Device;
import dev.xsched.queue.Syncer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** A device that exists only as a {@link DeviceModel}, on virtual or on real time. */
public final class VirtualXpu implements Device {
  private static final long SEED = 1;

  private final DeviceModel model;
  private final EventLoop loop;
  private final Engine engine;
  private final Syncer syncer;
  private final Runnable onClose;
  private final UUID id = UUID.randomUUID();

  /** Makes a device on a loop that the caller owns. */
  public VirtualXpu(DeviceModel model, EventLoop loop, RandomGenerator random) {
    this(model, loop, random, () -> {});
  }

  private VirtualXpu(DeviceModel model, EventLoop loop, RandomGenerator random, Runnable onClose) {
    this.model = model;
    this.loop = loop;
    this.engine = Engine.of(loop, model, random);
    this.syncer = new LoopSyncer(loop);
    this.onClose = onClose;
  }

  /** Makes a device that really takes the time its model says. */
  public static VirtualXpu realTime(DeviceModel model) {
    RealLoop loop = new RealLoop("xsched-sim-" + model.name());
    return new VirtualXpu(model, loop, new SplittableRandom(SEED), loop::close);
  }

  public DeviceModel model() {
    return model;
  }

  @Override
  public String name() {
    return "virtual XPU " + model.name();
  }

  /** Each is a device of its own, which no other program has. */
  @Override
  public String key() {
    return "sim:%s/%s".formatted(model.name(), id);
  }

  @Override
  public boolean simulated() {
    return true;
  }

  /** Makes a queue as if by a program of its own: that is what the models were measured with. */
  @Override
  public VirtualQueue newHwQueue() {
    return newHwQueue(newContext());
  }

  public VirtualQueue newHwQueue(DeviceContext context) {
    return new VirtualQueue(model, loop, engine, context);
  }

  /** Stands for one more program that uses the device. */
  public DeviceContext newContext() {
    return new DeviceContext();
  }

  /**
   * Has a command that begins while the other device works take longer, because both use one
   * memory. Commands that are long against the other's pauses should be cut into pieces.
   */
  public void slowedBy(VirtualXpu other, double factor) {
    engine.setSlowdown(() -> other.engine.busy() ? factor : 1);
  }

  @Override
  public Syncer syncer() {
    return syncer;
  }

  @Override
  public VirtualCommand delay(Duration time) {
    return command(Math.round(time.toNanos() * model.delayScale()));
  }

  /** Returns a command that takes exactly that long, if it runs alone. */
  public VirtualCommand command(long nanos) {
    return new VirtualCommand(Math.max(1, nanos));
  }

  @Override
  public void close() {
    onClose.run();
  }
}
