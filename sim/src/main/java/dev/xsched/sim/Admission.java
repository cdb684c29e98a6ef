package dev.xsched.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * An inference server that begins no request of a lower priority while one of a higher is there,
 * and stops none that has begun.
 */
public final class Admission {
  private record Member(Client client, long priority) {}

  private final List<Member> members = new ArrayList<>();

  void add(Client client, long priority) {
    members.add(new Member(client, priority));
  }

  boolean admits(Client client) {
    long own = priority(client);
    return members.stream().noneMatch(m -> m.priority() > own && m.client().hasRequests());
  }

  /** Lets those begin that waited for a request that has ended. */
  void ended() {
    for (Member member : List.copyOf(members)) {
      member.client().beginIfItCan();
    }
  }

  private long priority(Client client) {
    return members.stream()
        .filter(m -> m.client() == client)
        .mapToLong(Member::priority)
        .findFirst()
        .orElse(0);
  }
}
