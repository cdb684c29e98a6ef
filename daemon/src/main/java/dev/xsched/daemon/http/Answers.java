package dev.xsched.daemon.http;

import java.util.List;

/** What is answered beyond the daemon's own records. */
final class Answers {
  private Answers() {}

  /**
   * @param error one line: what is wrong and what to do
   */
  record Failure(String error) {}

  record PolicyInfo(String name, String summary) {}

  record PolicySet(String policy) {}

  /**
   * @param queues the ids of those concerned
   */
  record Changed(List<Long> queues) {}

  record Nothing() {}
}
