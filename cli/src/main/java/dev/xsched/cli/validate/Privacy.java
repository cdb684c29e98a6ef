package dev.xsched.cli.validate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes out of a text what is nobody's business: who the user is, what the machine is called, and
 * where things lie. Messages of programs may hold any of it.
 */
final class Privacy {
  private final Map<Pattern, String> replacements = new LinkedHashMap<>();

  /**
   * Knows what to hide; what is empty is nothing to hide.
   *
   * @param here the folder of this installation
   */
  Privacy(String here, String home, String user, String machine) {
    path(here, "XSCHED");
    path(home, "HOME");
    if (!user.equals("root")) { // A role, and a word.
      word(user, "USER");
    }
    if (!machine.equals("localhost")) {
      word(machine, "MACHINE");
    }
  }

  String hide(String text) {
    String hidden = text;
    for (var entry : replacements.entrySet()) {
      hidden =
          entry.getKey().matcher(hidden).replaceAll(Matcher.quoteReplacement(entry.getValue()));
    }
    return hidden;
  }

  private void path(String path, String replacement) {
    if (path.length() > 1) {
      replacements.put(Pattern.compile(Pattern.quote(path) + "(?![\\w-])"), replacement);
    }
  }

  private void word(String word, String replacement) {
    if (!word.isBlank()) {
      replacements.put(
          Pattern.compile("(?<![\\w-])" + Pattern.quote(word) + "(?![\\w-])"), replacement);
    }
  }
}
