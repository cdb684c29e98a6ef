package dev.xsched.daemon.http;

import dev.xsched.daemon.api.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The face on a port of its own, and a client for it. */
final class FaceUnderTest implements AutoCloseable {
  static final String OWNERS_TOKEN = "owners-token";
  static final String OTHERS_TOKEN = "others-token";

  final HttpFace face;
  private final HttpClient client = HttpClient.newHttpClient();

  FaceUnderTest(FakeControl control) throws IOException {
    this(control, 0);
  }

  FaceUnderTest(FakeControl control, int port) throws IOException {
    Map<String, Caller> callers =
        Map.of(OWNERS_TOKEN, new Caller(FakeControl.OWNER), OTHERS_TOKEN, new Caller(2000));
    face =
        new HttpFace(
            control, callers::get, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    face.start();
  }

  int port() {
    return face.address().getPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", "");
  }

  /** An answer that is read while it comes. */
  InputStream stream(String path) throws IOException, InterruptedException {
    return client
        .send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofInputStream())
        .body();
  }

  JsonNode json(String path) throws IOException, InterruptedException {
    return JsonMapper.shared().readTree(get(path).body());
  }

  /** Sends a change with the owner's token. */
  HttpResponse<String> change(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(method, path, body, "Bearer " + OWNERS_TOKEN);
  }

  HttpResponse<String> send(String method, String path, String body, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  static String error(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body()).get("error").asString();
  }

  @Override
  public void close() {
    face.close();
    client.shutdownNow();
  }
}
