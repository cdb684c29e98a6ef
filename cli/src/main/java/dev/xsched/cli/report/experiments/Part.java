package dev.xsched.cli.report.experiments;

/**
 * One thing that was tried on a machine, as a report begins with it.
 *
 * @param found what came out, or why it did not work; and what to do
 */
public record Part(String name, State state, String found) {
  /** What became of it. */
  public enum State {
    WORKED("worked", "met"),
    FAILED("failed", "missed"),
    /** The device does not have it, or there was no time: nothing is wrong. */
    LEFT_OUT("left out", "note");

    private final String word;
    private final String style;

    State(String word, String style) {
      this.word = word;
      this.style = style;
    }

    public String word() {
      return word;
    }

    /** The class of such words on the page. */
    String style() {
      return style;
    }
  }

  public static Part worked(String name, String found) {
    return new Part(name, State.WORKED, found);
  }

  public static Part failed(String name, String found) {
    return new Part(name, State.FAILED, found);
  }

  public static Part leftOut(String name, String found) {
    return new Part(name, State.LEFT_OUT, found);
  }
}
