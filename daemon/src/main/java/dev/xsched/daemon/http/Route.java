package dev.xsched.daemon.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is served, and what the description says of it.
 *
 * @param path where a last part {@code {name}} stands for any one name
 * @param body the record that the request must carry, null for none
 * @param status what it answers when all is well
 * @param answer the record that comes back: a class, or a list with the class of its elements, or
 *     null for what is no JSON
 */
record Route(
    Method method,
    String path,
    String summary,
    List<Parameter> parameters,
    @Nullable Class<?> body,
    int status,
    String contentType,
    @Nullable Object answer,
    Handler handler) {

  enum Method {
    GET,
    PUT,
    PATCH,
    POST;

    /** Whoever wants to change something must show a token. */
    boolean changes() {
      return this != GET;
    }
  }

  /** A parameter of the path or of the query. */
  record Parameter(String name, String in, String type, String meaning) {}

  @FunctionalInterface
  interface Handler {
    Reply handle(Request request);
  }

  static Route read(String path, String summary, Object answer, Handler handler) {
    return new Route(Method.GET, path, summary, List.of(), null, 200, Reply.JSON, answer, handler);
  }

  static Route text(String path, String summary, String contentType, Handler handler) {
    return new Route(Method.GET, path, summary, List.of(), null, 200, contentType, null, handler);
  }

  static Route change(
      Method method,
      String path,
      String summary,
      @Nullable Class<?> body,
      int status,
      Class<?> answer,
      Handler handler) {
    return new Route(method, path, summary, List.of(), body, status, Reply.JSON, answer, handler);
  }

  Route with(Parameter parameter) {
    return new Route(
        method, path, summary, List.of(parameter), body, status, contentType, answer, handler);
  }

  boolean matches(String requested) {
    int name = path.indexOf('{');
    if (name < 0) {
      return path.equals(requested);
    }
    return requested.startsWith(path.substring(0, name))
        && requested.length() > name
        && requested.indexOf('/', name) < 0;
  }
}
