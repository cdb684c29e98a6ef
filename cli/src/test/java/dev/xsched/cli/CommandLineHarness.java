package dev.xsched.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a command inside the test and keeps what it printed. */
public final class CommandLineHarness {
  /** What a command left behind. */
  public record Outcome(int code, String out, String err) {}

  private CommandLineHarness() {}

  public static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    int code = Main.run(terminal, args);
    return new Outcome(code, out.toString(), err.toString());
  }
}
