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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that the launcher is to become, and what the user asks for it.
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
          "--timeslice", Hint.TIMESLICE,
          "--k", Hint.K);
  private static final Set<String> OTHERS =
      Set.of("--level", "--threshold", "--batch", "--name", "--slo");

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
      boolean known = HINTS.containsKey(option) || OTHERS.contains(option);
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

  /** Prepares all that the program needs, and tells the launcher how to become it. */
  public int perform(Terminal terminal, Host host) throws Failure, InterruptedException {
    Map<String, String> added = variables(host.environment());
    Path file = Program.find(program.getFirst(), host.environment()).orElse(null);
    Path folder = daemon(terminal, host);
    Optional<Path> library = Optional.empty();
    if (folder != null) {
      added.put("XSCHED_DIR", folder.toString());
      library = Preload.library(program.getFirst(), file, host.environment(), terminal);
      RunMark.make(host.environment(), host.uid()).ifPresent(mark -> added.put("XSCHED_RUN", mark));
    }
    terminal.out().print(Handover.script(program.size(), added, library));
    terminal.out().flush();
    return 0;
  }

  private Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> added = new LinkedHashMap<>();
    if (!environment.containsKey(PREFIX)) { // OFF leaves alone what is no XQueue of the program.
      added.put(PREFIX, "ON");
    }
    if (options.containsKey("--threshold") && options.containsKey("--batch")) {
      WindowOption.parse(options.get("--threshold") + "/" + options.get("--batch"));
    }
    options.forEach(
        (option, text) -> {
          switch (option) {
            case "--slo" -> addHint(added, HintValues.goalOf(text), text);
            case "--name" -> added.put("XSCHED_NAME", text);
            case "--threshold" ->
                added.put(PREFIX + "_THRESHOLD", Integer.toString(WindowOption.commands(text)));
            case "--batch" ->
                added.put(PREFIX + "_BATCH_SIZE", Integer.toString(WindowOption.commands(text)));
            case "--level" -> {
              if (Levels.parse(text) != Levels.BEST) {
                added.put(PREFIX + "_LEVEL", text);
              }
            }
            default -> addHint(added, Objects.requireNonNull(HINTS.get(option)), text);
          }
        });
    return added;
  }

  private static void addHint(Map<String, String> added, Hint hint, String text) {
    // The original has a name of its own for this one.
    String name = hint == Hint.K ? "KDEADLINE" : hint.name();
    added.put(PREFIX + "_" + name, Long.toString(HintValues.parse(hint, text)));
  }

  /** Returns the folder of a daemon, which is started if need be; without one the show goes on. */
  private @Nullable Path daemon(Terminal terminal, Host host) throws InterruptedException {
    try {
      Optional<DaemonClient> running = DaemonClient.find(host);
      if (running.isPresent()) {
        return running.get().directory().path();
      }
      ControlDirectory directory = ControlDirectory.ofDaemon(host.environment(), host.uid());
      if (DaemonFiles.hasPrivateDaemon(directory)) {
        return directory.path();
      }
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
