package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in. */
class DoorTest {
  private static final String POLICY = "{\"name\":\"UP\"}";

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

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer wrong", "Basic owners-token", "owners-token"})
  void aChangeNeedsAToken(String authorization) throws Exception {
    HttpResponse<String> refused = face.send("PUT", "/api/v1/policy", POLICY, authorization);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(FaceUnderTest.error(refused)).contains("Authorization: Bearer TOKEN");
    assertThat(control.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /api/v1/policy",
    "PATCH, /api/v1/hints",
    "PATCH, /api/v1/config",
    "POST, /api/v1/stop"
  })
  void everyChangeNeedsAToken(String method, String path) throws Exception {
    assertThat(face.send(method, path, "{}", "").statusCode()).isEqualTo(401);
  }

  @Test
  void whoMayNotIsTold() throws Exception {
    HttpResponse<String> refused =
        face.send("PUT", "/api/v1/policy", POLICY, "Bearer " + FaceUnderTest.OTHERS_TOKEN);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(FaceUnderTest.error(refused)).contains("ask uid 1000");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:1, 200",
    "127.0.0.1:8080, 200",
    "127.1.2.3, 200",
    "[::1]:80, 200",
    "[0:0:0:0:0:0:0:1]:80, 200",
    "evil.example, 403",
    "127.0.0.1.evil.example, 403",
    "localhost.evil.example:80, 403",
    "10.0.0.1, 403",
    "[0:0:0:0:0:0:0:2]:80, 403",
    "'', 403"
  })
  void onlyLoopbackNamesAreServed(String host, int status) throws Exception {
    String request = "GET /api/v1/state HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host);
    assertThat(RawHttp.statusOf(face.port(), request)).isEqualTo(status);
  }

  @Test
  void whoOpensTheDaemonToTheNetworkIsServedUnderAnyName() throws Exception {
    try (HttpFace open = new HttpFace(control, token -> null, new InetSocketAddress(0))) {
      open.start();
      String request = "GET /api/v1/state HTTP/1.1\r\nHost: gpu7.example\r\n\r\n";
      assertThat(RawHttp.statusOf(open.address().getPort(), request)).isEqualTo(200);
    }
  }

  @Test
  void aRequestWithoutHostIsNotServed() throws Exception {
    assertThat(RawHttp.statusOf(face.port(), "GET /api/v1/state HTTP/1.0\r\n\r\n"))
        .isBetween(400, 403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api/v1/state", "/nowhere"})
  void noForeignPageGetsAnything(String path) throws Exception {
    HttpResponse<String> response = face.get(path);
    assertThat(response.headers().map().keySet())
        .noneMatch(name -> name.startsWith("access-control"));
    assertThat(response.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(v -> assertThat(v).startsWith("default-src 'self'"));
    assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }

  @Test
  void aRequestThatTricklesInIsCutOff() throws Exception {
    try (Socket slow =
        RawHttp.open(face.port(), "PUT /api/v1/policy HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")) {
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }
  }
}
