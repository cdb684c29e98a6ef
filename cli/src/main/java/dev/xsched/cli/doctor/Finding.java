package dev.xsched.cli.doctor;

/**
 * Something that {@code doctor} looked at.
 *
 * @param state ok, warning (works, but not as it could) or problem
 * @param remedy what to do about it, empty if nothing
 */
public record Finding(String check, String state, String found, String remedy) {
  public static Finding ok(String check, String found) {
    return new Finding(check, "ok", found, "");
  }

  public static Finding warning(String check, String found, String remedy) {
    return new Finding(check, "warning", found, remedy);
  }

  public static Finding problem(String check, String found, String remedy) {
    return new Finding(check, "problem", found, remedy);
  }
}
