package dev.xsched.json;

import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * Writes records as JSON with names in snake case, and reads what people sent. Loads its library
 * only when it is used.
 */
public final class Json {
  private static final class Indented {
    static final JsonMapper MAPPER = snakeCase().enable(SerializationFeature.INDENT_OUTPUT).build();
  }

  private static final class Compact {
    static final JsonMapper MAPPER = snakeCase().build();
  }

  /** Whoever mistypes a field or a value must hear of it: nothing is ignored or converted. */
  private static final class Strict {
    static final JsonMapper MAPPER =
        snakeCase()
            .enable(
                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                LogicalType.Textual,
                text -> {
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                  text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                  text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                })
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
  }

  private Json() {}

  /** For files and eyes. */
  public static String of(Object value) {
    return Indented.MAPPER.writeValueAsString(value);
  }

  /** In one line. */
  public static String compact(Object value) {
    return Compact.MAPPER.writeValueAsString(value);
  }

  /**
   * Reads a record. Throws an {@link IllegalArgumentException} with one line that says what is
   * wrong: broken JSON, an unknown field, a value of the wrong type, or what the record says.
   */
  public static <T> T read(byte[] json, Class<T> type) {
    T value;
    try {
      value = Strict.MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(explain(e), e);
    }
    if (value == null) {
      throw new IllegalArgumentException("null is no answer; give a JSON object");
    }
    return value;
  }

  private static String explain(JacksonException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown ->
          "unknown field '%s'; give one of %s"
              .formatted(
                  oneLine(unknown.getPropertyName()),
                  unknown.getKnownPropertyIds().stream()
                      .map(Object::toString)
                      .collect(Collectors.joining(", ")));
      case ValueInstantiationException refused
          when refused.getCause() instanceof IllegalArgumentException cause
              && cause.getMessage() != null ->
          cause.getMessage();
      case MismatchedInputException wrong -> wrongType(wrong);
      default ->
          "this is no JSON: %s; check line %d, column %d"
              .formatted(
                  oneLine(e.getOriginalMessage()),
                  e.getLocation().getLineNr(),
                  e.getLocation().getColumnNr());
    };
  }

  private static String wrongType(MismatchedInputException wrong) {
    String field =
        wrong.getPath().stream()
            .map(step -> step.getPropertyName() == null ? "[]" : step.getPropertyName())
            .collect(Collectors.joining("."));
    String wanted = describe(wrong.getTargetType());
    return field.isEmpty()
        ? "the body is not what is wanted; give " + wanted
        : "field '%s' has a value of the wrong type; give %s".formatted(oneLine(field), wanted);
  }

  private static String describe(Class<?> type) {
    if (type == String.class) {
      return "a text";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == long.class || type == Long.class) {
      return "a whole number";
    }
    if (type == int.class || type == Integer.class) {
      return "a whole number below 2^31";
    }
    return "a JSON object";
  }

  private static String oneLine(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > 100 ? line.substring(0, 100) + "..." : line;
  }

  private static JsonMapper.Builder snakeCase() {
    return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
  }
}
