package dev.xsched.cli.daemon;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request, one answer, one connection. It speaks HTTP/1.0, so that the answer ends where the
 * connection does; java.net.http would take longer to start than most of our commands run.
 *
 * @param address host and port, as the daemon wrote it down
 */
record Http(String address, Duration patience) {
  record Answer(int status, String body) {
    boolean good() {
      return status >= 200 && status < 300;
    }
  }

  Answer get(String path) throws IOException {
    return send("GET", path, null, "");
  }

  Answer send(String method, String path, @Nullable String token, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(" HTTP/1.0\r\n");
    head.append("Host: ").append(address).append("\r\n");
    head.append("Content-Length: ").append(content.length).append("\r\n");
    if (content.length > 0) {
      head.append("Content-Type: application/json\r\n");
    }
    if (token != null) {
      head.append("Authorization: Bearer ").append(token).append("\r\n");
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    request.writeBytes(content);
    int millis = (int) patience.toMillis();
    try (Socket socket = new Socket()) {
      socket.connect(target(address), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(request.toByteArray());
      return parse(socket.getInputStream().readAllBytes());
    }
  }

  private static Answer parse(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.indexOf("\r\n\r\n");
    String[] status = text.split(" ", 3);
    if (end < 0 || status.length < 3 || !status[0].startsWith("HTTP/1.")) {
      throw new IOException("the answer is no HTTP");
    }
    try {
      return new Answer(Integer.parseInt(status[1]), text.substring(end + 4));
    } catch (NumberFormatException e) {
      throw new IOException("the answer is no HTTP", e);
    }
  }

  /** A daemon that listens on all addresses is reached on this machine's own. */
  static InetSocketAddress target(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    try {
      InetAddress host = InetAddress.getByName(address.substring(0, Math.max(0, colon)));
      int port = Integer.parseInt(address.substring(colon + 1));
      return new InetSocketAddress(
          host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host, port);
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + address + "' is no address", e);
    }
  }
}
