package dev.xsched.cli;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * Runs the commands that should start fast, once and for nothing: the launcher has the JVM watch
 * and keep the classes that it loaded for them. It loads all of these at each start, so what is
 * rarely used, such as JSON, would slow the others down.
 */
final class Training {
  private Training() {}

  public static void main(String[] args) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Terminal terminal = new Terminal(nowhere, nowhere, false, false);
    Main.run(terminal, "-V");
    Main.run(terminal, "--help");
    Main.run(terminal, "policy", "--available");
    Main.run(terminal, "policy", "--unknown");
    Main.run(Terminal.ofProcess(), "--version");
  }
}
