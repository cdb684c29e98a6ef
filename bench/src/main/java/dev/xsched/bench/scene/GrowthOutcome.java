package dev.xsched.bench.scene;

import java.util.List;
import java.util.Map;

/**
 * How much daemon and programs have taken of the system, once a second.
 *
 * @param samples by process: daemon, low, high
 * @param faults a line for whatever went wrong
 */
public record GrowthOutcome(
    Map<String, List<Size>> samples,
    long resultsChecked,
    long resultsWrong,
    List<String> faults,
    List<String> notes) {

  /**
   * What a process has at one moment.
   *
   * @param maps pieces of memory that it has mapped
   */
  public record Size(long residentKilobytes, long descriptors, long maps, long threads) {}
}
