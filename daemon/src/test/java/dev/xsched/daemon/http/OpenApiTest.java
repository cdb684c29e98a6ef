package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OpenApiTest {
  private FaceUnderTest face;
  private JsonNode api;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    FakeControl control = FakeControl.withTwoPrograms();
    control.keepApart(1, "slices", 1, "a reason");
    face = new FaceUnderTest(control);
    api = face.json("/openapi.json");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void everyRouteIsDescribedAndNothingElse() {
    List<String> described = new ArrayList<>();
    for (String path : api.get("paths").propertyNames()) {
      for (String method : api.get("paths").get(path).propertyNames()) {
        described.add(method.toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    assertThat(described)
        .containsExactlyInAnyOrderElementsOf(
            face.face.routes().stream().map(r -> r.method() + " " + r.path()).toList())
        .contains("GET /api/v1/state", "PATCH /api/v1/hints", "GET /");
    assertThat(api.get("openapi").asString()).startsWith("3.1");
  }

  @Test
  void whatIsDescribedIsServed() throws Exception {
    for (Route route : face.face.routes()) {
      String path = route.path().replace("{name}", "main.js");
      if (route.method().changes()) {
        assertThat(face.send(route.method().name(), path, "{}", "").statusCode()).isEqualTo(401);
        JsonNode operation = operation(route);
        assertThat(operation.get("security").get(0).has("token")).isTrue();
      } else {
        HttpResponse<String> head = face.send("HEAD", path, "", "");
        assertThat(head.statusCode()).as(path).isEqualTo(200);
        if (!route.contentType().equals("*/*")) {
          assertThat(head.headers().firstValue("Content-Type")).hasValue(route.contentType());
        }
      }
    }
  }

  @Test
  void answersAreAsTheirSchemasSay() throws Exception {
    for (String path :
        List.of("/api/v1/state", "/api/v1/policies", "/api/v1/runs", "/api/v1/changes")) {
      conforms(face.json(path), answerSchema("get", path, "200"), path);
    }
    change("put", "/api/v1/policy", "{\"name\":\"UP\"}", "200");
    change("patch", "/api/v1/hints", "{\"target\":\"4711\",\"hints\":{\"k\":1}}", "200");
    change("patch", "/api/v1/config", "{\"target\":\"4711\",\"level\":1}", "200");
    change("post", "/api/v1/stop", "", "202");
    change("put", "/api/v1/policy", "{}", "default");
  }

  private void change(String method, String path, String body, String status) throws Exception {
    HttpResponse<String> response = face.change(method.toUpperCase(Locale.ROOT), path, body);
    conforms(
        JsonMapper.shared().readTree(response.body()), answerSchema(method, path, status), path);
  }

  private JsonNode operation(Route route) {
    return api.get("paths").get(route.path()).get(route.method().name().toLowerCase(Locale.ROOT));
  }

  private JsonNode answerSchema(String method, String path, String status) {
    JsonNode operation = api.get("paths").get(path).get(method);
    return operation.get("responses").get(status).get("content").get(Reply.JSON).get("schema");
  }

  /** As much of JSON Schema as the description uses. */
  private void conforms(JsonNode value, JsonNode schema, String where) {
    if (schema.has("anyOf")) {
      if (!value.isNull()) {
        conforms(value, schema.get("anyOf").get(0), where);
      }
      return;
    }
    JsonNode reference = schema.get("$ref");
    if (reference != null) {
      String name = reference.asString().substring("#/components/schemas/".length());
      conforms(value, api.get("components").get("schemas").get(name), where);
      return;
    }
    String type =
        value.isNull()
            ? "null"
            : value.isArray()
                ? "array"
                : value.isObject()
                    ? "object"
                    : value.isString() ? "string" : value.isBoolean() ? "boolean" : "integer";
    assertThat(schema.get("type").toString()).as(where).contains('"' + type + '"');
    if (value.isArray()) {
      value.forEach(element -> conforms(element, schema.get("items"), where + "[]"));
    }
    if (value.isObject()) {
      JsonNode properties = schema.get("properties");
      JsonNode others = schema.get("additionalProperties");
      for (String name : value.propertyNames()) {
        JsonNode property =
            properties != null && properties.has(name) ? properties.get(name) : others;
        assertThat(property.isObject()).as(where + "." + name + " is described").isTrue();
        conforms(value.get(name), property, where + "." + name);
      }
      if (properties != null) {
        assertThat(value.propertyNames()).as(where).containsAll(properties.propertyNames());
      }
    }
  }
}
