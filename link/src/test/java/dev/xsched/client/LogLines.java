package dev.xsched.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the client says to its user. */
final class LogLines extends Handler implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("dev.xsched.client");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final SimpleFormatter formatter = new SimpleFormatter();

  LogLines() {
    LOGGER.addHandler(this);
    LOGGER.setUseParentHandlers(false);
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  List<String> with(String part) {
    return lines.stream().filter(l -> l.contains(part)).toList();
  }

  @Override
  public void publish(LogRecord record) {
    lines.add(formatter.formatMessage(record));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
    LOGGER.setUseParentHandlers(true);
  }
}
