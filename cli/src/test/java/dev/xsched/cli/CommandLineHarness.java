package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** Runs a command inside the test and keeps what it printed. */
public final class CommandLineHarness {
  /** What a command left behind. */
  public record Outcome(int code, String out, String err) {
    /** Checks that it refused bad input the way we promise, and returns the line that says why. */
    public String refusal() {
      assertThat(code).isEqualTo(2);
      assertThat(out).isEmpty();
      assertThat(err.lines()).hasSize(1);
      assertThat(err).startsWith("xsched: ").doesNotContain("Exception");
      return err;
    }
  }

  private CommandLineHarness() {}

  public static Outcome run(String... args) {
    return run(Map.of("XSCHED_DIR", "/no/such/folder"), args);
  }

  public static Outcome run(Map<String, String> environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    int code = Main.run(terminal, new Host(environment), args);
    return new Outcome(code, out.toString(), err.toString());
  }
}
