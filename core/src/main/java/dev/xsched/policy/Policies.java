package dev.xsched.policy;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds the policies on the class path. */
public final class Policies {
  private Policies() {}

  /** Returns every policy, those that come with XSched first. */
  public static List<Policy> available() {
    return ServiceLoader.load(Policy.class).stream().map(ServiceLoader.Provider::get).toList();
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
