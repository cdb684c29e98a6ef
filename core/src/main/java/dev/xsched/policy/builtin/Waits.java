package dev.xsched.policy.builtin;

/**
 * How long a program's requests wait for the device, which tells what others do to it from what it
 * does itself. Immutable; all in picoseconds per command.
 *
 * <p>A program that is bound by its own host takes now longer, now shorter, whatever others do: on
 * the device they can delay it only where it waits for that. So without them a request would have
 * taken less by what it waited more than requests alone do. They are not to blame for one that is
 * late if it would have been late anyway, or if they added no more than they may. That holds only
 * where waits are seen: where it is not known how long a request waited, all of it may be their
 * work, and where most of the latest are late by themselves, the program waits in ways unseen.
 *
 * @param alone what the latest requests alone waited
 * @param added what the latest beside others waited more than these
 * @param own what they would have taken without that
 */
record Waits(Recent alone, Recent added, Recent own) {
  private static final int KEPT_ALONE = 64;
  private static final int LEAST_ALONE = 16;
  private static final int LATEST = 2 * Pace.STEADY;

  static final Waits UNKNOWN =
      new Waits(Recent.ofMost(KEPT_ALONE), Recent.ofMost(LATEST), Recent.ofMost(LATEST));

  /** After one more request alone; one that did not wait is one of which nothing is known. */
  Waits withAlone(long waited) {
    return waited == 0 ? this : new Waits(alone.with(waited), added, own);
  }

  /** After one more request beside others. */
  Waits with(long took, long waited) {
    boolean known = waited > 0 && alone.count() >= LEAST_ALONE;
    long more = known ? Math.clamp(waited - alone.percentile(50), 0, took) : took;
    return new Waits(alone, added.with(more), own.with(took - more));
  }

  /** Whether it is known of each of the latest requests what was added to it. */
  boolean areKnown() {
    return own.count() == LATEST && own.smallest() > 0;
  }

  /** Whether others are not to blame for the latest request, which took longer than the limit. */
  boolean excuse(long limit, long slack) {
    boolean itself = own.newest() > limit || added.newest() <= slack;
    return itself && own.percentile(50) <= limit;
  }

  /** Whether others clearly added less than that to the latest requests. */
  boolean areClear(long slack) {
    // Some wait now longer, now shorter even alone.
    long noise = alone.percentile(97) - alone.percentile(50);
    return added.largest() - noise <= slack / 10 * 9;
  }
}
