package dev.xsched.daemon.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The files of the page. They come from the jar, and only those named here are served. */
final class Assets {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("index.html", "text/html; charset=utf-8"),
          Map.entry("page.css", "text/css; charset=utf-8"),
          Map.entry("icon.svg", "image/svg+xml"),
          Map.entry("main.js", SCRIPT),
          Map.entry("changes.js", SCRIPT),
          Map.entry("connection.js", SCRIPT),
          Map.entry("dom.js", SCRIPT),
          Map.entry("editor.js", SCRIPT),
          Map.entry("format.js", SCRIPT),
          Map.entry("header.js", SCRIPT),
          Map.entry("histogram.js", SCRIPT),
          Map.entry("programs.js", SCRIPT),
          Map.entry("timeline.js", SCRIPT));

  private Assets() {}

  static Reply page() {
    return asset("index.html");
  }

  static Reply asset(String name) {
    String type = TYPES.get(name);
    if (type == null) {
      throw new Refused(404, "the page has no such file; open / instead");
    }
    try (InputStream in = Assets.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new Reply.Whole(200, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
