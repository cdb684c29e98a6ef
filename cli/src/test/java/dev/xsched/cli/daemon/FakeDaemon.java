package dev.xsched.cli.daemon;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.xsched.cli.CommandLineHarness;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A REST interface with a state that was written by hand; it notes what it is asked for. */
final class FakeDaemon implements AutoCloseable {
  private static final String TOKEN = "secret";

  private final Path folder;
  private final HttpServer server;
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private volatile DaemonState state;
  private volatile @Nullable DaemonState next;
  private volatile int refusal;

  FakeDaemon(Path folder, DaemonState state) throws IOException {
    this.folder = folder;
    this.state = state;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    Files.writeString(folder.resolve("http"), address() + "\n");
    Files.writeString(folder.resolve("token-" + Files.getAttribute(folder, "unix:uid")), TOKEN);
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  Map<String, String> environment() {
    return Map.of("XSCHED_DIR", folder.toString());
  }

  CommandLineHarness.Outcome run(String... args) {
    return CommandLineHarness.run(environment(), args);
  }

  /** What it is after the next change. */
  void becomes(DaemonState after) {
    next = after;
  }

  /** How it answers changes from now on. */
  void refuses(int status) {
    refusal = status;
  }

  /** Each as method, path and body without white space. */
  List<String> changes() {
    return changes;
  }

  void forbidChanges() throws IOException {
    Files.delete(folder.resolve("token-" + Files.getAttribute(folder, "unix:uid")));
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (exchange.getRequestMethod().equals("GET")) {
      reply(exchange, 200, path.endsWith("/state") ? Json.of(state) : "[]");
      return;
    }
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String compact = JsonMapper.shared().readTree(body).toString();
    changes.add(exchange.getRequestMethod() + " " + path + " " + compact);
    if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      reply(exchange, 403, "{\"error\":\"wrong token\"}");
    } else if (refusal != 0) {
      reply(exchange, refusal, "{\"error\":\"no, because of that\"}");
    } else {
      DaemonState after = next;
      state = after == null ? state : after;
      reply(exchange, 200, "{}");
      if (path.endsWith("/stop")) {
        Thread.ofPlatform().start(this::close);
      }
    }
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
