package dev.xsched.e2e;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
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
import java.util.function.Predicate;

/** A daemon as a process of its own, and its REST interface. */
final class DaemonProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final Path output;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String address;
  private final String token;

  private DaemonProcess(Process process, Path output, String address, String token) {
    this.process = process;
    this.output = output;
    this.address = address;
    this.token = token;
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param output where it prints
   * @param prefix what to put before it, such as unshare
   */
  static DaemonProcess start(Path folder, Path output, List<String> prefix, String... options)
      throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx128m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("dev.xsched.cli.Main");
    command.add("serve");
    command.add("--foreground");
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("XSCHED_DIR", folder.toString());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    Process process = builder.start();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IllegalStateException("no daemon: " + Files.readString(output));
      }
      try {
        // Not from the files: where the disk is full there are none.
        String[] answer = Registration.token(new ControlDirectory(folder)).split(" ", 2);
        return new DaemonProcess(process, output, answer[0], answer[1]);
      } catch (IOException e) {
        Thread.sleep(20);
      }
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  String address() {
    return address;
  }

  String token() {
    return token;
  }

  /** What it has said so far. */
  String output() throws IOException {
    return Files.readString(output);
  }

  DaemonState state() throws Exception {
    HttpResponse<byte[]> answer =
        http.send(request("/api/v1/state").GET().build(), HttpResponse.BodyHandlers.ofByteArray());
    return Json.read(answer.body(), DaemonState.class);
  }

  /** What a path answers, as text. */
  String text(String path) throws Exception {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Waits until the state is as wanted, and returns it. */
  DaemonState await(String what, Predicate<DaemonState> wanted) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    DaemonState state = state();
    while (!wanted.test(state)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it never came to this: " + what + "\n" + Json.of(state));
      }
      Thread.sleep(10);
      state = state();
    }
    return state;
  }

  DaemonState awaitPrograms(int count) throws Exception {
    return await(
        count + " programs with queues",
        s -> s.programs().stream().filter(p -> !p.queues().isEmpty()).count() == count);
  }

  void setPolicy(String name) throws Exception {
    change("PUT", "/api/v1/policy", "{\"name\":\"%s\"}".formatted(name));
  }

  void hint(String target, String hint, long value) throws Exception {
    change(
        "PATCH",
        "/api/v1/hints",
        "{\"target\":\"%s\",\"hints\":{\"%s\":%d}}".formatted(target, hint, value));
  }

  private void change(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = send(method, path, body, token);
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
  }

  HttpResponse<String> send(String method, String path, String body, String withToken)
      throws Exception {
    return http.send(
        request(path)
            .header("Authorization", "Bearer " + withToken)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + address + path))
        .timeout(Duration.ofSeconds(10));
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(5, TimeUnit.SECONDS).exceptionally(_ -> kill9()).join();
  }

  private Process kill9() {
    return process.destroyForcibly();
  }
}
