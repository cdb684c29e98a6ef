package dev.xsched.cli;

import dev.xsched.cli.daemon.PrivateServe;
import dev.xsched.cli.daemon.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Where {@code ./xsched} starts. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Terminal terminal = Terminal.ofProcess();
    int code = run(terminal, args);
    if (terminal.out().checkError()) {
      code = Math.max(code, Errors.FAILED);
      sayThatOutputIsLost(terminal);
    }
    System.exit(code);
  }

  /** Whoever closes a pipe early, as head does, knows it. */
  private static void sayThatOutputIsLost(Terminal terminal) {
    try {
      if (Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:")) {
        return;
      }
    } catch (IOException _) {
      // Then it is said in any case.
    }
    terminal.err().println("xsched: the output cannot be written; is the disk full?");
  }

  /** Runs one command and returns its exit code: 0 done, 1 failed, 2 asked for wrongly. */
  static int run(Terminal terminal, String... args) {
    return run(terminal, Host.ofProcess(), args);
  }

  static int run(Terminal terminal, Host host, String... args) {
    if (args.length == 1 && args[0].equals("--version")) {
      // Loading the parser takes longer than all the rest of this, and scripts ask often.
      Version.lines().forEach(terminal.out()::println);
      terminal.out().flush();
      return 0;
    }
    // So it does before a program that a user waits for; what is unusual the parser explains.
    List<String> line = List.of(args);
    Optional<RunRequest> run = RunRequest.quick(line);
    if (run.isPresent()) {
      return perform(terminal, () -> run.get().perform(terminal, host));
    }
    Optional<PrivateServe> serve = PrivateServe.quick(line);
    return serve.isPresent()
        ? perform(terminal, () -> serve.get().perform(terminal, host))
        : parse(terminal, host, args);
  }

  private static int perform(Terminal terminal, Callable<Integer> command) {
    int code;
    try {
      code = command.call();
    } catch (Exception e) {
      code = new Errors(terminal).explain(e);
    } catch (Error e) {
      code = new Errors(terminal).bug(e);
    }
    terminal.err().flush();
    return code;
  }

  private static int parse(Terminal terminal, Host host, String... args) {
    Errors errors = new Errors(terminal);
    int code;
    try {
      CommandLine commandLine =
          XschedCommand.of(new Commands(terminal, host), args)
              .setOut(terminal.out())
              .setErr(terminal.err())
              .setColorScheme(CommandLine.Help.defaultColorScheme(ansi(terminal)))
              .setUsageHelpWidth(100)
              // What begins with @ is the user's, not the name of a file with arguments.
              .setExpandAtFiles(false)
              .setParameterExceptionHandler(errors)
              .setExecutionExceptionHandler(errors);
      code = commandLine.execute(args);
    } catch (ServiceConfigurationError e) {
      code = errors.badPlugin(e);
    } catch (Error e) {
      code = errors.bug(e);
    }
    terminal.out().flush();
    terminal.err().flush();
    return code;
  }

  private static Ansi ansi(Terminal terminal) {
    return terminal.colour() ? Ansi.ON : Ansi.OFF;
  }
}
