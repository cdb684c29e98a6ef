package dev.xsched.daemon.http;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON schemas of records, read off the records themselves so that they cannot be wrong. */
final class Schemas {
  private final Map<String, Map<String, Object>> byName = new LinkedHashMap<>();

  /** All records that were asked for and those that they hold. */
  Map<String, Map<String, Object>> byName() {
    return byName;
  }

  Map<String, Object> of(Class<?> type) {
    if (type.isRecord()) {
      if (!byName.containsKey(type.getSimpleName())) {
        byName.put(type.getSimpleName(), Map.of());
        byName.put(type.getSimpleName(), record(type));
      }
      return Map.of("$ref", "#/components/schemas/" + type.getSimpleName());
    }
    if (type == String.class) {
      return Map.of("type", "string");
    }
    if (type == boolean.class) {
      return Map.of("type", "boolean");
    }
    if (type == int.class || type == Integer.class) {
      return Map.of("type", "integer", "format", "int32");
    }
    if (type == long.class || type == Long.class) {
      return Map.of("type", "integer", "format", "int64");
    }
    if (type == Map.class) {
      return Map.of("type", "object");
    }
    throw new IllegalArgumentException("no schema for " + type + "; describe it here");
  }

  static Map<String, Object> listOf(Map<String, Object> element) {
    return Map.of("type", "array", "items", element);
  }

  private Map<String, Object> record(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = snakeCase(component.getName());
      AnnotatedType annotated = component.getAnnotatedType();
      properties.put(name, of(annotated));
      if (!annotated.isAnnotationPresent(Nullable.class)) {
        required.add(name);
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    return schema;
  }

  private Map<String, Object> of(AnnotatedType annotated) {
    Map<String, Object> schema = new LinkedHashMap<>(plain(annotated));
    if (!annotated.isAnnotationPresent(Nullable.class)) {
      return schema;
    }
    if (schema.containsKey("$ref")) {
      return Map.of("anyOf", List.of(schema, Map.of("type", "null")));
    }
    if (schema.get("type") instanceof String type) {
      schema.put("type", List.of(type, "null"));
    }
    return schema;
  }

  private Map<String, Object> plain(AnnotatedType annotated) {
    if (annotated instanceof AnnotatedParameterizedType generic
        && generic.getType() instanceof ParameterizedType type) {
      AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
      Map<String, Object> last = of(arguments[arguments.length - 1]);
      return type.getRawType() == List.class
          ? listOf(last)
          : Map.of("type", "object", "additionalProperties", last);
    }
    return of((Class<?>) annotated.getType());
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
  }
}
