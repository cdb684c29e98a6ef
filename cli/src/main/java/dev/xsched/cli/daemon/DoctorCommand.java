package dev.xsched.cli.daemon;

import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.doctor.DeviceChecks;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.doctor.HostChecks;
import dev.xsched.cli.doctor.MachineFiles;
import dev.xsched.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Finds out what is wrong before the user has to. */
@Command(
    name = "doctor",
    sortOptions = false,
    header = "Check everything that scheduling needs, and say what to do.",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "The exit code is 0 if there is no problem, else 1. Warnings are no problems.",
      "",
      "Examples:",
      "  xsched doctor",
      "  xsched doctor --json | jq '.[] | select(.state != \"ok\")'"
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Host host;

  @Option(
      names = "--json",
      description = "Print JSON: [{\"check\", \"state\", \"found\", \"remedy\"}].")
  private boolean json;

  public DoctorCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(HostChecks.all());
    findings.addAll(DeviceChecks.all(MachineFiles.here(host.environment())));
    findings.addAll(DaemonChecks.all(host));
    if (json) {
      terminal.out().println(Json.of(findings));
    } else {
      print(findings);
    }
    return findings.stream().anyMatch(f -> f.state().equals("problem")) ? 1 : 0;
  }

  private void print(List<Finding> findings) {
    for (Finding finding : findings) {
      String state = "%-8s".formatted(finding.state());
      terminal
          .out()
          .printf(
              "%s %-13s %s%n",
              finding.state().equals("ok") ? state : terminal.bold(state),
              finding.check(),
              finding.found());
      if (!finding.remedy().isEmpty()) {
        terminal.out().printf("%-8s %-13s -> %s%n", "", "", finding.remedy());
      }
    }
    long problems = findings.stream().filter(f -> f.state().equals("problem")).count();
    long warnings = findings.stream().filter(f -> f.state().equals("warning")).count();
    terminal
        .out()
        .printf("%d checks: %d problems, %d warnings%n", findings.size(), problems, warnings);
  }
}
