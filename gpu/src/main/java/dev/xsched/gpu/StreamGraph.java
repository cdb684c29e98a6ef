package dev.xsched.gpu;

/** Commands that are launched as one. What they use must stay open as long as the graph is. */
public final class StreamGraph implements AutoCloseable {
  private final StreamDriver driver;
  private final Handle executable;

  StreamGraph(StreamDriver driver, Handle executable) {
    this.driver = driver;
    this.executable = executable;
  }

  /** A command that runs all of the graph. */
  public StreamCommand launch() {
    return StreamCommand.of(
        driver.name("GraphLaunch"),
        stream -> executable.get(address -> driver.launchGraph(address, stream)));
  }

  @Override
  public void close() {
    executable.close();
  }
}
