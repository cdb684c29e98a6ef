package dev.xsched.cli.demo;

import dev.xsched.bench.Machine;
import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.judge.Findings;
import dev.xsched.cli.Version;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The demo as a record of the experiment that it is a short form of, judged by the same code. */
final class DemoRecord {
  private DemoRecord() {}

  static ResultRecord of(DemoResult result, String command) {
    Findings findings = new Findings();
    findings.configure(FixedPriority.FOREGROUND, result.workload().foreground());
    findings.configure(FixedPriority.BACKGROUND, result.workload().background());
    findings.configure("rule", result.rule().toString());
    findings.configure("seconds_per_run", Long.toString(result.perRun().toSeconds()));
    findings.note("one run of each scene, and no repetitions: a demo");
    findings.note("what is simulated: " + result.simulation());
    result.run(Configuration.STANDALONE).notes().forEach(findings::note);
    FixedPriority.judge(result.runs(), result.recordedDevice(), findings);
    Map<String, String> hardware = new TreeMap<>(Machine.hardware());
    hardware.put("device", result.device());
    return new ResultRecord(
        "7.2.1",
        "Fixed priority, as the demo shows it",
        Instant.now(),
        hardware,
        Machine.runtime(),
        Version.release(),
        Version.commit(),
        command,
        result.recordedDevice(),
        result.simulated(),
        true,
        findings.state(),
        findings.configuration(),
        findings.results(),
        findings.series(),
        findings.criteria(),
        findings.pass(),
        findings.notes());
  }
}
