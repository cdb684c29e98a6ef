package dev.xsched.daemon.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends what the JDK's client refuses to send. */
final class RawHttp {
  private RawHttp() {}

  static Socket open(int port, String request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** The status of the answer. */
  static int statusOf(int port, String request) throws IOException {
    try (Socket socket = open(port, request)) {
      byte[] line = socket.getInputStream().readNBytes(12);
      return Integer.parseInt(new String(line, StandardCharsets.ISO_8859_1).substring(9));
    }
  }
}
