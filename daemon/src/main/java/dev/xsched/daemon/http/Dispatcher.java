package dev.xsched.daemon.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.NotAllowedException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes every request: turns away what must not come in, finds the route, and turns what goes wrong
 * into a status and one line with the remedy.
 */
final class Dispatcher implements HttpHandler {
  private static final System.Logger LOG = System.getLogger("dev.xsched.http");
  private static final Pattern BEARER =
      Pattern.compile("Bearer +([\\x21-\\x7e]+) *", Pattern.CASE_INSENSITIVE);

  /** The page loads nothing from elsewhere, and nobody else may frame it or read from us. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
              + " object-src 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final List<Route> routes;
  private final Tokens tokens;
  private final boolean onlyLoopback;

  /**
   * @param onlyLoopback whether requests that name another host are refused
   */
  Dispatcher(List<Route> routes, Tokens tokens, boolean onlyLoopback) {
    this.routes = routes;
    this.tokens = tokens;
    this.onlyLoopback = onlyLoopback;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, answer(exchange));
    }
  }

  private Reply answer(HttpExchange exchange) {
    try {
      return route(exchange);
    } catch (Refused e) {
      return error(e.status(), e);
    } catch (NotAllowedException e) {
      return error(403, e);
    } catch (IllegalArgumentException e) {
      return error(400, e);
    } catch (UncheckedIOException e) {
      return error(400, "the request broke off; send it again");
    } catch (RuntimeException | Error e) {
      LOG.log(
          Level.ERROR,
          "%s %s failed".formatted(exchange.getRequestMethod(), exchange.getRequestURI().getPath()),
          e);
      return error(500, "this is a bug of the daemon; its log says more, please report it");
    }
  }

  private Reply route(HttpExchange exchange) {
    if (onlyLoopback && !LoopbackHost.isLoopback(exchange.getRequestHeaders().getFirst("Host"))) {
      throw new Refused(403, "the Host header names another machine; ask for 127.0.0.1");
    }
    String path = exchange.getRequestURI().getPath();
    List<Route> there = routes.stream().filter(r -> r.matches(path)).toList();
    if (there.isEmpty()) {
      throw new Refused(404, "there is nothing here; /openapi.json lists what there is");
    }
    String method = exchange.getRequestMethod();
    String wanted = method.equals("HEAD") ? "GET" : method;
    Route route =
        there.stream().filter(r -> r.method().name().equals(wanted)).findFirst().orElse(null);
    if (route == null) {
      String allowed =
          there.stream().map(r -> r.method().name()).sorted().collect(Collectors.joining(", "));
      exchange.getResponseHeaders().set("Allow", allowed);
      throw new Refused(405, "this cannot be asked so; use " + allowed);
    }
    Caller caller = route.method().changes() ? caller(exchange) : null;
    return route.handler().handle(new Request(exchange, caller));
  }

  private Caller caller(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    Matcher bearer = BEARER.matcher(header == null ? "" : header);
    Caller caller = bearer.matches() ? tokens.callerOf(bearer.group(1)) : null;
    if (caller == null) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      throw new Refused(
          401,
          "%s; send 'Authorization: Bearer TOKEN' with what is in the file token-UID beside the"
                  .formatted(header == null ? "a change needs a token" : "this token is not valid")
              + " daemon's socket");
    }
    return caller;
  }

  private static Reply error(int status, Throwable e) {
    return error(status, e.getMessage());
  }

  private static Reply error(int status, @Nullable String message) {
    return Reply.json(
        status, new Answers.Failure(message == null ? "the request is not valid" : message));
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    HEADERS.forEach(headers::set);
    headers.set("Content-Type", reply.contentType());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(reply.status(), -1);
      return;
    }
    switch (reply) {
      case Reply.Whole whole -> {
        byte[] body = whole.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(whole.status(), body.length);
        exchange.getResponseBody().write(body);
      }
      case Reply.Stream stream -> {
        exchange.sendResponseHeaders(stream.status(), 0);
        try (OutputStream out = exchange.getResponseBody()) {
          stream.writer().writeTo(out);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, "a stream broke off", e);
        }
      }
    }
  }
}
