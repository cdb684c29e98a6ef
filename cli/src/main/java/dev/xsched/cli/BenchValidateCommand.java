package dev.xsched.cli;

import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.run.BenchLock;
import dev.xsched.bench.run.Stages;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.worker.DeviceRoom;
import dev.xsched.bench.worker.Installation;
import dev.xsched.bench.worker.InterceptionProof;
import dev.xsched.bench.worker.Kind;
import dev.xsched.cli.doctor.DeviceChecks;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.doctor.HostChecks;
import dev.xsched.cli.doctor.MachineFiles;
import dev.xsched.cli.report.experiments.Part;
import dev.xsched.cli.validate.Parcel;
import dev.xsched.cli.validate.Validation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Finds out what works on a device, and packs the answer for whoever asked. */
@Command(
    name = "validate",
    sortOptions = false,
    header = "Find out what works on a device, in one report and one archive to send back.",
    description = {
      "",
      "Looks at the environment as doctor does, runs a program under the scheduler and compares its",
      "output, measures the preemption latency of each level that is there, and runs the short form",
      "of the experiments, the most telling first, for as long as it may. It is safe on a shared",
      "machine: it starts a daemon of its own and ends it, leaves other programs and the machine's",
      "daemon alone, refuses where memory is short, and goes on where it stopped.",
      "",
      "The archive holds records, report and environment. User, machine and folders are taken out",
      "of them, and of the variables only those that steer drivers are named."
    },
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched bench validate --device hip                 on an AMD GPU, see docs/amd.md",
      "  xsched bench validate --device opencl --minutes 3  what there is time for",
      "",
      "Exit code: 0 everything worked, 3 some part did not (the report says which, and why), 2 asked",
      "for wrongly."
    })
final class BenchValidateCommand implements Callable<Integer> {
  private static final int NOT_ALL = 3;
  private static final int MOST_MINUTES = 240;
  private static final int HOST_GIB = 2;
  private static final int GPU_GIB = 16;

  private final Terminal terminal;
  private final Host host;

  @Option(
      names = "--device",
      required = true,
      paramLabel = "DEVICE",
      description = "hip, cuda or opencl.")
  private String device = "";

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where all of it goes (default: xsched-validate-DEVICE).")
  private @Nullable Path out;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "30",
      description = "After which nothing more is measured (default: ${DEFAULT-VALUE}).")
  private int minutes = 30;

  BenchValidateCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Exception {
    Kind kind = kind();
    if (minutes < 1 || minutes > MOST_MINUTES) {
      throw new IllegalArgumentException(
          "--minutes %d is no time for this; give 1 to %d".formatted(minutes, MOST_MINUTES));
    }
    Path folder = out == null ? Path.of("xsched-validate-" + device) : out;
    OutFolder.prepare(folder);
    Installation installation = Installation.here();
    List<Finding> findings = findings(room());
    String kept = "what was measured is in %s, and the same command goes on".formatted(folder);
    try (BenchLock _ = BenchRunCommand.lock()) {
      List<Part> parts =
          new ArrayList<>(
              Interruptible.run(
                  terminal, () -> validate(kind, installation, folder, findings), kept));
      parts.add(cleanUp());
      Parcel parcel =
          Parcel.of(
              folder, device, parts, findings, String.valueOf(installation.xsched().getParent()));
      return tell(parts, parcel);
    } catch (StageException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
  }

  private Kind kind() {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.label().equals(device))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown device '%s'; choose one of %s"
                        .formatted(
                            device,
                            Arrays.stream(Kind.values())
                                .map(Kind::label)
                                .collect(Collectors.joining(", ")))));
  }

  private DeviceRoom room() throws Failure {
    DeviceRoom room = DeviceRoom.of(device, Path.of("/"));
    int gibibytes = device.equals("opencl") ? HOST_GIB : GPU_GIB;
    if (room.freeBytes().isPresent() && room.freeBytes().getAsLong() < (long) gibibytes << 30) {
      throw new Failure(
          "only %.1f GiB of memory are free on the device, and this wants %d; end other programs on it, or come back later"
              .formatted(room.freeBytes().getAsLong() / (double) (1 << 30), gibibytes));
    }
    return room;
  }

  private List<Finding> findings(DeviceRoom room) {
    List<Finding> findings = new ArrayList<>(HostChecks.all());
    findings.addAll(DeviceChecks.all(MachineFiles.here(host.environment())));
    long others = room.others().orElse(0);
    if (others > 0) {
      findings.add(
          Finding.warning(
              "others",
              "%d programs use the device already: their work is measured, too".formatted(others),
              "for figures that count, come back when it is idle"));
    }
    return findings;
  }

  private List<Part> validate(
      Kind kind, Installation installation, Path folder, List<Finding> findings) throws Exception {
    Duration time = Duration.ofMinutes(minutes);
    Validation.Plan plan =
        new Validation.Plan(folder, time, Version.release(), Version.commit(), host.environment());
    try (Stage stage = Stages.open(device)) {
      return new Validation(plan, stage, new InterceptionProof(kind, installation)::run, this::say)
          .run(
              findings,
              (experiments, on, limit) ->
                  new RunProgress(
                      terminal, experiments, Extent.QUICK, on.slowness(), System::nanoTime, limit));
    }
  }

  private void say(String step) {
    terminal.err().println("%s, at most %d minutes in all".formatted(step, minutes));
    terminal.err().flush();
  }

  /** Whether anything that we started is still there. */
  private static Part cleanUp() {
    long left = ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).count();
    return left == 0
        ? Part.worked("Clean-up", "no program and no daemon of ours is left")
        : Part.failed("Clean-up", "%d programs of ours still run".formatted(left));
  }

  private int tell(List<Part> parts, Parcel parcel) {
    terminal.out().println();
    for (Part part : parts) {
      terminal
          .out()
          .println("%-8s %s: %s".formatted(part.state().word(), part.name(), part.found()));
    }
    terminal.out().println("report: " + parcel.page());
    terminal.out().println("to send back: " + parcel.archive());
    return parts.stream().anyMatch(p -> p.state() == Part.State.FAILED) ? NOT_ALL : 0;
  }
}
