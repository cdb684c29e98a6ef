package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Hint;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A program to become, and what the user asks for it.
 *
 * @param options each with its value
 * @param program with its arguments
 */
public record RunRequest(Map<String, String> options, List<String> program) {
  private static final String PREFIX = "XSCHED_AUTO_XQUEUE";
  private static final Map<String, Hint> HINTS =
      Map.of(
          "--priority", Hint.PRIORITY,
          "--utilization", Hint.UTILIZATION,
          "--deadline", Hint.DEADLINE,
          "--laxity", Hint.LAXITY,
          "--timeslice", Hint.TIMESLICE);

  /**
   * Reads a plain command line. The parser of all other commands takes a quarter of a second to
   * load, which a user would wait for at each start of a program; this leaves to it whatever is not
   * a known option with its value.
   */
  public static Optional<RunRequest> quick(List<String> line) {
    if (line.isEmpty() || !line.getFirst().equals("run")) {
      return Optional.empty();
    }
    Map<String, String> options = new LinkedHashMap<>();
    int i = 1;
    while (i < line.size() && line.get(i).startsWith("-") && !line.get(i).equals("--")) {
      String option = line.get(i);
      boolean known =
          HINTS.containsKey(option) || option.equals("--level") || option.equals("--name");
      boolean twice = i + 1 < line.size() && options.put(option, line.get(i + 1)) != null;
      if (!known || twice) {
        return Optional.empty();
      }
      i += 2;
    }
    int start = i < line.size() && line.get(i).equals("--") ? i + 1 : i;
    return start < line.size()
        ? Optional.of(new RunRequest(options, line.subList(start, line.size())))
        : Optional.empty();
  }

  /** Becomes the program; returns only where it has to run beside us, with its exit code. */
  public int perform(Terminal terminal, Host host) throws Failure, InterruptedException {
    Map<String, String> added = variables();
    Program.checkRunnable(program.getFirst(), host.environment());
    Path folder = daemon(terminal, host);
    if (folder != null) {
      added.put("XSCHED_DIR", folder.toString());
    }
    terminal.out().flush();
    terminal.err().flush();
    return Program.become(program, added);
  }

  private Map<String, String> variables() {
    Map<String, String> added = new LinkedHashMap<>();
    added.put(PREFIX, "ON");
    options.forEach(
        (option, text) -> {
          Hint hint = HINTS.get(option);
          if (hint != null) {
            added.put(PREFIX + "_" + hint.name(), Long.toString(HintValues.parse(hint, text)));
          } else if (option.equals("--name")) {
            added.put("XSCHED_NAME", text);
          } else if (Levels.parse(text) != Levels.BEST) {
            added.put(PREFIX + "_LEVEL", text);
          }
        });
    return added;
  }

  /** Returns the folder of a daemon, which is started if need be; without one the show goes on. */
  private @Nullable Path daemon(Terminal terminal, Host host) throws InterruptedException {
    try {
      Optional<DaemonClient> running = DaemonClient.find(host);
      if (running.isPresent()) {
        return running.get().directory().path();
      }
      ControlDirectory directory = ControlDirectory.ofDaemon(host.environment(), host.uid());
      new DaemonProcess(directory, DaemonProcess.command(List.of()), terminal, host.uid()).start();
      return directory.path();
    } catch (Failure e) {
      terminal
          .err()
          .printf("xsched: %s runs unscheduled: %s%n", program.getFirst(), e.getMessage());
      return null;
    }
  }
}
