package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Reads what the daemon answers. Apart, because loading this library takes its time. */
final class Answers {
  private Answers() {}

  /** Returns the body of a good answer; turns any other into the line that the daemon gave. */
  static String check(Http.Answer answer) throws Failure {
    if (answer.good()) {
      return answer.body();
    }
    String line = error(answer);
    if (List.of(400, 401, 403, 404).contains(answer.status())) {
      throw new IllegalArgumentException(line);
    }
    throw new Failure(line);
  }

  private static String error(Http.Answer answer) {
    try {
      JsonNode line = mapper().readTree(answer.body()).path("error");
      if (line.isString()) {
        return line.asString();
      }
    } catch (JacksonException _) {
      // Says the same as for JSON without the line.
    }
    return "the daemon answered with status %d and no reason; see its log"
        .formatted(answer.status());
  }

  static <T> T read(String json, Class<T> type) throws Failure {
    try {
      return mapper().readValue(json, type);
    } catch (JacksonException e) {
      throw new Failure(
          "the daemon's answer makes no sense here (%s); is it of another version? xsched doctor"
              .formatted(e.getOriginalMessage()));
    }
  }

  /** A daemon of a neighbouring version may say more or less than we know. */
  private static JsonMapper mapper() {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .build();
  }
}
