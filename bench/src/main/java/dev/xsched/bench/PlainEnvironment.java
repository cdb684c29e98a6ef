package dev.xsched.bench;

import java.util.Map;

/**
 * Takes XSched's variables out of the environment of a program that is to be measured: how we were
 * started must not show in it. Where a driver's library is, and what stands in for a device in
 * tests, is no matter of scheduling and stays.
 */
public final class PlainEnvironment {
  private PlainEnvironment() {}

  public static void of(ProcessBuilder builder) {
    clean(builder.environment());
  }

  static void clean(Map<String, String> environment) {
    environment
        .keySet()
        .removeIf(
            name ->
                name.startsWith("XSCHED_")
                    && !name.startsWith("XSCHED_TEST_")
                    && !name.endsWith("_LIB"));
  }
}
