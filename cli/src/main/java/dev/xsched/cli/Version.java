package dev.xsched.cli;

import java.util.List;

/** What {@code --version} prints; result records name the same. */
public final class Version {
  private Version() {}

  /** The release, from the jar; "development" when the classes were never put into one. */
  public static String release() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** The commit of the checkout that the launcher ran from, or the empty string. */
  public static String commit() {
    return System.getProperty("xsched.commit", "");
  }

  static List<String> lines() {
    String commit = commit();
    return List.of(
        "xsched " + release() + (commit.isEmpty() ? "" : " (commit " + commit + ")"),
        "Java " + Runtime.version() + ", " + System.getProperty("java.vendor"));
  }
}
