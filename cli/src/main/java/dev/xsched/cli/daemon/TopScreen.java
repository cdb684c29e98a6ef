package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.daemon.api.DaemonState;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Paints {@code top} on a terminal until the user has seen enough, and leaves the terminal as it
 * was: after q and Ctrl-C, on an exception, and on signals, for which the JVM runs its hooks.
 */
final class TopScreen {
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final int EXPIRED = -2;
  private static final int CTRL_C = 3;
  private static final long GLANCE_MILLIS = 100;

  private final Host host;
  private final Terminal terminal;
  private final boolean colour;
  private final long periodMillis;
  private final AtomicBoolean resized = new AtomicBoolean();
  private final AtomicBoolean interrupted = new AtomicBoolean();

  private @Nullable DaemonState earlier;
  private @Nullable DaemonState now;
  private long lastAnswer = System.nanoTime();
  private boolean away;
  private TopOrder order = TopOrder.SHARE;
  private boolean reversed;
  private int first;

  private TopScreen(Host host, Terminal terminal, boolean colour, long periodMillis) {
    this.host = host;
    this.terminal = terminal;
    this.colour = colour;
    this.periodMillis = periodMillis;
  }

  static void show(Host host, boolean colour, long periodMillis) throws IOException {
    // Asking the terminal what it can do costs half a second; nothing special is needed here.
    System.setProperty(TerminalBuilder.PROP_PROBE_TIMEOUT, "0");
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .provider(TerminalBuilder.PROP_PROVIDER_FFM)
            // What is painted is the same everywhere, and JLine warns of types that it does not
            // know.
            .type("ansi")
            .graphemeCluster(false)
            .build();
    Attributes before = terminal.getAttributes();
    AtomicBoolean restored = new AtomicBoolean();
    Runnable restore =
        () -> {
          if (restored.compareAndSet(false, true)) {
            // Not through the terminal: JLine's own shutdown hook may have closed it already, which
            // restores the attributes but not the screen.
            new PrintStream(new FileOutputStream(FileDescriptor.out), true).print(LEAVE);
            try {
              terminal.setAttributes(before);
            } catch (IllegalStateException _) {
              return;
            }
          }
        };
    Thread hook = new Thread(restore, "xsched-terminal");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      new TopScreen(host, terminal, colour, periodMillis).loop();
    } finally {
      restore.run();
      terminal.close();
    }
  }

  private void loop() throws IOException {
    terminal.enterRawMode();
    withoutSuspendKey();
    terminal.handle(Terminal.Signal.WINCH, _ -> resized.set(true));
    terminal.handle(Terminal.Signal.INT, _ -> interrupted.set(true));
    terminal.writer().print(ENTER);
    long next = System.nanoTime();
    while (!interrupted.get()) {
      long left = (next - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        look();
        paint();
        next = System.nanoTime() + periodMillis * 1_000_000;
        left = periodMillis;
      }
      int key = terminal.reader().read(Math.min(left, GLANCE_MILLIS));
      if (key == 'q' || key == CTRL_C || key == -1) {
        return;
      }
      if (key != EXPIRED) {
        press(key);
      }
      if (key != EXPIRED || resized.getAndSet(false)) {
        paint();
      }
    }
  }

  /** Ctrl-Z would leave the shell with our picture and without an echo. */
  private void withoutSuspendKey() {
    Attributes attributes = terminal.getAttributes();
    attributes.setControlChar(Attributes.ControlChar.VSUSP, 0);
    terminal.setAttributes(attributes);
  }

  private void press(int key) {
    switch (key) {
      case 'r' -> reversed = !reversed;
      case 'j' -> first++;
      case 'k' -> first = Math.max(0, first - 1);
      default -> {
        Optional<TopOrder> chosen = TopOrder.of(key);
        chosen.ifPresent(o -> order = o);
      }
    }
  }

  private void look() {
    try {
      Optional<DaemonClient> client = DaemonClient.find(host);
      away = client.isEmpty();
      if (client.isPresent()) {
        DaemonState state = client.get().state();
        // Another daemon counts from zero.
        earlier = now != null && now.pid() == state.pid() ? now : null;
        now = state;
        lastAnswer = System.nanoTime();
      }
    } catch (Failure _) {
      away = true;
    }
  }

  private void paint() {
    boolean unicode = terminal.outputEncoding().equals(StandardCharsets.UTF_8);
    int width = Math.max(20, terminal.getColumns());
    int height = Math.max(5, terminal.getRows());
    List<String> lines =
        new TopView(
                earlier,
                now,
                away ? Units.uptime(System.nanoTime() - lastAnswer) : "",
                order,
                reversed,
                first,
                unicode ? '\u2588' : '#',
                unicode ? '\u2591' : '.')
            .lines(width, height);
    StringBuilder picture = new StringBuilder("\033[H");
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean strong = colour && (i == 0 || line.startsWith("    PID"));
      picture.append(strong ? "\033[1m" + line + "\033[0m" : line).append("\033[K");
      picture.append(i < lines.size() - 1 ? "\r\n" : "\033[J");
    }
    terminal.writer().print(picture);
    terminal.flush();
  }
}
