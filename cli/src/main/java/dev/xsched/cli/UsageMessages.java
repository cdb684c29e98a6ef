package dev.xsched.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Words for a command line that does not parse: what is wrong, and what would be right. */
final class UsageMessages {
  private UsageMessages() {}

  static String of(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String see = "see " + command.getCommandSpec().qualifiedName() + " --help";
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched, command, see);
      case MissingParameterException missing ->
          "%s; %s"
              .formatted(
                  missing.getMissing().stream()
                      .map(UsageMessages::needed)
                      .collect(Collectors.joining(", ")),
                  see);
      case ParameterException _ when !command.getSubcommands().isEmpty() ->
          "%s needs a command; choose one of %s (%s)"
              .formatted(command.getCommandSpec().qualifiedName(), commands(command), see);
      default -> e.getMessage() + "; " + see;
    };
  }

  private static String unmatched(UnmatchedArgumentException e, CommandLine command, String see) {
    String argument = e.getUnmatched().getFirst();
    if (argument.startsWith("-")) {
      List<String> near = e.getSuggestions();
      String hint =
          near.isEmpty() || !near.getFirst().startsWith("-")
              ? "choose one of " + options(command)
              : "did you mean %s?".formatted(near.getFirst());
      return "unknown option '%s'; %s (%s)".formatted(argument, hint, see);
    }
    if (!command.getSubcommands().isEmpty()) {
      return "unknown command '%s'; choose one of %s (%s)"
          .formatted(argument, commands(command), see);
    }
    return "unexpected argument '%s'; choose one of %s (%s)"
        .formatted(argument, options(command), see);
  }

  private static String commands(CommandLine command) {
    return String.join(", ", command.getSubcommands().keySet());
  }

  private static String options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .map(OptionSpec::longestName)
        .collect(Collectors.joining(", "));
  }

  private static String needed(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? "%s needs a value, %s".formatted(option.longestName(), argument.paramLabel())
        : "%s is missing".formatted(argument.paramLabel());
  }
}
