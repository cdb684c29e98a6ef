package dev.xsched.cli;

import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Where {@code ./xsched} starts. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Terminal.ofProcess(), args));
  }

  /** Runs one command and returns its exit code: 0 done, 1 failed, 2 asked for wrongly. */
  static int run(Terminal terminal, String... args) {
    if (args.length == 1 && args[0].equals("--version")) {
      // Loading the parser takes longer than all the rest of this, and scripts ask often.
      Version.lines().forEach(terminal.out()::println);
      terminal.out().flush();
      return 0;
    }
    return parse(terminal, args);
  }

  private static int parse(Terminal terminal, String... args) {
    Errors errors = new Errors(terminal);
    CommandLine commandLine =
        new CommandLine(new XschedCommand(), new Commands(terminal))
            .setOut(terminal.out())
            .setErr(terminal.err())
            .setColorScheme(CommandLine.Help.defaultColorScheme(ansi(terminal)))
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    int code;
    try {
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
