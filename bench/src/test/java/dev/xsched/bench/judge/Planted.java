package dev.xsched.bench.judge;

import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Outcomes whose verdict is known. */
public final class Planted {
  private double contended = 1;
  private DeviceLoad device = DeviceLoad.ofBusy(OptionalDouble.of(1));
  private final List<Outcome.PartyOutcome> parties = new ArrayList<>();

  private Planted() {}

  public static Planted outcome() {
    return new Planted();
  }

  /** So many requests that all take that long, over ten seconds. */
  public Planted party(String name, int requests, double millis) {
    Requests all = new Requests();
    for (int i = 0; i < requests; i++) {
      long arrived = i * 10_000_000_000L / Math.max(1, requests);
      all.add(arrived, arrived + Math.round(millis * 1e6));
    }
    parties.add(new Outcome.PartyOutcome(name, all, requests, 1, OptionalDouble.empty()));
    return this;
  }

  /** So many requests, all alike, whose first kernel ended after so long. */
  public Planted bursts(String name, int requests, double firstMillis, double restMillis) {
    Requests all = new Requests();
    for (int i = 0; i < requests; i++) {
      long arrived = i * 10_000_000_000L / Math.max(1, requests);
      long first = arrived + Math.round(firstMillis * 1e6);
      all.add(arrived, first, 0, first + Math.round(restMillis * 1e6));
    }
    parties.add(new Outcome.PartyOutcome(name, all, requests, 1, OptionalDouble.empty()));
    return this;
  }

  public Planted contended(double fraction) {
    contended = fraction;
    return this;
  }

  public Planted busy(double fraction) {
    device = DeviceLoad.ofBusy(OptionalDouble.of(fraction));
    return this;
  }

  /** A device that is always busy and tells how fast it runs and what it draws. */
  public Planted running(double megahertz, double watts) {
    device =
        new DeviceLoad(
            OptionalDouble.of(1), OptionalDouble.of(megahertz), OptionalDouble.of(watts));
    return this;
  }

  public Outcome get() {
    return new Outcome(parties, 10, contended, device, OptionalDouble.empty(), List.of());
  }
}
