package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
  private final List<Closeable> streams = new ArrayList<>();
  private FaceUnderTest face;

  @BeforeEach
  void start() throws IOException {
    face = new FaceUnderTest(control);
  }

  @AfterEach
  void stop() throws IOException {
    for (Closeable stream : streams) {
      stream.close();
    }
    face.close();
  }

  private BufferedReader listen() throws IOException, InterruptedException {
    InputStream in = face.stream("/api/v1/events");
    streams.add(in);
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** The data of the next event of that name. */
  private static JsonNode next(BufferedReader in, String event) throws IOException {
    String line = in.readLine();
    while (line != null && !line.equals("event: " + event)) {
      line = in.readLine();
    }
    String data = in.readLine();
    assertThat(data).startsWith("data: ");
    return JsonMapper.shared().readTree(data.substring("data: ".length()));
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
      boolean lasts = number == 0;
      if (!lasts && number < ended.getLast() && !ended.contains(number)) {
        missing.add(number);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void changesOfTheMechanismComeOnce() throws Exception {
    control.keepApart(1, "gate", 0, "nobody else is there");
    BufferedReader in = listen();
    assertThat(next(in, "changes")).hasSize(1);
    control.keepApart(1, "slices", 1, "somebody is");
    JsonNode second = next(in, "changes");
    assertThat(second).hasSize(1);
    assertThat(second.get(0).get("mechanism").asString()).isEqualTo("slices");
  }

  @Test
  void thereIsAPlaceForSoManyAndAgainWhenOneLeaves() throws Exception {
    for (int i = 0; i < Events.MOST_LISTENERS; i++) {
      next(listen(), "state");
    }
    HttpResponse<String> refused = face.get("/api/v1/events");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(FaceUnderTest.error(refused)).contains("close a page");
    streams.removeFirst().close();
    while (face.face.events().listeners() == Events.MOST_LISTENERS) {
      Thread.sleep(50);
    }
    assertThat(next(listen(), "state").get("pid").asLong()).isEqualTo(4242);
  }

  @Test
  void whoDoesNotReadDelaysNobodyAndCanBeThrownOut() throws Exception {
    face.close();
    face = new FaceUnderTest(new FakeControl(List.of(programWithManyQueues())));
    for (int i = 0; i < 4; i++) {
      streams.add(RawHttp.open(face.port(), ASK));
    }
    BufferedReader in = listen();
    long started = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      assertThat(next(in, "state").get("pid").asLong()).isEqualTo(4242);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(30));
    assertThat(face.face.events().listeners()).isEqualTo(5);
    face.face.events().close();
    while (face.face.events().listeners() > 0) {
      Thread.sleep(20);
    }
  }

  /** Its state is larger than what the kernel holds for a reader that does not read. */
  private static FakeControl.FakeProgram programWithManyQueues() {
    return new FakeControl.FakeProgram(
        1, "many", "bob", IntStream.range(0, 1500).mapToObj(i -> "queue " + i).toList());
  }

  @Test
  void whoIsStuckLosesThePlaceToOthers() throws Exception {
    AtomicLong clock = new AtomicLong(1);
    Events events = new Events(control, clock::get);
    for (int i = 0; i < Events.MOST_LISTENERS; i++) {
      Reply.Stream stream = (Reply.Stream) events.open();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  stream.writer().writeTo(new NobodyReads());
                } catch (IOException | InterruptedException e) {
                  // As it must be.
                }
              });
      while (events.listeners() <= i) {
        Thread.sleep(1);
      }
    }
    assertThatThrownBy(events::open).isInstanceOf(Refused.class);
    assertThat(events.listeners()).isEqualTo(Events.MOST_LISTENERS);
    while (events.listeners() == Events.MOST_LISTENERS) {
      clock.addAndGet(Duration.ofSeconds(11).toNanos());
      try {
        events.open();
      } catch (Refused e) {
        assertThat(e.status()).isEqualTo(503);
      }
      Thread.sleep(10);
    }
  }

  /** Blocks until it is interrupted, as a socket does whose reader sleeps. */
  private static final class NobodyReads extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      try {
        Thread.sleep(Duration.ofMinutes(5));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @Test
  void closingEndsTheStreams() throws Exception {
    BufferedReader in = listen();
    next(in, "state");
    face.face.close();
    try {
      while (in.readLine() != null) {
        // The rest of what was under way.
      }
    } catch (IOException e) {
      // The connection went in the middle of a message: that is an end, too.
    }
    while (face.face.events().listeners() > 0) {
      Thread.sleep(1);
    }
  }
}
