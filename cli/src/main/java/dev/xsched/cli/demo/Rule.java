package dev.xsched.cli.demo;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;

/**
 * What XSched is told in the scheduled run. The background has the default priority.
 *
 * @param priority of the foreground
 */
record Rule(Policy policy, long priority) {
  static final String DEFAULT_POLICY = "HPF";
  static final int DEFAULT_PRIORITY = 10;

  static Rule byDefault() {
    return new Rule(Policies.named(DEFAULT_POLICY), DEFAULT_PRIORITY);
  }

  @Override
  public String toString() {
    return "%s, priorities %d and %d"
        .formatted(policy.name(), priority, Hint.PRIORITY.defaultValue());
  }
}
