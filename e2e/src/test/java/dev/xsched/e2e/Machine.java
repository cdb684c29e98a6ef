package dev.xsched.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One daemon, one shared virtual XPU and any number of programs. */
final class Machine implements AutoCloseable {
  private final Path folder;
  private final Path outputs;
  private final List<Runnable> toClose = new ArrayList<>();
  private @Nullable DaemonProcess daemon;

  /**
   * @param folder of the daemon
   * @param outputs where the device is, and what programs print
   */
  Machine(Path folder, Path outputs) {
    this.folder = folder;
    this.outputs = outputs;
  }

  /** Makes one in a folder whose path is short enough for a socket. */
  static Machine create() throws IOException {
    Path folder = Files.createTempDirectory("xs");
    return new Machine(folder, folder);
  }

  Path folder() {
    return folder;
  }

  Path outputs() {
    return outputs;
  }

  Path device() {
    return outputs.resolve("device");
  }

  DaemonProcess startDaemon(String... options) throws Exception {
    return startDaemonUnder(List.of(), options);
  }

  /** Starts it behind other commands, such as unshare. */
  DaemonProcess startDaemonUnder(List<String> prefix, String... options) throws Exception {
    return startDaemon(outputs.resolve("daemon.out"), prefix, options);
  }

  /** Starts one that can print nothing. */
  DaemonProcess startDaemonWithFullLog(String... options) throws Exception {
    return startDaemon(Path.of("/dev/full"), List.of(), options);
  }

  private DaemonProcess startDaemon(Path output, List<String> prefix, String... options)
      throws Exception {
    DaemonProcess started = DaemonProcess.start(folder, output, prefix, options);
    toClose.add(started::close);
    daemon = started;
    return started;
  }

  DaemonProcess daemon() {
    if (daemon == null) {
      throw new IllegalStateException("no daemon was started");
    }
    return daemon;
  }

  /** A program of that name that will use this machine's device. */
  Load.Builder load(String name) {
    return new Load.Builder(this, name);
  }

  void closeLater(Runnable action) {
    toClose.add(action);
  }

  /** Who ran when on the device, from the device itself. */
  DeviceTrace trace() throws IOException {
    return DeviceTrace.read(device());
  }

  @Override
  public void close() {
    toClose.reversed().forEach(Runnable::run);
  }
}
