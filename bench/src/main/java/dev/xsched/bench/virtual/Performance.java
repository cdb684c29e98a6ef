package dev.xsched.bench.virtual;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Requests;
import dev.xsched.bench.scene.Scene;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.sim.Admission;
import dev.xsched.sim.Arrivals;
import dev.xsched.sim.Client;
import dev.xsched.sim.ClientSpec;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.Simulation;
import dev.xsched.sim.TaskModel;
import dev.xsched.sim.VirtualXpu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One scene on virtual time. */
final class Performance {
  /**
   * From a program to the scheduler, and back again: what it takes to wake a thread on a virtual
   * machine with two cores.
   */
  static final Duration ONE_WAY = Duration.ofNanos(20_000);

  /** How much longer a command takes beside a device that uses the same memory. */
  static final double MEMORY_SLOWDOWN = 1.6;

  /** A slowed command is cut into pieces, because the pace is set when a piece begins. */
  private static final long PIECE_NANOS = 100_000;

  /** Throttled programs keep this much in flight, so that their gate is asked now and then. */
  private static final LaunchWindow THROTTLED = new LaunchWindow.Fixed(32, 8);

  private static final Duration REFILL = Duration.ofMillis(10);
  private static final int STEPS = 20;

  private final Scene scene;
  private final TaskModels tasks;
  private final Simulation simulation;
  private final VirtualXpu neighbour;
  private final Map<String, Simulation.Program> programs = new HashMap<>();
  private final Map<String, Client> clients = new LinkedHashMap<>();
  private final Map<String, Requests> requests = new HashMap<>();
  private final Map<String, Throttle> throttles = new HashMap<>();
  private final Admission admission = new Admission();
  private long measuringSinceNanos = Long.MAX_VALUE;

  Performance(Scene scene, DeviceModel model, TaskModels tasks) {
    this.scene = scene;
    this.tasks = tasks;
    long seed = 1L + scene.repetition();
    this.simulation =
        scene.control() instanceof Control.Scheduled scheduled
            ? new Simulation(model, Policies.named(scheduled.policy()), ONE_WAY, seed)
            : Simulation.unscheduled(model, seed);
    this.neighbour = simulation.addDevice(model);
    if (scene.control() instanceof Control.Scheduled scheduled) {
      scheduled.system().forEach(simulation::hint);
    }
    if (scene.parties().stream().anyMatch(p -> p.place() == Party.Place.NEIGHBOUR)) {
      simulation.device().slowedBy(neighbour, MEMORY_SLOWDOWN);
    }
  }

  Outcome play() throws InterruptedException {
    for (Party party : scene.parties()) {
      Client client = enter(party);
      clients.put(party.name(), client);
      Requests own = new Requests();
      requests.put(party.name(), own);
      client.watch((arrived, done) -> add(own, arrived, done));
    }
    if (scene.control() instanceof Control.RateControl(var kept, var throttled, var adjust)) {
      throttle(process(throttled), 1).follow(client(kept), adjust);
    }
    pass(scene.warmUp());
    simulation.startMeasuring();
    measuringSinceNanos = simulation.loop().nowNanos();
    pass(scene.measured());
    return outcome();
  }

  private void add(Requests own, long arrived, long done) {
    if (done >= measuringSinceNanos) {
      own.add(arrived - measuringSinceNanos, done - measuringSinceNanos);
    }
  }

