package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.LaunchWindow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Says how the program of some parties is started, by who controls the scene. */
final class Recipes {
  /** All have this one, so that a program can play in the next experiment, too. */
  private static final String NAME = "bench";

  /** These are hints of {@code xsched run}; the others are given when the program runs. */
  private static final Set<Hint> AT_START = Set.of(Hint.PRIORITY, Hint.UTILIZATION, Hint.DEADLINE);

  /** Written in C for every kind of device; the others are networks. */
  private static final Set<Workload> IN_C =
      Set.of(Workload.Named.BLACK_SCHOLES, Workload.Named.CFD, Workload.Named.MEMORY_HUNGRY);

  private final Kind kind;
  private final Installation installation;
  private final PyTorch pyTorch;
  private final Calibration calibration;
  private final Map<String, String> underDaemon;
  private final Map<String, String> underMps;

  /**
   * Makes one.
   *
   * @param daemonFolder by which programs find the daemon
   * @param mpsFolder by which they find MPS
   */
  Recipes(
      Kind kind,
      Installation installation,
      PyTorch pyTorch,
      Calibration calibration,
      Path daemonFolder,
      Path mpsFolder) {
    this.kind = kind;
    this.installation = installation;
    this.pyTorch = pyTorch;
    this.calibration = calibration;
    this.underDaemon = Map.of("XSCHED_DIR", daemonFolder.toString());
    this.underMps = Mps.environment(mpsFolder);
  }

  /** For the parties of one process, which are at least one. */
  Recipe of(Control control, List<Party> parties) throws StageException, InterruptedException {
    String process = parties.getFirst().process();
    List<String> program = program(parties.getFirst().workload());
    return switch (control) {
      case Control.Scheduled xsched -> scheduled(xsched, process, program, parties);
      case Control.Mps _ -> plain(process, program, underMps, parties);
      default -> plain(process, program, Map.of(), parties);
    };
  }

  /** One that suspends its own queue: nobody else must. */
  Recipe suspending() {
    Map<String, String> environment = new TreeMap<>(underDaemon);
    environment.put("XSCHED_SCHEDULER", "APP");
    return new Recipe(
        "suspended",
        under(List.of("--name", "suspended"), inC(kind, installation)),
        environment,
        List.of(),
        List.of(),
        Map.of());
  }

  /** Whether workers of both workloads are the same program. */
  boolean sameProgram(Workload one, Workload other) {
    return program(one).equals(program(other));
  }

  static List<String> inC(Kind kind, Installation installation) {
    return List.of(installation.worker().toString(), kind.label());
  }

  private List<String> program(Workload workload) {
    Workload what = workload instanceof Workload.Repeated(var each, int _) ? each : workload;
    boolean network = what instanceof Workload.Named && !IN_C.contains(what);
    return network && pyTorch.playsNetworks()
        ? List.of("python3", installation.pytorch().toString())
        : inC(kind, installation);
  }

  private Recipe plain(
      String process, List<String> program, Map<String, String> environment, List<Party> parties)
      throws StageException, InterruptedException {
    List<String> loads = new ArrayList<>();
    for (Party party : parties) {
      loads.add(load(party));
    }
    return new Recipe(process, program, environment, loads, List.of(), Map.of());
  }

  private Recipe scheduled(
      Control.Scheduled xsched, String process, List<String> program, List<Party> parties)
      throws StageException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("--name", NAME));
    xsched
        .level()
        .ifPresent(level -> options.addAll(List.of("--level", Integer.toString(level.number()))));
    Map<Hint, Long> later = new TreeMap<>();
    List<String> loads = new ArrayList<>();
    if (parties.size() == 1) {
      Party party = parties.getFirst();
      new TreeMap<>(party.hints())
          .forEach(
              (hint, value) -> {
                if (AT_START.contains(hint)) {
                  options.addAll(
                      List.of("--" + hint.label(), value + (hint == Hint.DEADLINE ? "us" : "")));
                } else {
                  later.put(hint, value);
                }
              });
      loads.add(load(party));
    } else {
      for (Party party : parties) {
        loads.add(load(party) + " xqueue=1 priority=" + priority(party));
      }
    }
    Map<String, String> environment = new TreeMap<>(underDaemon);
    if (xsched.window() instanceof LaunchWindow.Fixed(int threshold, int batch)) {
      environment.put("XSCHED_AUTO_XQUEUE_THRESHOLD", Integer.toString(threshold));
      environment.put("XSCHED_AUTO_XQUEUE_BATCH_SIZE", Integer.toString(batch));
    }
    List<Long> priorities = parties.stream().map(Recipes::priority).toList();
    return new Recipe(process, under(options, program), environment, loads, priorities, later);
  }

  private List<String> under(List<String> options, List<String> program) {
    List<String> command = new ArrayList<>(List.of(installation.xsched().toString(), "run"));
    command.addAll(options);
    command.add("--");
    command.addAll(program);
    return command;
  }

  private static long priority(Party party) {
    return party.hints().getOrDefault(Hint.PRIORITY, Hint.PRIORITY.defaultValue());
  }

  private String load(Party party) throws StageException, InterruptedException {
    String line =
        "load queue=%s %s".formatted(PlayLine.queue(party), PlayLine.workload(party.workload()));
    return party.workload() instanceof Workload.Commands(var each, int _)
        ? line + " rounds=" + calibration.rounds(each)
        : line;
  }
}
