package dev.xsched.sim;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import dev.xsched.queue.LaunchGate;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler, its queues and a device on virtual time: the very classes that run in a program,
 * with a loop instead of a clock. Same model, same policy, same seed: the same result to the
 * nanosecond.
 *
 * <p>Between queues and scheduler there is a way, as there is between a program and the daemon:
 * what happens at a queue is known to the scheduler after {@code oneWay}, and its order arrives
 * after as long again.
 */
public final class Simulation {
  private final VirtualLoop loop = new VirtualLoop();
  private final SplittableRandom random;
  private final List<VirtualXpu> devices = new ArrayList<>();
  private final @Nullable Scheduler scheduler;
  private final long oneWayNanos;
  private final Map<Long, XQueue> queues = new HashMap<>();
  private final List<Client> clients = new ArrayList<>();
  private final Map<XQueue, Client> clientOfQueue = new HashMap<>();
  private final DemandMeter demand = new DemandMeter(loop);
  private final Set<Long> toldReady = new HashSet<>();
  private @Nullable SliceOrders slices;
  private long lingerNanos;
  private long measuredSinceNanos;
  private long lastQueueId;
  private long armed;

  /** Makes a device whose queues are scheduled by a policy. */
  public Simulation(DeviceModel model, Policy policy, Duration oneWay, long seed) {
    random = new SplittableRandom(seed);
    oneWayNanos = oneWay.toNanos();
    scheduler = new Scheduler(policy, loop::nowNanos, this::arm, new Orders());
    addDevice(model);
  }

  private Simulation(DeviceModel model, long seed) {
    random = new SplittableRandom(seed);
    oneWayNanos = 0;
    scheduler = null;
    addDevice(model);
  }

  /** Makes a device that is left to its own scheduler. */
  public static Simulation unscheduled(DeviceModel model, long seed) {
    return new Simulation(model, seed);
  }

  /**
   * Has queues look for their end only so often, as they do in front of a driver: short gaps
   * between commands are not seen, and idle is told late.
   */
  public void linger(Duration time) {
    lingerNanos = time.toNanos();
  }

  /**
   * Has the first device follow the shares that policies give to programs added from now on, by
   * time slices.
   *
   * @param takes from an order until it is in force
   */
  public void slice(Duration takes) {
    if (scheduler == null
        || !(device().model().scheduler() instanceof NativeScheduler.RoundRobin rule)) {
      throw new IllegalStateException(
          "only a scheduled device whose programs take turns can slice: use round-robin");
    }
    slices = new SliceOrders(rule.sliceNanos(), loop, takes.toNanos());
    BitSet first = new BitSet();
    first.set(0);
    scheduler.setSlicing(first);
  }

  public VirtualLoop loop() {
    return loop;
  }

  /** The first device, which is the only one in most simulations. */
  public VirtualXpu device() {
    return devices.getFirst();
  }

  /** Adds one more device that the same scheduler is in charge of. */
  public VirtualXpu addDevice(DeviceModel model) {
    VirtualXpu device = new VirtualXpu(model, loop, random.split());
    devices.add(device);
    return device;
  }

  /** Lets virtual time pass. */
  public void run(Duration time) {
    loop.runUntil(loop.nowNanos() + time.toNanos());
  }

  /** Sets a hint of the whole scheduler, such as the time slice. */
  public void hint(Hint hint, long value) {
    if (scheduler != null) {
      scheduler.systemHint(hint, value, Hints.Source.APPLICATION);
    }
  }

  /** A program: the native scheduler and policies by process are fair between these. */
  public final class Program {
    private final Map<VirtualXpu, DeviceContext> contexts = new HashMap<>();
    private final @Nullable ProcessView process;

    private Program() {
      process = scheduler == null ? null : scheduler.addProcess(++lastQueueId, 0);
    }

    private VirtualQueue newHwQueue(VirtualXpu device) {
      return device.newHwQueue(contexts.computeIfAbsent(device, VirtualXpu::newContext));
    }

    /** Adds a queue, which is scheduled if anything is. */
    private ScheduledQueue newQueue(String name, VirtualXpu device, Hints hints) {
      VirtualQueue hwQueue = newHwQueue(device);
      XQueue queue = new XQueue(name, hwQueue, device.syncer(), loop::nowNanos);
      if (scheduler != null && process != null) {
        long id = ++lastQueueId;
        queues.put(id, queue);
        if (slices != null && device == device()) {
          slices.add(id, hwQueue);
        }
        scheduler.addQueue(id, devices.indexOf(device), process, hints);
        queue.onRunnableChange(() -> changed(scheduler, id, queue));
      }
      return new ScheduledQueue(queue, hwQueue);
    }

    /** Adds a client of this program that starts its first task now. */
    public Client addClient(VirtualXpu device, ClientSpec spec) {
      if (scheduler == null) {
        VirtualQueue hwQueue = newHwQueue(device);
        return start(device, spec, hwQueue, new Outlet.Native(hwQueue), null);
      }
      ScheduledQueue scheduled = newQueue(spec.name(), device, spec.hints());
      scheduled.queue().setLevel(spec.level());
      scheduled.queue().setWindow(spec.window());
      Outlet outlet = new Outlet.Scheduled(scheduled.queue());
      Client client = start(device, spec, scheduled.hwQueue(), outlet, null);
      clientOfQueue.put(scheduled.queue(), client);
      return client;
    }

