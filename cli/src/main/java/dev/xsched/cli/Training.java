package dev.xsched.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs the commands that should start fast, once and for nothing: the launcher has the JVM watch
 * and keep the classes that it loaded for them. It loads all of these at each start, so what is
 * rarely used, such as JSON, would slow the others down.
 */
final class Training {
  private static final byte[] ANSWER =
      "HTTP/1.0 200 OK\r\n\r\n[]".getBytes(StandardCharsets.US_ASCII);

  private Training() {}

  public static void main(String[] args) throws IOException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Terminal terminal = new Terminal(nowhere, nowhere, false, false);
    Main.run(terminal, "-V");
    Main.run(terminal, "--help");
    Main.run(terminal, "policy", "--available");
    Main.run(terminal, "policy", "--unknown");
    run(terminal);
    Main.run(Terminal.ofProcess(), "--version");
  }

  /** All that {@code run} does. */
  private static void run(Terminal terminal) throws IOException {
    Path folder = Files.createTempDirectory("xsched-training-");
    Path http = folder.resolve("http");
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answer(server));
      Files.writeString(http, "127.0.0.1:" + server.getLocalPort());
      Host host = new Host(Map.of("XSCHED_DIR", folder.toString()));
      Main.run(terminal, host, "run", "--priority", "1", "--", "true");
    } finally {
      Files.deleteIfExists(http);
      Files.delete(folder);
    }
  }

  private static void answer(ServerSocket server) {
    try (Socket socket = server.accept()) {
      int _ = socket.getInputStream().read(new byte[1024]);
      socket.getOutputStream().write(ANSWER);
    } catch (IOException _) {
      // Then there is no answer, and the training is less complete.
    }
  }
}
