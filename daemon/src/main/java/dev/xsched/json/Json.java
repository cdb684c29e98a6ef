package dev.xsched.json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Records as JSON with names in snake case. Loads its library only when it is used. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private Json() {}

  public static String of(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /**
   * Reads what {@link #of} wrote.
   *
   * @throws JacksonException if it is something else
   */
  public static <T> T read(String json, Class<T> type) {
    return MAPPER.readValue(json, type);
  }
}
