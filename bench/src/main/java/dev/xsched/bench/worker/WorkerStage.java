package dev.xsched.bench.worker;

import dev.xsched.bench.Machine;
import dev.xsched.bench.StandIns;
import dev.xsched.bench.kills.EnduranceRun;
import dev.xsched.bench.kills.KillRun;
import dev.xsched.bench.kills.Surroundings;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.GrowthOutcome;
import dev.xsched.bench.scene.KillOutcome;
import dev.xsched.bench.scene.KillPlan;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.ProgramCheck;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Plays scenes on a real device, by worker processes that are started as users start programs. */
public final class WorkerStage implements Stage {
  /** So much longer than it should a worker may take. */
  private static final Duration GRACE = Duration.ofSeconds(60);

  /** Starting workers takes about this much more than playing. */
  private static final double SLOWNESS = 1.2;

  private final Kind kind;
  private final Installation installation;
  private final Path folder;
  private final Calibration calibration;
  private final PyTorch pyTorch;
  private final DeviceProbe probe;
  private final Recipes recipes;
  private final Crew crew;
  private final OwnDaemon daemon;
  private final Mps mps;
  private final Introductions introductions;
  private final Mechanisms mechanisms;
  private final Map<String, String> hardware;
  private final Map<String, String> runtime;
  private int ordeals;

  /** Makes one that has started nothing yet. */
  public WorkerStage(Kind kind, Installation installation) throws StageException {
    this.kind = kind;
    this.installation = installation;
    try {
      folder = Files.createTempDirectory("xsched-bench-");
    } catch (IOException e) {
      throw new StageException("no folder can be made for workers: %s".formatted(e), e);
    }
    calibration = new Calibration(Recipes.inC(kind, installation), folder);
    probe = new DeviceProbe(kind, installation, calibration);
    pyTorch = new PyTorch(kind);
    recipes =
        new Recipes(kind, installation, pyTorch, calibration, folder.resolve("daemon"), folder);
    crew = new Crew(folder);
    daemon = new OwnDaemon(installation.xsched(), folder.resolve("daemon"));
    mps = new Mps(folder);
    introductions = new Introductions(daemon);
    mechanisms = new Mechanisms(daemon);
    DeviceFacts facts = DeviceFacts.of(kind, Recipes.inC(kind, installation));
    hardware = new TreeMap<>(Machine.hardware());
    hardware.putAll(facts.hardware());
    runtime = new TreeMap<>(Machine.runtime());
    runtime.putAll(facts.runtime());
  }

  @Override
  public String device() {
    return kind.label();
  }

  /** A library that stands in for a driver takes its times from the processor's clock. */
  @Override
  public boolean simulated() {
    return StandIns.isOne(hardware);
  }

  @Override
  public Map<String, String> hardware() {
    return hardware;
  }

  @Override
  public Map<String, String> runtime() {
    return runtime;
  }

  /** What {@code suspend} of the workers can: a gate where they launch. */
  @Override
  public Set<Level> levels() {
    return Set.of(Level.BLOCK);
  }

  @Override
  public String whyNot(Level level) {
    return level == Level.INTERRUPT && kind != Kind.OPENCL
        ? "a queue of a program does not have it, only the whole program; see 4.1.1 on HIP and N.3"
            + " on CUDA"
        : Stage.super.whyNot(level);
  }

  @Override
  public String describe(Workload workload) {
    return crew.description(workload.label());
  }

  @Override
  public Optional<String> cannotRun(String experimentId) {
    return kind.cannotRun(experimentId).or(() -> pyTorch.cannotRun(experimentId));
  }

  @Override
  public Optional<String> cannotPlay(Scene scene) {
    return switch (scene.control()) {
      case Control.RequestPriority _ -> Optional.of("there is no inference server to ask");
      case Control.Mps _ when kind != Kind.CUDA ->
          Optional.of("MPS is NVIDIA's; measure it with --device cuda");
      case Control.Mps _ when !Shell.has(Mps.COMMAND) ->
          Optional.of("there is no %s on the PATH".formatted(Mps.COMMAND));
      case Control.Scheduled xsched when !xsched.system().isEmpty() ->
          Optional.of("hints of the whole scheduler are only for virtual time so far");
      case Control.Scheduled xsched
          when xsched.window() instanceof LaunchWindow.Adaptive window
              && !window.equals(LaunchWindow.DEFAULT) ->
          Optional.of("programs have no other adaptive window than the usual one");
      default -> cannotPlayTogether(scene);
    };
  }

  private Optional<String> cannotPlayTogether(Scene scene) {
    if (scene.parties().stream().anyMatch(p -> p.place() == Party.Place.NEIGHBOUR)) {
      return Optional.of("there is no second device that shares the memory of the first");
    }
    for (List<Party> parties : processes(scene)) {
      Workload first = parties.getFirst().workload();
      if (!parties.stream().allMatch(p -> recipes.sameProgram(first, p.workload()))) {
        return Optional.of("no worker has all workloads of " + parties.getFirst().process());
      }
      if (parties.size() > 1
          && parties.stream()
              .anyMatch(p -> !Set.of(Hint.PRIORITY).containsAll(p.hints().keySet()))) {
        return Optional.of("queues of one program have no hints but their priority here");
      }
    }
    return Optional.empty();
  }

  @Override
  public void prepare(List<Scene> scenes) throws StageException, InterruptedException {
    List<Recipe> all = getReady(scenes);
    boolean scheduled = scenes.stream().anyMatch(s -> s.control() instanceof Control.Scheduled);
    if (scheduled && scenes.stream().allMatch(scene -> processes(scene).size() == 1)) {
      crew.dismissAllBut(all);
    }
  }

