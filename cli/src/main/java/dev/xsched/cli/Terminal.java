package dev.xsched.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * Where a command prints.
 *
 * @param colour whether the reader of {@code out} sees colours
 * @param live whether the reader of {@code err} sees a line that is written over
 * @param screen whether somebody sits at a screen that can be painted, with a keyboard
 */
public record Terminal(
    PrintWriter out, PrintWriter err, boolean colour, boolean live, boolean screen) {
  /** One without a screen. */
  public Terminal(PrintWriter out, PrintWriter err, boolean colour, boolean live) {
    this(out, err, colour, live, false);
  }

  /**
   * The launcher tells by {@code -Dxsched.terminal=in,out,err} which streams are terminals: a shell
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
    boolean seen = names.contains("out") && !dumb;
    return new Terminal(
        out, err, seen && !plain, names.contains("err") && !dumb, seen && names.contains("in"));
  }

  /** Returns the text in bold where that shows, else as it is. */
  public String bold(String text) {
    return colour ? "\033[1m" + text + "\033[0m" : text;
  }
}
