package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class RestTest {
  private final FakeControl control = FakeControl.withTwoPrograms();
  private FaceUnderTest face;

  @BeforeEach
  void start() throws IOException {
    face = new FaceUnderTest(control);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void theStateIsWholeAndInSnakeCase() throws Exception {
    JsonNode state = face.json("/api/v1/state");
    assertThat(state.get("policy").asString()).isEqualTo("HPF");
    assertThat(state.get("system_hints").get("timeslice").get("value").asLong()).isEqualTo(5000);
    JsonNode queue = state.get("programs").get(0).get("queues").get(0);
    assertThat(queue.get("window_micros").asLong()).isEqualTo(500);
    assertThat(queue.get("hints").get("critical-priority").get("source").asString())
        .isEqualTo("default");
    assertThat(queue.get("hints").get("deadline").get("value").isNull()).isTrue();
  }

  @Test
  void policiesComeWithTheirSummaries() throws Exception {
    JsonNode policies = face.json("/api/v1/policies");
    assertThat(policies.size()).isGreaterThanOrEqualTo(11);
    assertThat(policies.get(0).get("name").asString()).isEqualTo("HPF");
    assertThat(policies.get(0).get("summary").asString()).isNotBlank();
  }

  @Test
  void runsComeAfterANumber() throws Exception {
    JsonNode all = face.json("/api/v1/runs");
    long last = all.valueStream().mapToLong(run -> run.get("number").asLong()).max().orElse(0);
    assertThat(last).isPositive();
    JsonNode later = face.json("/api/v1/runs?after=" + last);
    assertThat(later.valueStream().map(run -> run.get("number").asLong()))
        .allSatisfy(number -> assertThat(number == 0 || number > last).isTrue());
  }

  @Test
  void thePolicyCanBeChanged() throws Exception {
    HttpResponse<String> done = face.change("PUT", "/api/v1/policy", "{\"name\":\"pup\"}");
    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(done.body()).isEqualTo("{\"policy\":\"PUP\"}");
    assertThat(control.asked()).containsExactly("policy PUP");
  }

  @Test
  void hintsReachTheirTargetWithTheirSource() throws Exception {
    HttpResponse<String> done =
        face.change("PATCH", "/api/v1/hints", "{\"target\":\"4712\",\"hints\":{\"priority\":5}}");
    assertThat(done.body()).isEqualTo("{\"queues\":[2,3]}");
    face.change(
        "PATCH",
        "/api/v1/hints",
        "{\"target\":\"4711/0\",\"hints\":{\"lax-priority\":7,\"deadline\":null},"
            + "\"source\":\"command-line\"}");
    assertThat(control.asked())
        .containsExactly(
            "hint 4712 {PRIORITY=5} REST",
            "hint 4711/0 {LAX_PRIORITY=7, DEADLINE=9223372036854775807} COMMAND_LINE");
  }

  @Test
  void whatTheConfigurationDoesNotNameStaysAsItIs() throws Exception {
    HttpResponse<String> done =
        face.change(
            "PATCH", "/api/v1/config", "{\"target\":\"4711\",\"window_commands\":8,\"level\":2}");
    assertThat(done.body()).isEqualTo("{\"queues\":[1]}");
    assertThat(control.asked())
        .containsExactly(
            "configure 4711 QueueConfig[windowMicros=null, windowCommands=8, windowBatch=null,"
                + " level=2]");
  }

  @Test
  void theDaemonCanBeStopped() throws Exception {
    HttpResponse<String> done = face.change("POST", "/api/v1/stop", "");
    assertThat(done.statusCode()).isEqualTo(202);
    assertThat(done.body()).isEqualTo("{}");
    assertThat(control.asked()).containsExactly("stop");
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PUT | /api/v1/policy | {"name":"XYZ"} | unknown policy 'XYZ'; choose one of HPF
          PUT | /api/v1/policy | {"name":"HPF","nam":1} | unknown field 'nam'; give one of name
          PUT | /api/v1/policy | {} | field 'name' is missing; give it
          PUT | /api/v1/policy | {"name":5} | field 'name' has a value of the wrong type; give a text
          PUT | /api/v1/policy | {"name":"HPF"}} | this is no JSON
          PUT | /api/v1/policy | {"name":"HPF","name":"UP"} | this is no JSON: Duplicate
          PUT | /api/v1/policy | {"name" | this is no JSON
          PUT | /api/v1/policy | null | null is no answer; give a JSON object
          PUT | /api/v1/policy | [] | the body is not what is wanted; give a JSON object
          PUT | /api/v1/policy | '' | the body is empty; send a JSON object
          PATCH | /api/v1/hints | {"hints":{"priority":1}} | field 'target' is missing
          PATCH | /api/v1/hints | {"target":"1"} | field 'hints' is missing
          PATCH | /api/v1/hints | {"target":"1","hints":{}} | field 'hints' is empty
          PATCH | /api/v1/hints | {"target":"1","hints":{"prio":1}} | unknown hint 'prio'; choose
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":"1"}} | field 'hints.priority' has a value of the wrong type; give a whole number
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":1.5}} | field 'hints.priority' has a value of the wrong type
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":256}} | priority 256 is out of range; give -256 to 255
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":null}} | priority cannot be null; its default is 0
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":1}} | nothing is called '1'; see
          PATCH | /api/v1/hints | {"target":"1","hints":{"priority":1},"source":"default"} | unknown source; give one of command-line, rest, web
          PATCH | /api/v1/config | {"target":"1"} | nothing to change; give window_micros
          PATCH | /api/v1/config | {"level":1} | field 'target' is missing
          PATCH | /api/v1/config | {"target":"1","level":4} | level 4 is out of range
          PATCH | /api/v1/config | {"target":"1","window_micros":-1} | window_micros -1 is out of range
          PATCH | /api/v1/config | {"target":"1","level":true} | field 'level' has a value of the wrong type
          """)
  void nonsenseIsExplainedInOneLine(String method, String path, String body, String message)
      throws Exception {
    HttpResponse<String> refused = face.change(method, path, body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(FaceUnderTest.error(refused)).startsWith(message).doesNotContain("\n");
    assertThat(control.asked().stream().filter(a -> !a.startsWith("hint 1 "))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"?after=x", "?after=", "?before=1", "?after=1&after=%zz"})
  void badQueriesAreRefused(String query) throws Exception {
    assertThat(
            RawHttp.statusOf(
                face.port(), "GET /api/v1/runs" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .isEqualTo(400);
  }

  @Test
  void aBugOfTheDaemonIsNotToldToItsClients() throws Exception {
    control.failWith(new IllegalStateException("secret detail"));
    HttpResponse<String> failed = face.get("/api/v1/state");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).doesNotContain("secret").doesNotContain("Exception");
    assertThat(FaceUnderTest.error(failed)).contains("log");
  }

  @Test
  void whatIsNotThereAndWhatCannotBeAskedSoAreToldApart() throws Exception {
    assertThat(face.get("/api/v2/state").statusCode()).isEqualTo(404);
    assertThat(face.get("/assets/../index.html").statusCode()).isEqualTo(404);
    assertThat(face.get("/assets/secret.txt").statusCode()).isEqualTo(404);
    HttpResponse<String> wrongMethod = face.change("DELETE", "/api/v1/policy", "");
    assertThat(wrongMethod.statusCode()).isEqualTo(405);
    assertThat(wrongMethod.headers().firstValue("Allow")).hasValue("PUT");
    assertThat(FaceUnderTest.error(wrongMethod)).contains("use PUT");
  }

  @Test
  void headIsLikeGetWithoutABody() throws Exception {
    HttpResponse<String> head = face.send("HEAD", "/api/v1/state", "", "");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(face.send("HEAD", "/api/v1/events", "", "").statusCode()).isEqualTo(200);
  }

  @Test
  void bodiesHaveALimit() throws Exception {
    String atLimit = "{\"name\":\"HPF\"}".concat(" ".repeat(Request.MOST_BYTES - 14));
    assertThat(face.change("PUT", "/api/v1/policy", atLimit).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = face.change("PUT", "/api/v1/policy", atLimit + " ");
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(FaceUnderTest.error(refused)).contains("65536");
    assertThat(face.change("PUT", "/api/v1/policy", "x".repeat(1_000_000)).statusCode())
        .isEqualTo(413);
  }
}
