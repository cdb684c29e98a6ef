package dev.xsched.cli.doctor;

import java.util.List;

/** Java and the kernel. */
public final class HostChecks {
  private static final int OLDEST_JAVA = 25;

  private HostChecks() {}

  public static List<Finding> all() {
    return List.of(java(), nativeAccess(), kernel());
  }

  private static Finding java() {
    String found = Runtime.version() + ", " + System.getProperty("java.vendor");
    return Runtime.version().feature() >= OLDEST_JAVA
        ? Finding.ok("java", found)
        : Finding.problem("java", found, "get a JDK 25 or newer and set JAVA_HOME to it");
  }

  private static Finding nativeAccess() {
    return HostChecks.class.getModule().isNativeAccessEnabled()
        ? Finding.ok("native access", "allowed")
        : Finding.problem(
            "native access",
            "not allowed, so neither memory nor signals can be shared with programs",
            "start java with --enable-native-access=ALL-UNNAMED, or use ./xsched");
  }

  private static Finding kernel() {
    String found = System.getProperty("os.name") + " " + System.getProperty("os.version");
    if (!System.getProperty("os.name").equals("Linux")) {
      return Finding.problem("kernel", found, "programs can be scheduled on Linux only");
    }
    try {
      String missing = KernelProbe.missing();
      return missing.isEmpty()
          ? Finding.ok("kernel", found + ", memfd and futex work")
          : Finding.problem(
              "kernel",
              found + ", without " + missing,
              "use Linux 5.4 or newer; in a container, allow these calls in its seccomp profile");
    } catch (UnsupportedOperationException | IllegalCallerException e) {
      return Finding.problem("kernel", found + ", calls fail: " + e.getMessage(), "see above");
    }
  }
}
