package dev.xsched.cli.daemon;

/**
 * Something that {@code doctor} looked at.
 *
 * @param state ok, warning (works, but not as it could) or problem
 * @param remedy what to do about it, empty if nothing
 */
record Finding(String check, String state, String found, String remedy) {
  static Finding ok(String check, String found) {
    return new Finding(check, "ok", found, "");
  }

  static Finding warning(String check, String found, String remedy) {
    return new Finding(check, "warning", found, remedy);
  }

  static Finding problem(String check, String found, String remedy) {
    return new Finding(check, "problem", found, remedy);
  }
}
