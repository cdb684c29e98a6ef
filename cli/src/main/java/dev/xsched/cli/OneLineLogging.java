package dev.xsched.cli;

import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Logging for a program that ends soon: a warning is one line on stderr, without a stack trace
 * unless XSCHED_DEBUG is set. The JDK's own takes a fifth of a second to start, as long as many of
 * our commands take.
 */
public final class OneLineLogging extends System.LoggerFinder {
  @Override
  public System.Logger getLogger(String name, Module module) {
    return new OneLineLogger(name);
  }

  private record OneLineLogger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.WARNING) >= 0 && level != Level.OFF;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        print(String.valueOf(message), thrown);
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... params) {
      if (isLoggable(level)) {
        boolean plain = format == null || params == null || params.length == 0;
        print(plain ? String.valueOf(format) : MessageFormat.format(format, params), null);
      }
    }

    private static void print(String message, @Nullable Throwable thrown) {
      String cause = thrown == null ? "" : " (" + thrown.getMessage() + ")";
      System.err.println(Errors.line(message + cause));
      if (thrown != null && Errors.debugging()) {
        thrown.printStackTrace();
      }
    }
  }
}
