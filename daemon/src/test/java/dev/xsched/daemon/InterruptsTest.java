package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.Mechanism.Work;
import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.daemon.nvidia.ChannelSwitch.Turn;
import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Gpu;
import dev.xsched.link.Gpu.Channel;
import dev.xsched.link.Gpu.Interrupt;
import dev.xsched.link.PacketSocket;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who takes a program's work off the GPU, and that it comes back. */
class InterruptsTest {
  private static final String GPU = "gpu:0";
  private static final long SECOND = 1_000_000_000;

  private final PacketSocket.Peer somebody;
  private final Dispatcher dispatcher;
  private final FakeChannels channels = new FakeChannels();
  private final List<String> told = new ArrayList<>();
  private final Interrupts interrupts;
  private @Nullable String cannotOpen;
  private int opened;
  private int prepared;
  private long now = 1_000 * SECOND;

  /** A program with one queue on a GPU. */
  private record Guest(long id, Block block, ManagedQueue queue) {
    Gpu gpu() {
      return block.gpu(0);
    }
  }

  InterruptsTest(@TempDir Path folder) throws IOException {
    int uid = ControlDirectory.ownUid();
    somebody = new PacketSocket.Peer(0, uid, uid);
    SavedHints none = SavedHints.read(folder.resolve("state.json"));
    dispatcher = new Dispatcher(Policies.named("HPF"), uid, Limits.NONE, none);
    interrupts =
        new Interrupts(
            new ChannelSwitch.Opener() {
              @Override
              public ChannelSwitch open(String device, int instance) throws IOException {
                opened++;
                if (cannotOpen != null) {
                  throw new IOException(cannotOpen);
                }
                return channels;
              }

              @Override
              public void prepare() {
                prepared++;
              }
            },
            () -> now,
            (queue, interrupted, _) -> told.add((interrupted ? "off " : "on ") + queue.id()),
            () -> {});
  }

  @AfterEach
  void close() {
    interrupts.close();
    dispatcher.close();
    assertThat(channels.mostDisabled).isLessThanOrEqualTo(1);
    assertThat(channels.off()).isEmpty();
  }

  @Test
  void allIsReadyBeforeTheFirstInterrupt() {
    work();
    assertThat(prepared).isZero();
    interrupts.expect();
    work();
    work();
    assertThat(prepared).isEqualTo(1);
    assertThat(opened).isZero();
  }

