package dev.xsched.sim;

import static dev.xsched.sim.Models.FIFO;
import static dev.xsched.sim.Models.SHARING;
import static dev.xsched.sim.Models.model;
import static dev.xsched.sim.Models.roundRobin;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a device does by itself, when nobody schedules it. */
class NativeSchedulerTest {
  @Test
  void fifoServesCommandsInOrderOfArrivalWhoeverSentThem() {
    Bench bench = new Bench(model(FIFO, 1));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launch(a, 100);
    bench.launchAndWatch(a, "a2", 100);
    bench.at(1, () -> bench.launchAndWatch(b, "b", 10));
    assertThat(bench.run()).containsExactly("a2@200", "b@210");
  }

  @Test
  void fifoRunsAsManyCommandsAtOnceAsTheDeviceHasRoomForButOneOfEachQueue() {
    Bench bench = new Bench(model(FIFO, 2));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    VirtualQueue c = bench.device.newHwQueue();
    bench.launch(a, 100);
    bench.launchAndWatch(a, "a2", 100);
    bench.launchAndWatch(b, "b", 30);
    bench.launchAndWatch(c, "c", 30);
    assertThat(bench.run()).containsExactly("b@30", "c@60", "a2@200");
  }

  @Test
  void roundRobinCutsCommandsAtTheEndOfASliceAndPaysForEachSwitch() {
    Bench bench = new Bench(model(roundRobin(100, 10, true), 1));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launchAndWatch(a, "a", 250);
    bench.launchAndWatch(b, "b", 100);
    // switch, a 10..110, switch, b 120..220 ends with its slice, switch, a 230..380
    assertThat(bench.run()).containsExactly("b@220", "a@380");
    assertThat(a.busyNanos()).isEqualTo(250);
    assertThat(b.busyNanos()).isEqualTo(100);
  }

  @Test
  void aLongSliceAndAShortOneAreAPriority() {
    Bench bench = new Bench(model(roundRobin(100, 10, true), 1));
    VirtualQueue high = bench.device.newHwQueue();
    VirtualQueue low = bench.device.newHwQueue();
    high.setSlice(1_000_000);
    low.setSlice(20);
    bench.launchAndWatch(low, "low", 250);
    bench.at(95, () -> bench.launch(high, 400));
    bench.at(300, () -> bench.launchAndWatch(high, "high", 50));
    // low 10..110, where its fifth slice ends; high 120..570, without a pause; low 580..730
    assertThat(bench.run()).containsExactly("high@570", "low@730");
  }

  @Test
  void roundRobinWithoutMidCommandSwitchesWhenTheCommandEnds() {
    Bench bench = new Bench(model(roundRobin(100, 0, false), 1));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launchAndWatch(a, "a", 250);
    bench.launchAndWatch(b, "b", 50);
    assertThat(bench.run()).containsExactly("a@250", "b@300");
  }

  @Test
  void aProgramWithoutWorkGivesItsTurnAway() {
    Bench bench = new Bench(model(roundRobin(1_000, 10, true), 1));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launchAndWatch(a, "a", 50);
    bench.launchAndWatch(b, "b", 50);
    assertThat(bench.run()).containsExactly("a@60", "b@120");
  }

  @Test
  void aProgramAloneIsNeverSwitched() {
    Bench bench = new Bench(model(roundRobin(100, 10, true), 1));
    VirtualQueue a = bench.device.newHwQueue();
    bench.launchAndWatch(a, "a", 1_000);
    bench.at(5_000, () -> bench.launchAndWatch(a, "again", 1_000));
    assertThat(bench.run()).containsExactly("a@1010", "again@6000");
  }

  @Test
  void aNewcomerWaitsForTheRestOfTheSlice() {
    Bench bench = new Bench(model(roundRobin(100, 0, true), 1));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launch(a, 10_000);
    bench.at(730, () -> bench.launchAndWatch(b, "b", 50));
    bench.run();
    assertThat(bench.log).containsExactly("b@850");
  }

  @Test
  void queuesOfOneProgramShareItsTurnsInOrderOfArrival() {
    Bench bench = new Bench(model(roundRobin(100, 0, true), 1));
    DeviceContext program = bench.device.newContext();
    VirtualQueue a1 = bench.device.newHwQueue(program);
    VirtualQueue a2 = bench.device.newHwQueue(program);
    VirtualQueue b = bench.device.newHwQueue();
    bench.launchAndWatch(a1, "a1", 100);
    bench.launchAndWatch(a2, "a2", 100);
    bench.launchAndWatch(b, "b", 100);
    assertThat(bench.run()).containsExactly("a1@100", "b@200", "a2@300");
  }

  @Test
  void sharingSlowsEveryoneDownEqually() {
    Bench bench = new Bench(model(SHARING, 8));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launchAndWatch(a, "a", 100);
    bench.at(50, () -> bench.launchAndWatch(b, "b", 100));
    // a has 50 left when b comes; both at half speed until 150; b then has 50 left.
    assertThat(bench.run()).containsExactly("a@150", "b@200");
    assertThat(a.busyNanos()).isEqualTo(100);
    assertThat(b.busyNanos()).isEqualTo(100);
  }

  @Test
  void sharingCanGetMoreDoneThanOneAfterTheOther() {
    Bench bench = new Bench(model(new NativeScheduler.Sharing(1.25), 8));
    bench.launchAndWatch(bench.device.newHwQueue(), "a", 100);
    bench.launchAndWatch(bench.device.newHwQueue(), "b", 100);
    assertThat(bench.run()).containsExactly("a@160", "b@160");
  }

  @Test
  void sharingMakesTheRestWaitWhenTheDeviceIsFull() {
    Bench bench = new Bench(model(SHARING, 2));
    bench.launchAndWatch(bench.device.newHwQueue(), "a", 100);
    bench.launchAndWatch(bench.device.newHwQueue(), "b", 200);
    bench.launchAndWatch(bench.device.newHwQueue(), "c", 100);
    assertThat(bench.run()).containsExactly("a@200", "b@400", "c@400");
  }

  @Test
  void launchingTakesTheHostsTimeOneCommandAfterTheOther() {
    Bench bench = new Bench(model(FIFO, 1, 40, 3));
    VirtualQueue a = bench.device.newHwQueue();
    VirtualQueue b = bench.device.newHwQueue();
    bench.launch(a, 10);
    bench.launchAndWatch(a, "a2", 10);
    bench.launchAndWatch(b, "b", 10);
    // a1 arrives at 40, a2 at 80; b has a host of its own; knowing of it costs 3 more.
    assertThat(bench.run()).containsExactly("b@63", "a2@93");
  }
}
