package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class EventsTest {
  private static final String ASK = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final FakeControl control = FakeControl.withTwoPrograms();
  private final List<Socket> sockets = new ArrayList<>();
  private FaceUnderTest face;

  @BeforeEach
  void start() throws IOException {
    face = new FaceUnderTest(control);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    face.close();
  }

  private BufferedReader listen() throws IOException {
    Socket socket = RawHttp.open(face.port(), ASK);
    sockets.add(socket);
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The data of the next event of that name. */
  private static JsonNode next(BufferedReader in, String event) throws IOException {
    String line = in.readLine();
    while (line != null && !line.equals("event: " + event)) {
      line = in.readLine();
    }
    String data = in.readLine();
    assertThat(data).startsWith("data: ");
    StringBuilder json = new StringBuilder(data.substring(6));
    // A long line comes in several chunks, with the size of each on a line between them.
    while (true) {
      try {
        return JsonMapper.shared().readTree(json.toString());
      } catch (tools.jackson.core.JacksonException e) {
        String size = in.readLine();
        assertThat(size).matches("[0-9a-f]*");
        json.append(size.isEmpty() ? "" : in.readLine());
      }
    }
  }

  @Test
  void theStateComesAtOnceAndAgainWhenItHasChanged() throws Exception {
    control.standStill();
    BufferedReader in = listen();
    assertThat(next(in, "state").get("policy").asString()).isEqualTo("HPF");
    face.change("PUT", "/api/v1/policy", "{\"name\":\"UP\"}");
    long asked = System.nanoTime();
    assertThat(next(in, "state").get("policy").asString()).isEqualTo("UP");
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aStateThatDoesNotChangeComesAllTheSameButSeldom() throws Exception {
    control.standStill();
    BufferedReader in = listen();
    long first = next(in, "state").get("now_nanos").asLong();
    long second = next(in, "state").get("now_nanos").asLong();
    assertThat(second - first).isBetween(1_500_000_000L, 6_000_000_000L);
  }

  @Test
  void runsComeOnceAndAgainWhenTheyHaveEnded() throws Exception {
    BufferedReader in = listen();
    List<Long> ended = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      for (JsonNode run : next(in, "runs")) {
        if (run.get("end_nanos").asLong() != Long.MAX_VALUE) {
          ended.add(run.get("number").asLong());
        }
      }
    }
    assertThat(ended).isNotEmpty().doesNotHaveDuplicates();
    List<Long> missing = new ArrayList<>();
    for (JsonNode run : face.json("/api/v1/runs?after=" + (ended.getFirst() - 1))) {
      long number = run.get("number").asLong();
      if (number < ended.getLast() && !ended.contains(number)) {
        missing.add(number);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void thereIsAPlaceForSoManyAndAgainWhenOneLeaves() throws Exception {
    for (int i = 0; i < Events.MOST_LISTENERS; i++) {
      next(listen(), "state");
    }
    HttpResponse<String> refused = face.get("/api/v1/events");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(FaceUnderTest.error(refused)).contains("close a page");
    sockets.removeFirst().close();
    while (face.face.listeners() == Events.MOST_LISTENERS) {
      Thread.sleep(50);
    }
    assertThat(next(listen(), "state").get("pid").asLong()).isEqualTo(4242);
  }

  @Test
  void whoDoesNotReadDelaysNobody() throws Exception {
    for (int i = 0; i < 8; i++) {
      sockets.add(RawHttp.open(face.port(), ASK));
    }
    BufferedReader in = listen();
    long started = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      next(in, "state");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void closingEndsTheStreams() throws Exception {
    BufferedReader in = listen();
    next(in, "state");
    face.close();
    while (in.readLine() != null) {}
    assertThat(face.face.listeners()).isZero();
  }
}
