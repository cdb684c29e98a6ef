package dev.xsched.json;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes records as JSON with names in snake case. Loads its library only when it is used. */
public final class Json {
  private Json() {}

  public static String of(Object value) {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValueAsString(value);
  }
}