  @Test
  void channelsGoOffTheGpuAndComeBack() throws Exception {
    Guest guest = program(1, 2, 3);
    interrupt(guest);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.BY_DAEMON);
    assertThat(interrupts.isInterrupted(guest.queue())).isTrue();
    assertThat(guest.queue().interruption).isEqualTo(Interrupt.BY_DAEMON);
    restore(guest);
    assertThat(channels.off()).isEmpty();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(interrupts.isInterrupted(guest.queue())).isFalse();
    assertThat(told).containsExactly("off " + guest.queue().id(), "on " + guest.queue().id());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 100})
  void nobodyIsPreemptedWhereAShortSliceIsInForce(long micros) throws Exception {
    Guest guest = program(1, 2);
    guest.gpu().setSliceMicros(micros);
    interrupt(guest);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2);
    assertThat(channels.offAfterSlice()).containsExactlyInAnyOrder(1, 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 101, 512, 2_048, 1_000_000, -1})
  void otherwiseWhatRunsIsPreempted(long micros) throws Exception {
    Guest guest = program(1, 2);
    guest.gpu().setSliceMicros(micros);
    interrupt(guest);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2);
    assertThat(channels.offAfterSlice()).isEmpty();
  }

  @Test
  void andWhereTheProgramCannotRemindTheGpuOfItsWork() throws Exception {
    Guest guest = program(1);
    guest.gpu().setSliceMicros(1);
    guest.gpu().setReminds(false);
    interrupt(guest);
    assertThat(channels.off()).containsExactly(1);
    assertThat(channels.offAfterSlice()).isEmpty();
  }

  @Test
  void anOrderForASliceDoesNotCountBeforeItIsInForce() throws Exception {
    Guest guest = program(1);
    guest.gpu().orderSlice(1);
    interrupt(guest);
    assertThat(channels.offAfterSlice()).isEmpty();
  }

  @Test
  void channelsThatComeMeanwhileGoByTheSliceAtTheirTime() throws Exception {
    Guest guest = program(1);
    guest.gpu().setSliceMicros(1);
    interrupt(guest);
    show(guest, 1, 2);
    pass(Interrupts.LOOK_NANOS);
    guest.gpu().setSliceMicros(0);
    show(guest, 1, 2, 3);
    pass(Interrupts.LOOK_NANOS);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(channels.offAfterSlice()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void nothingIsDisabledBeforeTheProgramLooksAfterIt() throws Exception {
    Guest guest = program(1);
    interrupts.want(guest.queue(), true);
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.BY_DAEMON);
    assertThat(channels.calls).isZero();
    answer(guest, false);
    assertThat(channels.off()).containsExactly(1);
  }

  @Test
  void theOrderStandsWhileTheDriverIsCalled() throws Exception {
    Guest guest = program(1);
    List<Interrupt> seen = new ArrayList<>();
    channels.meanwhile = () -> seen.add(guest.gpu().interruptOrder());
    interrupt(guest);
    restore(guest);
    assertThat(seen).isNotEmpty().containsOnly(Interrupt.BY_DAEMON);
  }

  @Test
  void workIsLeavingBeforeTheDriverIsDone() throws Exception {
    Guest guest = program(1);
    List<Work> seen = new ArrayList<>();
    channels.meanwhile =
        () -> {
          seen.add(work(guest));
          now += interrupts.costNanos();
          seen.add(work(guest));
        };
    interrupt(guest);
    assertThat(seen).endsWith(Work.ON_GPU, Work.LEAVING);
    assertThat(work(guest)).isEqualTo(Work.OFF);
    seen.clear();
    restore(guest);
    assertThat(seen).containsExactly(Work.OFF, Work.OFF);
    assertThat(work(guest)).isEqualTo(Work.ON_GPU);
  }

  private Work work(Guest guest) {
    return guest.queue().work(now);
  }

  @Test
  void whoseWishIsTakenBackMeanwhileIsLeavingNoMore() throws Exception {
    Guest guest = program(1);
    channels.meanwhile =
        () -> interrupts.want(guest.queue(), guest.queue().leavesAt == ManagedQueue.NOT);
    interrupt(guest);
    assertThat(guest.queue().leavesAt).isEqualTo(ManagedQueue.NOT);
    pass(SECOND);
    assertThat(work(guest)).isEqualTo(Work.ON_GPU);
  }

  @Test
  void whatTheDriverRefusesIsLeavingNoMore() throws Exception {
    Guest guest = program(1);
    channels.refusesToDisable = true;
    interrupt(guest);
    assertThat(channels.disableCalls).isEqualTo(1);
    assertThat(work(guest)).isEqualTo(Work.ON_GPU);
  }

  @Test
  void aWishThatIsTakenBackInTimeCostsNothing() throws Exception {
    Guest guest = program(1);
    int seq = guest.gpu().interruptOrderSeq();
    interrupts.want(guest.queue(), true);
    restore(guest);
    assertThat(guest.gpu().interruptOrderSeq()).isEqualTo(seq);
    assertThat(opened).isZero();
  }

  @Test
  void theSecondTimeTakesOneCall() throws Exception {
    Guest guest = program(1, 2);
    interrupt(guest);
    restore(guest);
    int calls = channels.calls;
    interrupts.want(guest.queue(), true);
    work();
    assertThat(channels.calls).isEqualTo(calls + 1);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void nothingIsDisabledTwice() throws Exception {
    Guest guest = program(1, 2);
    interrupt(guest);
    for (int i = 0; i < 50; i++) {
      pass(Interrupts.LOOK_NANOS);
    }
    assertThat(channels.disableCalls).isEqualTo(1);
  }

  @Test
  void anErrorKeepsNobodyElseOnTheGpu() throws Exception {
    Guest one = program(1);
    Guest other = program(2);
    channels.meanwhile =
        () -> {
          channels.meanwhile = () -> {};
          throw new StackOverflowError();
        };
    interrupt(one);
    interrupt(other);
    assertThat(channels.off()).contains(2);
  }

  @Test
  void twoProgramsThatShowTheSameChannelDoNotDisableItTwice() throws Exception {
    Guest one = program(1, 2);
    Guest other = program(2, 3);
    interrupt(one);
    interrupt(other);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void aChannelThatComesMeanwhileIsDisabledToo() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    show(guest, 1, 2);
    pass(Interrupts.LOOK_NANOS);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aChannelThatGoesMeanwhileKeepsNobodyOff() throws Exception {
    Guest guest = program(1, 2);
    interrupt(guest);
    channels.absent.add(1);
    show(guest, 2);
    restore(guest);
    assertThat(channels.off()).containsExactly(1);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    channels.absent.clear();
    channels.turn(List.of(new Channel(7, 1)), Turn.ON);
  }

  @Test
  void theOrderStandsUnconfirmedUntilAllIsEnabled() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    int seq = guest.gpu().interruptOrderSeq();
    channels.refusesToEnable = true;
    restore(guest);
    pass(SECOND);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.BY_DAEMON);
    assertThat(guest.gpu().interruptOrderSeq()).isEqualTo(seq);
    assertThat(interrupts.isInterrupted(guest.queue())).isTrue();
    channels.refusesToEnable = false;
    pass(Interrupts.LOOK_NANOS);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(interrupts.isInterrupted(guest.queue())).isFalse();
  }

  @Test
  void anInterruptThatLastsIsConfirmed() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    int seq = guest.gpu().interruptOrderSeq();
    for (int i = 0; i < 10; i++) {
      pass(Interrupts.LOOK_NANOS);
    }
    assertThat(guest.gpu().interruptOrderSeq()).isGreaterThan(seq);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.BY_DAEMON);
  }

  @Test
  void aProgramThatMayHaveGoneOnByItselfIsInterruptedAnew() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    int seq = guest.gpu().interruptOrderSeq();
    now += SECOND;
    interrupts.work();
    assertThat(channels.disableCalls).as("nobody would look after it").isEqualTo(1);
    pass(Interrupts.LOOK_NANOS);
    assertThat(guest.gpu().interruptOrderSeq()).isGreaterThan(seq);
    answer(guest, false);
    assertThat(channels.disableCalls).isEqualTo(2);
    assertThat(channels.off()).containsExactly(1);
  }

  @Test
  void whatADaemonBeforeThisOneDisabledIsEnabledFirst() throws Exception {
    Guest guest = program(1);
    channels.disableFromOutside(1);
    interrupt(guest);
    assertThat(channels.off()).containsExactly(1);
  }

  @Test
  void whatSomebodyElseDisabledIsEnabledWhenTheProgramDoesNotGetOn() throws Exception {
    Guest guest = program(1, 2);
    interrupt(guest);
    channels.disableFromOutside(1);
    interrupts.doubt(guest.queue().program());
    work();
    assertThat(channels.off()).as("still wished").containsExactlyInAnyOrder(1, 2);
    restore(guest);
    assertThat(channels.off()).isEmpty();
    channels.disableFromOutside(2);
    int seq = guest.gpu().interruptOrderSeq();
    now += SECOND;
    interrupts.doubt(guest.queue().program());
    work();
    assertThat(channels.off()).isEmpty();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(guest.gpu().interruptOrderSeq()).as("said anew").isGreaterThan(seq);
  }

  @Test
  void whoWasNeverInterruptedIsNotDoubted() throws Exception {
    Guest guest = program(1);
    interrupts.doubt(guest.queue().program());
    work();
    assertThat(opened).isZero();
  }

  @Test
  void theProgramDoesItWhereTheDaemonCannot() throws Exception {
    cannotOpen = "/dev/nvidiactl: No such file or directory";
    Guest guest = program(1);
    interrupts.want(guest.queue(), true);
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
    assertThat(interrupts.isInterrupted(guest.queue())).isFalse();
    answer(guest, true);
    assertThat(guest.queue().interruption).isEqualTo(Interrupt.HERE);
    restore(guest);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(interrupts.isInterrupted(guest.queue())).isTrue();
    answer(guest, false);
    assertThat(interrupts.isInterrupted(guest.queue())).isFalse();
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void onlyTheProgramCanDoItWhereItHasNoSubdevice() throws Exception {
    Guest guest = program(1);
    showWithoutSubdevice(guest);
    interrupts.want(guest.queue(), true);
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
    assertThat(opened).isZero();
  }

  @Test
  void workStaysOffForAsLongAsAnInterruptTakes() throws Exception {
    Guest guest = program(1);
    showWithoutSubdevice(guest);
    interrupts.want(guest.queue(), true);
    work();
    answer(guest, true);
    long cost = interrupts.costNanos();
    interrupts.want(guest.queue(), false);
    pass(cost - 1);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
    interrupts.want(guest.queue(), true); // It was a short pause.
    pass(cost);
    int seq = guest.gpu().interruptOrderSeq();
    interrupts.want(guest.queue(), false);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
    pass(cost);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(guest.gpu().interruptOrderSeq()).isEqualTo(seq + 1);
  }

  @Test
  void aShortPauseTakesNoCallOfTheDriver() throws Exception {
    Guest guest = program(1, 2);
    interrupt(guest);
    int calls = channels.calls;
    interrupts.want(guest.queue(), false);
    pass(interrupts.costNanos() - 1);
    interrupts.want(guest.queue(), true);
    pass(interrupts.costNanos());
    assertThat(channels.calls).isEqualTo(calls);
    assertThat(channels.off()).containsExactlyInAnyOrder(1, 2);
    assertThat(told).containsExactly("off " + guest.queue().id());
    restore(guest);
    assertThat(channels.off()).isEmpty();
  }

  @Test
  void workIsPutBackAtOnceWhenTheDaemonEnds() throws Exception {
    Guest guest = program(1);
    showWithoutSubdevice(guest);
    interrupts.want(guest.queue(), true);
    work();
    answer(guest, true);
    interrupts.want(guest.queue(), false);
    interrupts.close();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
  }

  private static void showWithoutSubdevice(Guest guest) {
    guest.gpu().show(GPU, Gpu.QUEUES, "");
    guest.gpu().showChannels(0, 0, List.of(new Channel(0, 1)));
  }

  @Test
  void theProgramDoesItAfterTheDriverHasRefused() throws Exception {
    channels.refusesToDisable = true;
    Guest guest = program(1);
    interrupt(guest);
    pass(Interrupts.LOOK_NANOS);
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
    pass(Interrupts.LOOK_NANOS);
    assertThat(channels.disableCalls).isEqualTo(1);
  }

  @Test
  void theProgramDoesItWhenItHasMoreChannelsThanItCanShow() throws Exception {
    int[] many = new int[65];
    Arrays.setAll(many, i -> i + 1);
    Guest guest = program(many);
    interrupts.want(guest.queue(), true);
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.HERE);
  }

  @Test
  void aProgramThatOffersNothingIsLeftAlone() throws Exception {
    Guest guest = program(1);
    guest.gpu().show(GPU, Gpu.SLICES, "the GPU is divided (MIG)");
    interrupts.want(guest.queue(), true);
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    guest.gpu().show(GPU, Gpu.SLICES, "");
    interrupts.heard(guest.queue());
    work();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.BY_DAEMON);
  }

  @Test
  void aQueueThatGoesLeavesNothingBehind() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    interrupts.forget(guest.queue());
    pass(2 * interrupts.costNanos());
    assertThat(channels.off()).isEmpty();
    assertThat(guest.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
  }

  @Test
  void theMemoryOfAProgramThatHasGoneIsNotTouched() throws Exception {
    Guest guest = program(1);
    interrupt(guest);
    int seq = guest.gpu().interruptOrderSeq();
    interrupts.forget(guest.queue());
    interrupts.forget(guest.queue().program());
    work();
    assertThat(channels.off()).isEmpty();
    assertThat(guest.gpu().interruptOrderSeq()).isEqualTo(seq);
  }

  @Test
  void theDaemonEndsAndEverythingRuns() throws Exception {
    Guest one = program(1);
    Guest other = program(2);
    interrupt(one);
    interrupt(other);
    interrupts.close();
    assertThat(channels.off()).isEmpty();
    assertThat(one.gpu().interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(channels.closed).isTrue();
  }

  @Test
  void theCostIsWhatItTookOfLate() throws Exception {
    Guest guest = program(1);
    assertThat(interrupts.costNanos()).isEqualTo(800_000);
    channels.meanwhile = () -> now += 400_000;
    interrupt(guest);
    assertThat(interrupts.costNanos()).isEqualTo(750_000);
  }

  private Guest program(int... handles) throws Exception {
    Block block = Block.create();
    block.gpu(0).show(GPU, Gpu.SLICES, "");
    block.slot(0).use("all streams", GPU, 5, false);
    long id = dispatcher.admit(somebody, "guest", block).program();
    ManagedQueue queue =
        dispatcher.look(
            () ->
                dispatcher.programs().stream()
                    .filter(p -> p.id() == id)
                    .findFirst()
                    .orElseThrow()
                    .queues()
                    .getFirst());
    Guest guest = new Guest(id, block, queue);
    show(guest, handles);
    guest.gpu().setReminds(true);
    block.setHeartbeat(now);
    return guest;
  }

  private static void show(Guest guest, int... handles) {
    guest
        .gpu()
        .showChannels(0, 5, Arrays.stream(handles).mapToObj(h -> new Channel(7, h)).toList());
  }

  /** Until it is done, with a program that answers. */
  private void interrupt(Guest guest) {
    interrupts.want(guest.queue(), true);
    work();
    answer(guest, false);
  }

  /** Until it is done: work stays off for as long as an interrupt takes. */
  private void restore(Guest guest) {
    interrupts.want(guest.queue(), false);
    pass(interrupts.costNanos() * 2);
  }

  private void answer(Guest guest, boolean interrupted) {
    guest.gpu().setInterrupted(interrupted, guest.gpu().interruptOrderSeq());
    interrupts.heard(guest.queue());
    work();
  }

  /** Time in which the daemon's heart beats. */
  private void pass(long nanos) {
    now += nanos;
    work();
  }

  private void work() {
    dispatcher.look(
        () -> {
          dispatcher.programs().forEach(p -> p.block().setHeartbeat(now));
          return true;
        });
    long _ = interrupts.work();
  }
}
