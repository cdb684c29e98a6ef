package dev.xsched.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * Where a command prints.
 *
 * @param colour whether the reader of {@code out} sees colours
 * @param live whether the reader of {@code err} sees a line that is written over
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean colour, boolean live) {
  /**
   * The launcher tells by {@code -Dxsched.terminal=out,err} which streams are terminals: a shell
   * knows it for nothing, Java only for both together.
   */
  static Terminal ofProcess() {
    return of(
        new PrintWriter(System.out, true, System.out.charset()),
        new PrintWriter(System.err, true, System.err.charset()),
        System.getProperty("xsched.terminal", ""),
        System.getenv());
  }

  static Terminal of(
      PrintWriter out, PrintWriter err, String terminals, Map<String, String> environment) {
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    // https://no-color.org: any value that is not empty.
    boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    var names = Arrays.asList(terminals.split(",", -1));
    return new Terminal(
        out, err, names.contains("out") && !dumb && !plain, names.contains("err") && !dumb);
  }

  /** Returns the text in bold where that shows, else as it is. */
  public String bold(String text) {
    return colour ? "\033[1m" + text + "\033[0m" : text;
  }
}
