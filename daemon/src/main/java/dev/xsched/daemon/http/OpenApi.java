package dev.xsched.daemon.http;

import dev.xsched.policy.Hint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The description of everything that is served, made from the routes and records themselves. */
final class OpenApi {
  private static final String TOKEN = "token";

  private OpenApi() {}

  static Map<String, Object> of(List<Route> routes) {
    Schemas schemas = new Schemas();
    Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(route.path(), path -> new LinkedHashMap<>())
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route, schemas));
    }
    schemas.of(Answers.Failure.class);
    refineHintChange(schemas);
    Map<String, Object> api = new LinkedHashMap<>();
    api.put("openapi", "3.1.0");
    api.put(
        "info",
        Map.of(
            "title",
            "XSched daemon",
            "version",
            "1",
            "description",
            "Sees and steers who runs on the accelerators of this machine. Times ending in _nanos"
                + " are nanoseconds of one clock, now_nanos of the state is that clock's time."));
    api.put("paths", paths);
    api.put(
        "components",
        Map.of(
            "schemas",
            schemas.byName(),
            "securitySchemes",
            Map.of(
                TOKEN,
                Map.of(
                    "type",
                    "http",
                    "scheme",
                    "bearer",
                    "description",
                    "what is in the file token-UID beside the daemon's socket"))));
    return api;
  }

  private static Map<String, Object> operation(Route route, Schemas schemas) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    if (!route.parameters().isEmpty()) {
      operation.put("parameters", route.parameters().stream().map(OpenApi::parameter).toList());
    }
    if (route.body() != null) {
      operation.put(
          "requestBody",
          Map.of(
              "required",
              true,
              "content",
              Map.of(Reply.JSON, Map.of("schema", schemas.of(route.body())))));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    responses.put(
        "" + route.status(),
        Map.of(
            "description",
            "done",
            "content",
            Map.of(route.contentType(), Map.of("schema", answer(route.answer(), schemas)))));
    responses.put(
        "default",
        Map.of(
            "description",
            "what is wrong and what to do, in one line",
            "content",
            Map.of(Reply.JSON, Map.of("schema", schemas.of(Answers.Failure.class)))));
    operation.put("responses", responses);
    if (route.method().changes()) {
      operation.put("security", List.of(Map.of(TOKEN, List.of())));
    }
    return operation;
  }

  private static Map<String, Object> parameter(Route.Parameter parameter) {
    return Map.of(
        "name",
        parameter.name(),
        "in",
        parameter.in(),
        "required",
        parameter.in().equals("path"),
        "description",
        parameter.meaning(),
        "schema",
        Map.of("type", parameter.type()));
  }

  private static Map<String, Object> answer(@Nullable Object answer, Schemas schemas) {
    return switch (answer) {
      case null -> Map.of("type", "string");
      case Class<?> type -> schemas.of(type);
      case List<?> list when list.getFirst() instanceof Class<?> type ->
          Schemas.listOf(schemas.of(type));
      default -> throw new IllegalArgumentException("no schema for " + answer);
    };
  }

  /** What the record's types cannot say: which hints there are, and their ranges. */
  private static void refineHintChange(Schemas schemas) {
    Map<String, Object> hints = new LinkedHashMap<>();
    for (Hint hint : Hint.values()) {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put(
          "type", hint.defaultValue() == Hint.UNSET ? List.of("integer", "null") : "integer");
      schema.put("format", "int64");
      schema.put("minimum", hint.min());
      if (hint.max() != Hint.UNSET) {
        schema.put("maximum", hint.max());
      }
      if (hint.defaultValue() != Hint.UNSET) {
        schema.put("default", hint.defaultValue());
      }
      schema.put("description", hint.meaning());
      schema.put("x-scope", hint.scope().name().toLowerCase(Locale.ROOT));
      hints.put(hint.label(), schema);
    }
    schemas
        .byName()
        .put(
            "HintValues",
            Map.of("type", "object", "properties", hints, "additionalProperties", false));
    Map<String, Object> change =
        new LinkedHashMap<>(
            schemas.byName().getOrDefault(Requests.HintChange.class.getSimpleName(), Map.of()));
    change.put(
        "properties",
        Map.of(
            "target",
            Map.of(
                "type",
                "string",
                "description",
                "1234 or pid:1234 a program, name:serve or serve all of that name, 1234/0 or"
                    + " queue:ID one queue, system the hints that belong to no queue"),
            "hints",
            Map.of("$ref", "#/components/schemas/HintValues"),
            "source",
            Map.of(
                "type",
                "string",
                "enum",
                Requests.HintChange.sources().map(Requests.HintChange::label).toList(),
                "default",
                "rest")));
    schemas.byName().put(Requests.HintChange.class.getSimpleName(), change);
  }
}
