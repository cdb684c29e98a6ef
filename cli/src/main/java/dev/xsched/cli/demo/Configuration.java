package dev.xsched.cli.demo;

import java.util.Locale;

/** The three runs of the demo. */
public enum Configuration {
  /** The foreground has the device to itself. */
  STANDALONE("the foreground alone"),
  /** Both, and the device's own scheduler decides. */
  NATIVE("both, scheduled by the device alone"),
  /** Both, and XSched decides. */
  SCHEDULED("both, scheduled by XSched");

  private final String meaning;

  Configuration(String meaning) {
    this.meaning = meaning;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String meaning() {
    return meaning;
  }
}
