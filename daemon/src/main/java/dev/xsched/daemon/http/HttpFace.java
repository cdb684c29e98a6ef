package dev.xsched.daemon.http;

import com.sun.net.httpserver.HttpServer;
import dev.xsched.daemon.api.DaemonControl;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The daemon's door for people and tools: REST, live events, metrics and the page.
 *
 * <p>Everybody who reaches the address may look; whoever wants to change something shows a token.
 * Bound to a loopback address, requests that name another host are refused. Every request has a
 * virtual thread of its own, so a slow one delays nobody.
 */
public final class HttpFace implements AutoCloseable {
  /**
   * The server reads these once, when its classes are loaded. A request that trickles in is cut off
   * after five seconds. Answers have no such limit, because events never end; what a client can
   * hold open is bounded by the number of connections.
   */
  private static final Map<String, String> SERVER_SETTINGS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "5",
          "sun.net.httpserver.maxReqHeaders", "64",
          "sun.net.httpserver.maxReqHeaderSize", "16384",
          "sun.net.httpserver.idleInterval", "30",
          "sun.net.httpserver.nodelay", "true",
          "jdk.httpserver.maxConnections", "256");

  private static final int SECONDS_TO_FINISH = 1;

  private final HttpServer server;
  private final ExecutorService threads;
  private final Events events;
  private final List<Route> routes;

  /**
   * Takes the address; nothing is answered before {@link #start}.
   *
   * @param address with port 0 for any that is free
   */
  public HttpFace(DaemonControl control, Tokens tokens, InetSocketAddress address)
      throws IOException {
    SERVER_SETTINGS.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
    events = new Events(control, System::nanoTime);
    routes = new Api(control, events).routes();
    server = bind(address);
    threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("xsched-http-", 0).factory());
    server.setExecutor(threads);
    server.createContext(
        "/", new Dispatcher(routes, tokens, address.getAddress().isLoopbackAddress()));
  }

  private static HttpServer bind(InetSocketAddress address) throws IOException {
    try {
      return HttpServer.create(address, 0);
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on %s:%d (%s); give --listen another address or port, such as 127.0.0.1:0 for any that is free"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
  }

  public void start() {
    server.start();
  }

  /** Where it listens, with the port that it got. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** What is served, for the test that compares it with the description. */
  List<Route> routes() {
    return routes;
  }

  /** For tests that count who listens. */
  Events events() {
    return events;
  }

  /** Ends the streams, lets the other requests finish for a second, then closes everything. */
  @Override
  public void close() {
    events.close();
    server.stop(SECONDS_TO_FINISH);
    threads.shutdownNow();
  }
}
