package dev.xsched.cli;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.run.BenchLock;
import dev.xsched.bench.run.Runner;
import dev.xsched.bench.run.Stages;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs experiments and leaves a record of each. */
@Command(
    name = "run",
    sortOptions = false,
    header = "Run experiments of the paper and of the field tests.",
    description = {
      "",
      "Each experiment plays its scenes by turns, checks that the programs really competed and",
      "that the device was busy, judges the result, and leaves a record as JSON at once. What the",
      "folder has already, complete and of this commit, is not measured again; so a run that was",
      "interrupted goes on where it stopped."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched bench list                                       what there is",
      "  xsched bench run all --device sim:gv100 --quick         everything on a model, at once",
      "  xsched bench run 7.2.1 7.2.2 --device sim:mi308x",
      "  xsched bench run all --device opencl --quick            on a real device, 15 minutes",
      "  xsched bench run nvidia --device cuda --quick           its own preemption, 7 minutes",
      "  xsched bench compare before after                       two folders of records",
      "",
      "What is simulated: with --device sim:MODEL the device and time. Records say so.",
      "",
      "Exit code: 0 every criterion met, also in records that were there already; 1 some missed;",
      "3 some could not be measured (the record is marked partial or invalid and says why), or none",
      "of what was asked for is for this device; 2 asked for wrongly."
    })
final class BenchRunCommand implements Callable<Integer> {
  private static final int NOT_MEASURED = 3;

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "ID",
      description = "Experiments, such as 7.2.1, or a group: all or nvidia.")
  private List<String> ids = List.of();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "sim",
      description =
          "opencl, cuda, hip, or sim[:MODEL] for a device model on virtual time (default:"
              + " ${DEFAULT-VALUE}).")
  private String device = "sim";

  @Option(names = "--quick", description = "Shorter, and labelled as that.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "results/bench",
      description = "Where the records go (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("results/bench");

  @Option(names = "--again", description = "Measure also what the folder has already.")
  private boolean again;

  BenchRunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    List<Experiment> experiments = Experiments.named(ids);
    return Interruptible.run(
        terminal,
        () -> measure(experiments, quick ? Extent.QUICK : Extent.FULL),
        "what was measured is in %s, and the same command goes on from there".formatted(out));
  }

  private int measure(List<Experiment> experiments, Extent extent) throws Exception {
    try (Stage stage = Stages.open(device)) {
      OutFolder.prepare(out);
      return measure(stage, experiments, extent);
    } catch (StageException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
  }

  private int measure(Stage stage, List<Experiment> experiments, Extent extent) throws Exception {
    try (BenchLock _ = lock()) {
      stage.prepare(List.of());
      Runner.Order order =
          new Runner.Order(experiments, extent, out, again, Version.release(), Version.commit());
      RunProgress progress =
          new RunProgress(terminal, experiments, extent, stage.slowness(), System::nanoTime);
      Runner runner = new Runner(stage, order, progress);
      return code(runner.run(), runner.kept());
    }
  }

  static BenchLock lock() throws Exception {
    try {
      return BenchLock.take(BenchLock.ofMachine());
    } catch (IllegalStateException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
  }

  int code(List<ResultRecord> records, List<RunRecord> kept) {
    int all = records.size() + kept.size();
    if (all == 0) {
      terminal.out().println("nothing of this can be measured on " + device);
      return NOT_MEASURED;
    }
    long met =
        records.stream().filter(ResultRecord::pass).count()
            + kept.stream().filter(RunRecord::pass).count();
    long bad = records.stream().filter(r -> !r.state().equals(ResultRecord.COMPLETE)).count();
    terminal
        .out()
        .println(
            "%d of %d experiments pass%s%s; records: %s"
                .formatted(
                    met,
                    all,
                    bad == 0 ? "" : ", %d could not be measured".formatted(bad),
                    kept.isEmpty() ? "" : ", %d were there already".formatted(kept.size()),
                    out));
    if (bad > 0) {
      return NOT_MEASURED;
    }
    return met == all ? 0 : Errors.FAILED;
  }
}