  @Override
  public void endOthers(List<Scene> scenes) throws StageException, InterruptedException {
    List<Recipe> needed = new ArrayList<>();
    for (Scene scene : scenes) {
      for (List<Party> parties : processes(scene)) {
        needed.add(recipes.of(scene.control(), parties));
      }
    }
    crew.dismissAllBut(needed);
  }

  private List<Recipe> getReady(List<Scene> scenes) throws StageException, InterruptedException {
    probe.check();
    List<Recipe> all = new ArrayList<>();
    for (Scene scene : scenes) {
      for (List<Party> parties : processes(scene)) {
        all.add(recipes.of(scene.control(), parties));
      }
      // It must be there before a program starts under it.
      switch (scene.control()) {
        case Control.Scheduled _ -> daemon.start();
        case Control.Mps _ -> mps.start();
        default -> {}
      }
    }
    crew.prepare(all);
    return all;
  }

  /** Parties by process, in the order of the scene. */
  static List<List<Party>> processes(Scene scene) {
    Map<String, List<Party>> processes = new LinkedHashMap<>();
    for (Party party : scene.parties()) {
      processes.computeIfAbsent(party.process(), _ -> new ArrayList<>()).add(party);
    }
    return List.copyOf(processes.values());
  }

  @Override
  public Outcome play(Scene scene) throws StageException, InterruptedException {
    getReady(List.of(scene));
    if (scene.control() instanceof Control.Scheduled xsched) {
      daemon.decideBy(xsched.policy());
    }
    Map<List<Party>, WorkerProcess> workers = new LinkedHashMap<>();
    List<Recipe> used = new ArrayList<>();
    try {
      for (List<Party> parties : processes(scene)) {
        Recipe recipe = recipes.of(scene.control(), parties);
        used.add(recipe);
        WorkerProcess worker = crew.get(recipe);
        introductions.of(recipe, worker);
        workers.put(parties, worker);
      }
      return mechanisms.noted(scene, workers, play(scene, workers));
    } catch (StageException | InterruptedException e) {
      used.forEach(crew::dismiss); // Answers that nobody waited for would be taken for others.
      throw e;
    }
  }

  private Outcome play(Scene scene, Map<List<Party>, WorkerProcess> workers)
      throws StageException, InterruptedException {
    boolean scheduled = scene.control() instanceof Control.Scheduled;
    try (Throttles throttles = Throttles.of(scene, folder);
        GpuMeter meter = metered(scene) ? GpuMeter.start("nvidia-smi") : GpuMeter.none()) {
      Performance.Meters meters =
          new Performance.Meters() {
            @Override
            public OptionalDouble schedulerSeconds() throws StageException {
              return scheduled
                  ? OptionalDouble.of(daemon.processorSeconds())
                  : OptionalDouble.empty();
            }

            @Override
            public double stolenSeconds() {
              try {
                return ProcessorTime.stolenSeconds();
              } catch (IOException _) {
                return 0; // It is only a note.
              }
            }

            @Override
            public DeviceLoad device(long fromNanos, long toNanos) {
              return meter.between(fromNanos, toNanos);
            }
          };
      return new Performance(scene, workers).play(throttles, meters);
    } catch (StageException e) {
      throw mechanisms.explained(scene, workers, e);
    }
  }

  /** Asking the driver takes its locks, which shows in what takes microseconds. */
  private boolean metered(Scene scene) {
    return kind == Kind.CUDA
        && scene.parties().stream().noneMatch(p -> p.workload() instanceof Workload.TinyKernels);
  }

  @Override
  public long[] suspend(
      Level level, Duration command, LaunchWindow window, int times, int repetition)
      throws StageException, InterruptedException {
    if (!(window instanceof LaunchWindow.Fixed(int threshold, int batch))) {
      throw new IllegalArgumentException("a suspended queue has a fixed window; give 8/4");
    }
    daemon.start(); // By `xsched run` it would be started beyond our control.
    Recipe recipe = recipes.suspending();
    try {
      String line =
          "suspend level=%d command_ns=%d threshold=%d batch=%d times=%d seed=%d rounds=%d"
              .formatted(
                  level.number(),
                  command.toNanos(),
                  threshold,
                  batch,
                  times,
                  1 + repetition,
                  calibration.rounds(command));
      Duration most = command.multipliedBy(4L * threshold).plusMillis(60).multipliedBy(times);
      JsonNode nanos = crew.get(recipe).ask(line, most.plus(GRACE)).path("nanos");
      if (nanos.size() != times) {
        throw crew.get(recipe).failed("was to suspend %d times".formatted(times));
      }
      return nanos.valueStream().mapToLong(JsonNode::asLong).toArray();
    } catch (StageException | InterruptedException e) {
      crew.dismiss(recipe);
      throw e;
    }
  }

  @Override
  public ProgramCheck check(ProgramCheck.Program program)
      throws StageException, InterruptedException {
    daemon.start();
    return new ProgramComparison(this, recipes, crew, introductions).of(program);
  }

  @Override
  public KillOutcome kill(KillPlan plan) throws StageException, InterruptedException {
    return new KillRun(surroundings()).run(plan);
  }

  @Override
  public GrowthOutcome endure(Duration length) throws StageException, InterruptedException {
    return new EnduranceRun(surroundings()).run(length);
  }

  /** With the device for themselves: workers that were kept are let go. */
  private Surroundings surroundings() {
    crew.dismissAllBut(List.of());
    return new Surroundings(
        installation.xsched(),
        installation.checked(),
        installation.library(),
        Map.of(),
        folder.resolve("k" + ++ordeals));
  }

  @Override
  public double slowness() {
    return SLOWNESS;
  }

  @Override
  public void close() {
    crew.close();
    calibration.close();
    daemon.close();
    mps.close();
    Folders.delete(folder);
  }
}
