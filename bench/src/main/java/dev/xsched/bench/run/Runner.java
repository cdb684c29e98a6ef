package dev.xsched.bench.run;

import dev.xsched.bench.RecordFiles;
import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.StandIns;
import dev.xsched.bench.experiment.Director;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.record.RecordReader;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs experiments one after the other on a stage. Each leaves its record as soon as it has ended,
 * also if it failed; then the next one goes on.
 */
public final class Runner {
  /**
   * What is to be done.
   *
   * @param out the folder of the records
   * @param again measures also what the folder has already
   */
  public record Order(
      List<Experiment> experiments,
      Extent extent,
      Path out,
      boolean again,
      String version,
      String commit) {}

  /** Hears how it goes. */
  public interface Listener extends Director.Audience {
    void starts(Experiment experiment);

    void skipped(Experiment experiment, String reason);

    void wrote(ResultRecord record, Path file);
  }

  /** How git marks sources that were changed since: the same mark may stand for other code. */
  private static final String DIRTY = "-dirty";

  private final Stage stage;
  private final Order order;
  private final Listener listener;
  private final List<ResultRecord> records = new ArrayList<>();
  private final List<RunRecord> kept = new ArrayList<>();

  public Runner(Stage stage, Order order, Listener listener) {
    this.stage = stage;
    this.order = order;
    this.listener = listener;
  }

  /**
   * Runs all. A record that cannot be written ends it: there is no use in measuring on.
   *
   * @throws InterruptedException after the record of what was interrupted was written
   */
  public List<ResultRecord> run() throws IOException, InterruptedException {
    Files.createDirectories(order.out());
    for (Experiment experiment : order.experiments()) {
      Optional<String> reason = whyNot(experiment);
      if (reason.isPresent()) {
        listener.skipped(experiment, reason.get());
      } else {
        listener.starts(experiment);
        run(experiment);
      }
    }
    return List.copyOf(records);
  }

  /** The records of what was asked for and was there already, so not measured again. */
  public List<RunRecord> kept() {
    return List.copyOf(kept);
  }

  private Optional<String> whyNot(Experiment experiment) throws IOException {
    Optional<String> impossible = stage.cannotRun(experiment.id());
    if (impossible.isPresent()) {
      return impossible.map(r -> "not on %s: %s".formatted(stage.device(), r));
    }
    Optional<RunRecord> done = order.again() ? Optional.empty() : done(experiment);
    done.ifPresent(kept::add);
    return done.map(_ -> "is in %s already; --again measures it anew".formatted(order.out()));
  }

  private Optional<RunRecord> done(Experiment experiment) throws IOException {
    if (order.commit().endsWith(DIRTY)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(order.out(), experiment.id() + "-*.json")) {
      for (Path file : files) {
        Optional<RunRecord> record = read(file).filter(this::isOfThisRun);
        if (record.isPresent()) {
          return record;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isOfThisRun(RunRecord record) {
    return record.state() == RunRecord.State.COMPLETE
        && record.commit().equals(order.commit())
        && record.device().equals(stage.device())
        && record.labels().equals(labels());
  }

  private List<String> labels() {
    return RunRecord.labels(stage.simulated(), stage.hardware(), order.extent().quick());
  }

  private static Optional<RunRecord> read(Path file) {
    try {
      return Optional.of(RecordReader.read(file, file.toString()));
    } catch (IOException | IllegalArgumentException _) {
      return Optional.empty(); // It is written anew.
    }
  }

  /** One for each experiment and device, so that a folder holds the latest of each. */
  private Path file(Experiment experiment) {
    String device = stage.device().replaceAll("[^A-Za-z0-9]+", "-");
    return order.out().resolve("%s-%s.json".formatted(experiment.id(), device));
  }

  /** In place of an earlier one if it says as much, else beside it: what was measured is kept. */
  private Path keep(ResultRecord record, Path file) throws IOException {
    boolean inPlace = read(file).map(earlier -> saysAsMuch(record, earlier)).orElse(true);
    return inPlace ? RecordFiles.replace(record, file) : RecordFiles.add(record, order.out());
  }

  private boolean saysAsMuch(ResultRecord record, RunRecord earlier) {
    boolean cameAsFar =
        switch (record.state()) {
          case ResultRecord.COMPLETE -> true;
          case ResultRecord.INVALID -> earlier.state() != RunRecord.State.COMPLETE;
          default -> false; // Of two that ended early, the later one may have played less.
        };
    return cameAsFar && earlier.labels().containsAll(labels());
  }

  private void run(Experiment experiment) throws IOException, InterruptedException {
    Findings findings = new Findings();
    Director director = new Director(stage, order.extent(), findings, listener);
    try {
      experiment.run(director, findings);
      write(experiment, findings, findings.state());
    } catch (StageException e) {
      writePartial(experiment, findings, director, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      writePartial(experiment, findings, director, "it was interrupted");
      throw e;
    } catch (RuntimeException e) {
      writePartial(experiment, findings, director, "internal error, please report it: " + e);
    }
  }

  private void writePartial(
      Experiment experiment, Findings findings, Director director, String reason)
      throws IOException {
    findings.note("partial: " + reason);
    putWhatWasPlayed(director.played(), findings);
    write(experiment, findings, ResultRecord.PARTIAL);
  }

  /** So that hours on a device that then vanished are not for nothing. */
  private static void putWhatWasPlayed(Runs played, Findings findings) {
    for (String label : played.labels()) {
      List<Outcome> outcomes = played.of(label);
      findings.put("runs_" + label, outcomes.size());
      for (Outcome.PartyOutcome party : outcomes.getFirst().parties()) {
        String name = "%s_%s".formatted(party.name(), label).replace(' ', '_');
        findings.put("p99_latency_so_far_" + name, played.percentile(99, label, party.name()));
      }
    }
  }

  private void write(Experiment experiment, Findings findings, String state) throws IOException {
    boolean complete = state.equals(ResultRecord.COMPLETE);
    if (StandIns.isOne(stage.hardware())) {
      findings.note(StandIns.NOTE);
    }
    ResultRecord record =
        new ResultRecord(
            experiment.id(),
            experiment.title(),
            Instant.now(),
            stage.hardware(),
            stage.runtime(),
            order.version(),
            order.commit(),
            "./xsched bench run %s --device %s%s"
                .formatted(
                    experiment.id(), stage.device(), order.extent().quick() ? " --quick" : ""),
            stage.device(),
            stage.simulated(),
            order.extent().quick(),
            state,
            findings.configuration(),
            findings.results(),
            findings.series(),
            findings.criteria(),
            complete && findings.pass(),
            findings.notes());
    records.add(record);
    try {
      listener.wrote(record, keep(record, file(experiment)));
    } catch (IOException e) {
      throw new IOException(
          "cannot write the record of %s to %s (%s); make room or give --out another folder, and"
                  .formatted(experiment.id(), order.out(), e.getMessage())
              + " run the same again: what is complete is kept",
          e);
    }
  }
}
