package dev.xsched.cli.validate;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.StandIns;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.record.RecordFolder;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.run.Runner;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.worker.Interception;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.report.experiments.Part;
import dev.xsched.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries on a device, one after the other: the environment, interception, the levels, the
 * experiments. What fails is told, and the next is tried; so the report is there in any case.
 */
public final class Validation {
  /**
   * What is to be done.
   *
   * @param out the folder for records, report and archive
   * @param time after which nothing more is measured
   * @param variables as the user has them
   */
  public record Plan(
      Path out, Duration time, String version, String commit, Map<String, String> variables) {
    Path records() {
      return out.resolve("records");
    }
  }

  /** Makes whoever hears how experiments go on. */
  @FunctionalInterface
  public interface Listening {
    Runner.Listener to(List<Experiment> experiments, Stage stage, Duration limit);
  }

  /** Runs a program under the scheduler. */
  @FunctionalInterface
  public interface Proof {
    Interception run() throws StageException, InterruptedException;
  }

  private final Plan plan;
  private final Stage stage;
  private final Proof proof;
  private final Consumer<String> step;
  private final List<Part> parts = new ArrayList<>();
  private final List<Part> leftOut = new ArrayList<>();
  private final Set<String> cutShort = new HashSet<>();
  private @Nullable Interception seen;

  public Validation(Plan plan, Stage stage, Proof proof, Consumer<String> step) {
    this.plan = plan;
    this.stage = stage;
    this.proof = proof;
    this.step = step;
  }

  /**
   * Does all of it, and returns what worked.
   *
   * @throws InterruptedException if somebody else than the time limit ends it
   */
  public List<Part> run(List<Finding> findings, Listening listening)
      throws IOException, InterruptedException {
    environment(findings);
    try (TimeLimit limit = new TimeLimit(plan.time())) {
      try {
        measure(limit, listening);
      } catch (InterruptedException | IOException | UncheckedIOException e) {
        // Also a file that is being read or written is closed when its thread is interrupted.
        if (!limit.over()) {
          throw e;
        }
        parts.add(Part.failed("Time", "was over before anything could be measured"));
      }
    }
    List<RunRecord> records =
        Files.isDirectory(plan.records())
            ? RecordFolder.read(plan.records()).records().stream()
                .filter(record -> record.device().equals(stage.device()))
                .toList()
            : List.of();
    parts.addAll(Verdicts.levels(Optional.ofNullable(seen), records));
    records.stream()
        .filter(record -> !cutShort.contains(record.testId()))
        .forEach(record -> parts.add(Verdicts.of(record)));
    parts.addAll(leftOut);
    return parts;
  }

  private void environment(List<Finding> findings) throws IOException {
    step.accept("environment");
    Files.createDirectories(plan.records());
    Environment environment =
        new Environment(
            Instant.now(),
            plan.version(),
            plan.commit(),
            stage.device(),
            stage.hardware(),
            stage.runtime(),
            findings,
            Environment.named(plan.variables()));
    Files.writeString(plan.out().resolve("environment.json"), Json.of(environment) + "\n");
    List<Finding> problems = findings.stream().filter(f -> f.state().equals("problem")).toList();
    parts.add(
        problems.isEmpty()
            ? Part.worked(
                "Environment", "%d checks, see environment.json".formatted(findings.size()))
            : Part.failed(
                "Environment",
                "%s: %s; %s"
                    .formatted(
                        problems.getFirst().check(),
                        problems.getFirst().found(),
                        problems.getFirst().remedy())));
  }

  private void measure(TimeLimit limit, Listening listening)
      throws IOException, InterruptedException {
    step.accept("device");
    String device = stage.hardware().getOrDefault("device", stage.device());
    try {
      stage.prepare(List.of());
      parts.add(
          Part.worked(
              "Device",
              StandIns.isOne(stage.hardware())
                  ? device + "; there is no GPU, so nothing here is proven on one"
                  : device));
    } catch (StageException e) {
      parts.add(Part.failed("Device", String.valueOf(e.getMessage())));
      return;
    }
    step.accept("interception");
    try {
      seen = proof.run();
      parts.add(Verdicts.of(seen));
    } catch (StageException e) {
      parts.add(Part.failed("Interception", String.valueOf(e.getMessage())));
    }
    Selection selection = Selection.of(stage, limit.left());
    leftOut.addAll(selection.leftOut());
    experiments(
        selection.experiments(), limit, listening.to(selection.experiments(), stage, limit.left()));
  }

  private void experiments(List<Experiment> experiments, TimeLimit limit, Runner.Listener listener)
      throws IOException, InterruptedException {
    for (Experiment experiment : experiments) {
      if (limit.over()) {
        leftOut.add(Part.leftOut(Selection.name(experiment), "no time was left"));
        continue;
      }
      Runner.Order order =
          new Runner.Order(
              List.of(experiment),
              Extent.QUICK,
              plan.records(),
              false,
              plan.version(),
              plan.commit());
      if (!measured(new Runner(stage, order, listener), limit)) {
        cutShort.add(experiment.id());
        leftOut.add(Part.leftOut(Selection.name(experiment), "cut short: the time was over"));
      }
    }
  }

  /** Whether it ended before the time was over. */
  private static boolean measured(Runner runner, TimeLimit limit)
      throws IOException, InterruptedException {
    try {
      return runner.run().stream().allMatch(r -> r.state().equals(ResultRecord.COMPLETE))
          || !limit.over();
    } catch (InterruptedException | IOException e) {
      if (!limit.over()) {
        throw e;
      }
      boolean _ = Thread.interrupted();
      return false;
    }
  }
}
