package dev.xsched.cli.daemon;

import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import java.util.Iterator;

/** What can follow where a policy is asked for. */
public final class PolicyNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Policies.available().stream().map(Policy::name).iterator();
  }
}
