package dev.xsched.daemon.http;

import com.sun.net.httpserver.HttpExchange;
import dev.xsched.daemon.api.Caller;
import dev.xsched.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request that was let in: its path, its query, its body and who sent it. */
final class Request {
  static final int MOST_BYTES = 64 << 10;

  /** A client that is still sending does not read our answer, so that much is read and dropped. */
  private static final int MOST_DROPPED = 4 << 20;

  private final HttpExchange exchange;
  private final @Nullable Caller caller;

  Request(HttpExchange exchange, @Nullable Caller caller) {
    this.exchange = exchange;
    this.caller = caller;
  }

  /** Who asks. Only for routes that change something; the others let in anybody. */
  Caller caller() {
    if (caller == null) {
      throw new IllegalStateException("a route that needs a caller let in nobody");
    }
    return caller;
  }

  /** The last part of the path. */
  String name() {
    String path = exchange.getRequestURI().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** A number in the query, or what stands for it when it is not given. */
  long number(String parameter, long otherwise) {
    Map<String, String> query = query(Set.of(parameter));
    String text = query.get(parameter);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter '%s' is no whole number; give one such as 0".formatted(parameter), e);
    }
  }

  private Map<String, String> query(Set<String> known) {
    Map<String, String> values = new HashMap<>();
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null || query.isEmpty()) {
      return values;
    }
    for (String part : query.split("&", -1)) {
      String[] pair = part.split("=", 2);
      String name = URLDecoder.decode(pair[0], StandardCharsets.UTF_8);
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "unknown parameter '%s'; give one of %s".formatted(name, String.join(", ", known)));
      }
      values.put(name, pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    return values;
  }

  <T> T body(Class<T> type) {
    byte[] bytes = bytes();
    if (bytes.length == 0) {
      throw new IllegalArgumentException("the body is empty; send a JSON object");
    }
    return Json.read(bytes, type);
  }

  private byte[] bytes() {
    try {
      InputStream in = exchange.getRequestBody();
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        for (int dropped = 0; dropped < MOST_DROPPED; dropped += MOST_BYTES) {
          if (in.readNBytes(MOST_BYTES).length < MOST_BYTES) {
            break;
          }
        }
        throw new Refused(413, "the body is over %d bytes; send less".formatted(MOST_BYTES));
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
