package dev.xsched.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.run.Runner;
import dev.xsched.bench.run.Stages;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.worker.Interception;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.report.experiments.Part;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a model, which has all levels and takes no time. */
class ValidationTest {
  private static final Interception SEEN =
      new Interception("black_scholes", true, 39, List.of(1, 2, 3), "");

  private static final Set<Object> FEW = Set.of("7.3.1", "7.2.1");

  @TempDir private Path out;

  private static final class Silent implements Runner.Listener {
    @Override
    public void starts(Experiment experiment) {}

    @Override
    public void skipped(Experiment experiment, String reason) {}

    @Override
    public void begins(String what) {}

    @Override
    public void played(Duration deviceTime) {}

    @Override
    public void wrote(ResultRecord record, Path file) {}
  }

  private List<Part> validate(Duration time, Validation.Proof proof, Finding... findings)
      throws Exception {
    Map<String, String> variables = Map.of("GPU_MAX_HW_QUEUES", "8", "SECRET", "42");
    Validation.Plan plan = new Validation.Plan(out, time, "1", "abc", variables);
    try (Stage stage = Stages.open("sim:gv100")) {
      return new Validation(plan, few(stage), proof, step -> {})
          .run(List.of(findings), (experiments, on, limit) -> new Silent());
    }
  }

  /** Two experiments are enough to see how it goes. */
  private static Stage few(Stage all) {
    return (Stage)
        Proxy.newProxyInstance(
            Stage.class.getClassLoader(),
            new Class<?>[] {Stage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("cannotRun") && !FEW.contains(arguments[0])) {
                return Optional.of("not in this test");
              }
              try {
                return method.invoke(all, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Part part(List<Part> parts, String name) {
    return parts.stream()
        .filter(part -> part.name().startsWith(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not among " + parts));
  }

  @Test
  void everyPartIsTriedAndTold() throws Exception {
    List<Part> parts = validate(Duration.ofHours(1), () -> SEEN);
    assertThat(part(parts, "Environment").state()).isEqualTo(Part.State.WORKED);
    assertThat(part(parts, "Interception").found()).contains("39 launches", "the same as without");
    for (String level : List.of("Level 1", "Level 2", "Level 3")) {
      assertThat(part(parts, level).found()).contains("preempted in", "P99", "experiment 7.3.1");
    }
    assertThat(part(parts, "7.2.1").found()).contains("goals met");
    assertThat(part(parts, "F.2"))
        .isEqualTo(Part.leftOut(part(parts, "F.2").name(), "not on this device: not in this test"));
    assertThat(Files.readString(out.resolve("environment.json")))
        .contains("\"GPU_MAX_HW_QUEUES\" : \"8\"")
        .doesNotContain("SECRET");
  }

  @Test
  void whatFailsDoesNotEndTheRest() throws Exception {
    List<Part> parts =
        validate(
            Duration.ofHours(1),
            () -> {
              throw new StageException("no worker; build it");
            },
            Finding.problem("/dev/kfd", "may not be opened by you", "join render"));
    assertThat(part(parts, "Environment"))
        .isEqualTo(Part.failed("Environment", "/dev/kfd: may not be opened by you; join render"));
    assertThat(part(parts, "Interception").found()).isEqualTo("no worker; build it");
    assertThat(part(parts, "Level 1").state()).isEqualTo(Part.State.WORKED);
  }

  @Test
  void whenTheTimeIsOverTheReportSaysSo() throws Exception {
    List<Part> parts =
        validate(
            Duration.ofMillis(1),
            () -> {
              TimeUnit.MINUTES.sleep(1);
              return SEEN;
            });
    assertThat(part(parts, "Time").state()).isEqualTo(Part.State.FAILED);
    assertThat(part(parts, "Level 1").found()).isEqualTo("not measured");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whoeverElseInterruptsEndsIt() {
    assertThatThrownBy(
            () ->
                validate(
                    Duration.ofHours(1),
                    () -> {
                      throw new InterruptedException();
                    }))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void aLevelThatTheDaemonDoesNotOfferIsNotTakenForMeasured() throws Exception {
    List<Part> parts =
        validate(
            Duration.ofHours(1),
            () -> new Interception("black_scholes", true, 39, List.of(1), "CWSR is off"));
    assertThat(part(parts, "Level 3").state()).isEqualTo(Part.State.LEFT_OUT);
    assertThat(part(parts, "Level 3").found()).startsWith("not offered").endsWith("CWSR is off");
  }

  @Test
  void aProgramThatWasNotSeenIsAFailure() {
    assertThat(Verdicts.of(new Interception("x", true, 0, List.of(), "")).state())
        .isEqualTo(Part.State.FAILED);
    assertThat(Verdicts.of(new Interception("x", false, 9, List.of(1), "")).found())
        .contains("DIFFERENT");
  }

  @Test
  void theMostTellingExperimentsComeFirstAndSomeNever() throws Exception {
    try (Stage stage = Stages.open("sim:gv100")) {
      Selection much = Selection.of(stage, Duration.ofDays(1));
      assertThat(much.experiments()).extracting(Experiment::id).startsWith("7.3.1");
      assertThat(Selection.of(stage, Duration.ZERO).experiments()).isEmpty();
      assertThat(Selection.of(stage, Duration.ZERO).leftOut())
          .anyMatch(part -> part.found().contains("--minutes"));
    }
    try (Stage cuda = Stages.open("cuda")) {
      assertThat(Selection.of(cuda, Duration.ofDays(1)).experiments())
          .extracting(Experiment::id)
          .contains("N.3")
          .doesNotContain("N.6", "N.7");
    }
  }
}
