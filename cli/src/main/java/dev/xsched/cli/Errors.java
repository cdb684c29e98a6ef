package dev.xsched.cli;

import dev.xsched.queue.DeviceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns whatever goes wrong into one line and an exit code. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  /** The caller asked for something that cannot be; the line names what can. */
  static final int USAGE = 2;

  /** It should have worked. */
  static final int FAILED = 1;

  private final Terminal terminal;

  Errors(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    return usage(UsageMessages.of(e));
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
    return explain(e);
  }

  int explain(Exception e) {
    return switch (e) {
      case IllegalArgumentException _ -> usage(String.valueOf(e.getMessage()));
      case DeviceException _ -> say(FAILED, String.valueOf(e.getMessage()));
      case Failure failure -> say(failure.code(), String.valueOf(failure.getMessage()));
      case IOException _ ->
          say(FAILED, "%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
      default -> bug(e);
    };
  }

  int badPlugin(ServiceConfigurationError e) {
    return usage(
        "a jar on the class path is broken (%s); mend it or take it out of XSCHED_PLUGINS"
            .formatted(e.getMessage()));
  }

  /** Our own fault: the details go where they can be sent to us. */
  int bug(Throwable e) {
    String where;
    if (debugging()) {
      e.printStackTrace(terminal.err());
      where = "the stack trace is above";
    } else {
      where = write(e);
    }
    return say(FAILED, "internal error, please report it: %s; %s".formatted(e, where));
  }

  private static String write(Throwable e) {
    try {
      Path file = Files.createTempFile("xsched-error-", ".txt");
      try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(file))) {
        e.printStackTrace(writer);
      }
      return "the stack trace is in " + file;
    } catch (IOException _) {
      return "XSCHED_DEBUG=1 shows the stack trace";
    }
  }

  private int usage(String message) {
    return say(USAGE, message);
  }

  private int say(int code, String message) {
    terminal.err().println(line(message));
    return code;
  }

  static boolean debugging() {
    return System.getenv("XSCHED_DEBUG") != null;
  }

  /** Whatever was said, in one line that tells who said it. */
  static String line(String message) {
    return "xsched: " + message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
