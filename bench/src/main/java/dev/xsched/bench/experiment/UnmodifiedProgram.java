package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.scene.ProgramCheck;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;

/**
 * 4.2.1 and 4.2.2: a program that knows nothing of the scheduler computes the same with it as
 * without, is seen by it, and is not slower.
 */
final class UnmodifiedProgram implements Experiment {
  private static final double SLOWER_PERCENT = 5;

  private final ProgramCheck.Program program;

  private UnmodifiedProgram(ProgramCheck.Program program) {
    this.program = program;
  }

  static UnmodifiedProgram pyTorch() {
    return new UnmodifiedProgram(ProgramCheck.Program.PYTORCH);
  }

  static UnmodifiedProgram vendorLibraries() {
    return new UnmodifiedProgram(ProgramCheck.Program.VENDOR_LIBRARIES);
  }

  @Override
  public String id() {
    return program == ProgramCheck.Program.PYTORCH ? "4.2.1" : "4.2.2";
  }

  @Override
  public String title() {
    return program == ProgramCheck.Program.PYTORCH
        ? "PyTorch under the scheduler"
        : "Vendor libraries under the scheduler";
  }

  @Override
  public String figure() {
    return "";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return Duration.ofSeconds(30);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    judge(director.stage().check(program), findings);
  }

  static void judge(ProgramCheck check, Findings findings) {
    check.notes().forEach(findings::note);
    findings.put("outputs_compared", check.outputsCompared());
    findings.put("outputs_different", check.outputsDifferent());
    findings.put("slowdown_percent", check.slowdownPercent());
    findings.holds(
        "outputs that differ from those without the scheduler",
        "0 of at least 1",
        Measure.exactly((double) check.outputsDifferent()),
        check.outputsCompared() > 0 && check.outputsDifferent() == 0,
        null);
    findings.holds(
        "the scheduler saw the program, with its priority",
        "yes (1)",
        Measure.exactly(check.seen() ? 1 : 0),
        check.seen(),
        null);
    findings.below(
        "slower than without", Measure.exactly(check.slowdownPercent()), SLOWER_PERCENT, "%", null);
  }
}
