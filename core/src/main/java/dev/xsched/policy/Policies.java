package dev.xsched.policy;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the policies on the class path: those that come with XSched, in the order of the numbers
 * that the C interface has for them, and then those of others. A policy that cannot be loaded is
 * reported and left out; the others are there nevertheless.
 */
public final class Policies {
  private static final String BUILT_IN = Policies.class.getPackageName() + ".builtin.";

  /** A class path that cannot be read fails again at every step. */
  private static final int MOST_FAILURES = 100;

  private Policies() {}

  /** Returns every policy that the current thread can see. */
  public static List<Policy> available() {
    return available(Thread.currentThread().getContextClassLoader());
  }

  /**
   * Returns every policy that this class loader or its parents can see.
   *
   * @param loader for a jar that is not on the class path, a loader of its own
   */
  public static List<Policy> available(@Nullable ClassLoader loader) {
    List<Policy> builtIn = new ArrayList<>();
    List<Policy> others = new ArrayList<>();
    Iterator<Policy> found = ServiceLoader.load(Policy.class, loader).iterator();
    int failures = 0;
    while (failures < MOST_FAILURES) {
      try {
        if (!found.hasNext()) {
          break;
        }
        Policy policy = found.next();
        (policy.getClass().getName().startsWith(BUILT_IN) ? builtIn : others).add(policy);
      } catch (ServiceConfigurationError | LinkageError e) {
        failures++;
        System.getLogger("dev.xsched")
            .log(Logger.Level.WARNING, "a policy is left out; check its jar", e);
      }
    }
    builtIn.addAll(others);
    return List.copyOf(builtIn);
  }

  /** Returns the policy of that name, in any case of letters. */
  public static Policy named(String name) {
    List<Policy> all = available();
    return all.stream()
        .filter(p -> p.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown policy '%s'; choose one of %s"
                        .formatted(
                            name,
                            all.stream().map(Policy::name).collect(Collectors.joining(", ")))));
  }
}