    /** The same in a server that decides itself when a request begins. */
    public Client addClient(VirtualXpu device, ClientSpec spec, Admission admission) {
      VirtualQueue hwQueue = newHwQueue(device);
      return start(device, spec, hwQueue, new Outlet.Native(hwQueue), admission);
    }

    /**
     * The same with launches that ask at a gate. Nothing is known of it to a scheduler. Whoever
     * opens the gate calls {@link Gated#recheck}.
     */
    public Gated addClient(VirtualXpu device, ClientSpec spec, LaunchGate gate) {
      VirtualQueue hwQueue = newHwQueue(device);
      XQueue queue = new XQueue(spec.name(), hwQueue, device.syncer(), loop::nowNanos);
      queue.setWindow(spec.window());
      queue.setLaunchGate(gate);
      return new Gated(start(device, spec, hwQueue, new Outlet.Scheduled(queue), null), queue);
    }
  }

  /** A client whose launches ask at a gate. */
  public record Gated(Client client, XQueue queue) {
    public void recheck() {
      queue.recheck();
    }
  }

  /** Adds a program without queues. */
  public Program newProgram() {
    return new Program();
  }

  /** Adds a program with one queue, which is scheduled if anything is. */
  public ScheduledQueue newQueue(String name, Hints hints) {
    return newProgram().newQueue(name, device(), hints);
  }

  /** A queue under the scheduler, and the device's queue below it. */
  public record ScheduledQueue(XQueue queue, VirtualQueue hwQueue) {}

  /** Adds a program with one client that starts its first task now. */
  public Client addClient(ClientSpec spec) {
    return newProgram().addClient(device(), spec);
  }

  private Client start(
      VirtualXpu device,
      ClientSpec spec,
      VirtualQueue hwQueue,
      Outlet outlet,
      @Nullable Admission admission) {
    Client client = new Client(spec, loop, device, random.split(), hwQueue, outlet, demand);
    clients.add(client);
    if (admission != null) {
      admission.add(client, spec.hints().priority());
      client.admitBy(admission);
    }
    client.start();
    return client;
  }

  /** Forgets what was measured so far: the warm-up. */
  public void startMeasuring() {
    measuredSinceNanos = loop.nowNanos();
    demand.startMeasuring();
    clients.forEach(Client::startMeasuring);
  }

  /** For how long it has been measured. */
  public long measuredNanos() {
    return loop.nowNanos() - measuredSinceNanos;
  }

  /** For how long of that at least two clients wanted the device. */
  public long contendedNanos() {
    return demand.contendedNanos();
  }

  private void later(Runnable message) {
    loop.at(loop.nowNanos() + oneWayNanos, message);
  }

  private void changed(Scheduler scheduler, long id, XQueue queue) {
    long since = queue.runnableSinceNanos();
    if (lingerNanos == 0) {
      later(() -> update(scheduler, id, queue.runnableSinceNanos()));
    } else if (since == XQueue.NOT_RUNNABLE) {
      loop.at(loop.nowNanos() + lingerNanos, () -> tellIfStillIdle(scheduler, id, queue));
    } else if (toldReady.add(id)) {
      later(() -> update(scheduler, id, since));
    }
  }

  private void tellIfStillIdle(Scheduler scheduler, long id, XQueue queue) {
    if (queue.runnableSinceNanos() == XQueue.NOT_RUNNABLE && toldReady.remove(id)) {
      later(() -> update(scheduler, id, XQueue.NOT_RUNNABLE));
    }
  }

  private static void update(Scheduler scheduler, long id, long since) {
    if (since == XQueue.NOT_RUNNABLE) {
      scheduler.idle(id);
    } else {
      scheduler.ready(id, since);
    }
    scheduler.decide();
  }

  private final class Orders implements Scheduler.Orders {
    @Override
    public void order(long id, boolean run) {
      XQueue queue = queues.get(id);
      if (queue != null) {
        later(() -> queue.order(run));
      }
    }

    @Override
    public void decided(Decision.@Nullable Ranking ranking, List<QueueView> views) {
      if (slices != null && ranking != null) {
        slices.follow(ranking, views);
      }
    }

    @Override
    public Scheduler.Work work(long id) {
      return Scheduler.Work.of(queues.get(id));
    }

    @Override
    public long completed(long id) {
      XQueue queue = queues.get(id);
      return queue == null ? 0 : queue.stats().completed();
    }

    @Override
    public long waitedNanos(long id) {
      Client client = clientOfQueue.get(queues.get(id));
      return client == null ? 0 : client.waitedNanos();
    }
  }

  private void arm(long atNanos) {
    long thisTime = ++armed;
    if (atNanos != Decision.NEVER) {
      loop.at(
          atNanos,
          () -> {
            if (thisTime == armed && scheduler != null) {
              scheduler.decide();
            }
          });
    }
  }
}