  /** In steps, so that whoever interrupts does not wait for the end. */
  private void pass(Duration time) throws InterruptedException {
    Duration step = time.dividedBy(STEPS);
    for (int i = 0; i < STEPS; i++) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      simulation.run(step);
    }
  }

  private Client enter(Party party) {
    Simulation.Program program =
        programs.computeIfAbsent(party.process(), _ -> simulation.newProgram());
    boolean away = party.place() == Party.Place.NEIGHBOUR;
    VirtualXpu device = away ? neighbour : simulation.device();
    ClientSpec spec = spec(party);
    Throttle throttle = throttleOf(party);
    if (throttle != null) {
      Simulation.Gated gated = program.addClient(device, spec, throttle);
      throttle.add(gated);
      return gated.client();
    }
    return scene.control() instanceof Control.RequestPriority
        ? program.addClient(device, spec, admission)
        : program.addClient(device, spec);
  }

  private @Nullable Throttle throttleOf(Party party) {
    return switch (scene.control()) {
      case Control.Quota(var percent, var _) ->
          throttle(party.process(), percent.getOrDefault(party.process(), 100));
      case Control.RateControl control when control.throttled().equals(party.name()) ->
          throttle(party.process(), 1);
      default -> null;
    };
  }

  private Throttle throttle(String process, double percent) {
    Duration refill = scene.control() instanceof Control.Quota(var _, var every) ? every : REFILL;
    return throttles.computeIfAbsent(
        process, _ -> new Throttle(simulation.loop(), percent, refill));
  }

  private ClientSpec spec(Party party) {
    Hints hints = Hints.DEFAULT;
    for (var hint : party.hints().entrySet()) {
      hints = hints.with(hint.getKey(), hint.getValue(), Hints.Source.APPLICATION);
    }
    Level level = Level.BLOCK;
    LaunchWindow window = THROTTLED;
    if (scene.control() instanceof Control.Scheduled scheduled) {
      level = scheduled.level().orElse(Level.INTERRUPT);
      window = scheduled.window();
    }
    return new ClientSpec(
        party.name(), task(party), arrivals(party.pattern()), hints, level, window);
  }

  private TaskModel task(Party party) {
    TaskModel task = tasks.of(party.workload()).task();
    boolean slowed =
        party.place() == Party.Place.DEVICE
            && scene.parties().stream().anyMatch(p -> p.place() == Party.Place.NEIGHBOUR);
    return slowed ? cut(task) : task;
  }

  private static TaskModel cut(TaskModel task) {
    List<TaskModel.Run> pieces = new ArrayList<>();
    for (TaskModel.Run run : task.commands()) {
      int parts = (int) Math.ceilDiv(run.nanos(), PIECE_NANOS);
      pieces.add(new TaskModel.Run(run.count() * parts, run.nanos() / parts));
    }
    return new TaskModel(task.title(), task.hostNanos(), task.jitter(), pieces);
  }

  private static Arrivals arrivals(Pattern pattern) {
    return switch (pattern) {
      case Pattern.Continuous _ -> new Arrivals.Continuous();
      case Pattern.Paced(var period, _, var whenBusy) when whenBusy == Pattern.WhenBusy.DROP ->
          new Arrivals.Camera(period);
      case Pattern.Paced(var period, Pattern.Spacing.Even _, _) -> new Arrivals.Periodic(period, 0);
      case Pattern.Paced(var period, Pattern.Spacing.Around(double fraction), _) ->
          new Arrivals.Periodic(period, fraction);
      case Pattern.Paced(var period, Pattern.Spacing.LogNormal(double sigma), _) ->
          new Arrivals.LogNormal(period, sigma);
    };
  }

  private Client client(String party) {
    Client client = clients.get(party);
    if (client == null) {
      throw new IllegalArgumentException("no party '%s' in the scene".formatted(party));
    }
    return client;
  }

  private String process(String party) {
    return scene.parties().stream()
        .filter(p -> p.name().equals(party))
        .map(Party::process)
        .findFirst()
        .orElseThrow();
  }

  private Outcome outcome() {
    double measured = simulation.measuredNanos();
    double busy = 0;
    List<Outcome.PartyOutcome> parties = new ArrayList<>();
    for (Party party : scene.parties()) {
      Client client = client(party.name());
      busy += client.busyNanos();
      parties.add(
          new Outcome.PartyOutcome(
              party.name(),
              requests.getOrDefault(party.name(), new Requests()),
              client.arrivals(),
              client.wantingNanos() / measured,
              OptionalDouble.empty()));
    }
    return new Outcome(
        parties,
        measured / 1e9,
        simulation.contendedNanos() / measured,
        DeviceLoad.ofBusy(OptionalDouble.of(Math.min(1, busy / measured))),
        OptionalDouble.empty(),
        assumptions());
  }

  private List<String> assumptions() {
    List<String> notes = new ArrayList<>();
    if (scene.control() instanceof Control.Scheduled) {
      notes.add(
          "simulated: a message between program and scheduler takes %d us (assumed), and deciding"
                  .formatted(ONE_WAY.toNanos() / 1_000)
              + " takes no time: an overhead is only what waiting for the window costs");
    }
    if (scene.parties().stream().anyMatch(p -> p.place() == Party.Place.NEIGHBOUR)) {
      notes.add(
          "simulated: the second device is of the same model, and a command of the first that begins"
              + " while it works takes %s times as long (assumed after the paper's 1.55 to 1.67)"
                  .formatted(MEMORY_SLOWDOWN));
    }
    return notes;
  }
}
