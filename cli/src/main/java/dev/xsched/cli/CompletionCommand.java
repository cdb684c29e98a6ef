package dev.xsched.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script by which the shell completes our commands. */
@Command(
    name = "completion",
    header = "Print a script that lets bash or zsh complete commands.",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  source <(xsched completion bash)              for this shell",
      "  xsched completion bash > ~/.local/share/bash-completion/completions/xsched",
      "  echo 'source <(xsched completion zsh)' >> ~/.zshrc"
    })
final class CompletionCommand implements Runnable {
  private final Terminal terminal;
  private final Commands commands;

  @Parameters(
      arity = "0..1",
      paramLabel = "bash|zsh",
      description = "The shell (default: bash); the script is the same.")
  private String shell = "bash";

  CompletionCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.commands = new Commands(terminal, host);
  }

  @Override
  public void run() {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw new IllegalArgumentException(
          "no completion for '%s'; choose bash or zsh".formatted(shell));
    }
    CommandLine all = XschedCommand.of(commands);
    terminal.out().println("# For this shell: source <(xsched completion " + shell + ")");
    terminal.out().println(AutoComplete.bash("xsched", all));
  }
}
