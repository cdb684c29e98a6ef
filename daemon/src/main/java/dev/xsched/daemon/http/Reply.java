package dev.xsched.daemon.http;

import dev.xsched.json.Json;
import java.io.IOException;
import java.io.OutputStream;

/** What a route answers. */
sealed interface Reply {
  String JSON = "application/json";

  int status();

  String contentType();

  /** An answer that is there at once. */
  record Whole(int status, String contentType, String body) implements Reply {}

  /** An answer that goes on until its reader leaves. */
  record Stream(String contentType, Writer writer) implements Reply {
    @Override
    public int status() {
      return 200;
    }
  }

  /** Writes for as long as there is something to say; runs on the request's own thread. */
  @FunctionalInterface
  interface Writer {
    void writeTo(OutputStream out) throws IOException, InterruptedException;
  }

  static Reply json(Object value) {
    return json(200, value);
  }

  static Reply json(int status, Object value) {
    return new Whole(status, JSON, Json.compact(value));
  }
}
