package dev.xsched.bench.scene;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a scene gave.
 *
 * @param parties in the order of the scene
 * @param seconds for which it was measured
 * @param contended fraction of that time in which at least two parties had work for the device: the
 *     proof that there was something to schedule
 * @param device what it did meanwhile. One that mostly idles beside a continuous party tells of the
 *     launching processor
 * @param schedulerSeconds processor time of the daemon; empty where none is spent or known
 * @param stolen fraction of the time of all processors that the host of a virtual machine had for
 *     something else meanwhile
 * @param notes what a reader of the record must know
 */
public record Outcome(
    List<PartyOutcome> parties,
    double seconds,
    double contended,
    DeviceLoad device,
    OptionalDouble schedulerSeconds,
    double stolen,
    List<String> notes) {
  /**
   * What became of one party.
   *
   * @param requests those that ended
   * @param offered how many came, ended or not, dropped ones included
   * @param wanting fraction of the time in which it had work for the device
   * @param processorSeconds of its program; empty where it is not known
   */
  public record PartyOutcome(
      String name,
      Requests requests,
      long offered,
      double wanting,
      OptionalDouble processorSeconds) {}

  public Outcome {
    parties = List.copyOf(parties);
    notes = List.copyOf(notes);
  }

  /** One from which no host took anything. */
  public Outcome(
      List<PartyOutcome> parties,
      double seconds,
      double contended,
      DeviceLoad device,
      OptionalDouble schedulerSeconds,
      List<String> notes) {
    this(parties, seconds, contended, device, schedulerSeconds, 0, notes);
  }

  /** Returns the same with one more note. */
  public Outcome noting(String text) {
    List<String> more = new ArrayList<>(notes);
    more.add(text);
    return new Outcome(parties, seconds, contended, device, schedulerSeconds, stolen, more);
  }

  /** Returns the same, from which a host took that part of the processors' time. */
  public Outcome disturbed(double part) {
    return new Outcome(parties, seconds, contended, device, schedulerSeconds, part, notes);
  }

  /** Returns the party of that name, which must be there. */
  public PartyOutcome party(String name) {
    return parties.stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no party '%s' played".formatted(name)));
  }

  /** Fraction of the time in which the device worked; empty where a stage cannot know. */
  public OptionalDouble deviceBusy() {
    return device.busy();
  }

  /** Requests of a party that ended, per second. */
  public double perSecond(String name) {
    return party(name).requests().count() / seconds;
  }
}
