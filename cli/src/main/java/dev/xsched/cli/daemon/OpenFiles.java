package dev.xsched.cli.daemon;

import java.io.File;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which of the open files are the JVM's own, and which were handed to it. */
final class OpenFiles {
  private static final int LAST_STANDARD = 2;

  private OpenFiles() {}

  /**
   * The files that the JVM opened: all but those that the launcher found open. The JDK marks few of
   * its own to be closed in other programs; jars and modules it does not.
   */
  static List<Integer> own() {
    Set<String> inherited =
        new HashSet<>(List.of(System.getProperty("xsched.inherited", "").split(",", -1)));
    String[] names = new File("/proc/self/fd").list();
    List<Integer> own = new ArrayList<>();
    for (String name : names == null ? new String[0] : names) {
      if (!inherited.contains(name) && Integer.parseInt(name) > LAST_STANDARD) {
        own.add(Integer.parseInt(name));
      }
    }
    return own;
  }
}
