package dev.xsched.bench;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A daemon under measurement, seen through its REST interface. */
final class DaemonProcess implements AutoCloseable {
  /** Those of {@code xsched serve}. */
  static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m", "-Xss512k");

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI state;

  private DaemonProcess(Process process, Path folder, String address) {
    this.process = process;
    this.folder = folder;
    this.state = URI.create("http://" + address + "/api/v1/state");
  }

  static DaemonProcess start(String policy) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("xsched-bench-");
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(JVM_OPTIONS);
    java.add("--enable-native-access=ALL-UNNAMED");
    java.add("-cp");
    java.add(System.getProperty("java.class.path"));
    java.add(DaemonMain.class.getName());
    java.add(folder.toString());
    java.add(policy);
    ControlDirectory directory = new ControlDirectory(folder);
    Process process =
        new ProcessBuilder(java)
            .redirectErrorStream(true)
            .redirectOutput(directory.log().toFile())
            .start();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(directory.http()) || !Files.exists(directory.socket())) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IOException(
            "the daemon did not start: " + Files.readString(directory.log()).strip());
      }
      Thread.sleep(20);
    }
    return new DaemonProcess(process, folder, Files.readString(directory.http()).strip());
  }

  /** The folder by which programs find it. */
  Path folder() {
    return folder;
  }

  DaemonState state() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(state).timeout(PATIENCE).build();
    HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return Json.read(answer.body(), DaemonState.class);
  }

  @Override
  public void close() throws IOException {
    http.close();
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
