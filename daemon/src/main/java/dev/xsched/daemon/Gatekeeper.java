package dev.xsched.daemon;

import dev.xsched.link.Board;
import dev.xsched.link.Slot;
import dev.xsched.policy.Decision;
import dev.xsched.policy.QueueView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was decided where programs see it: gates and ranks into their blocks, ceilings onto
 * the boards.
 *
 * <p>A ceiling is raised by programs and lowered here. What was read before the facts were is
 * compared when it is lowered: if somebody raised it in between, it stays, and the bell that they
 * rang brings another decision. Gates close before ceilings fall and open after that, so nobody
 * slips through in between.
 */
final class Gatekeeper {
  /** Of who shares by slices: now and then a policy has it make way for a moment. */
  private static final int YIELDS = Slot.OTHERS_ABOVE | Slot.OTHERS_BRIEFLY;

  private final Map<Long, ManagedQueue> queues;
  private final Collection<UserBoard> boards;
  private final Map<UserBoard, long[]> seenCeilings = new HashMap<>();
  private final int[] target = new int[Board.CEILINGS];

  /** Of the decision before; its queues may have gone since, or changed their ranks. */
  private final int[] before = new int[Board.CEILINGS];

  private final Set<ManagedQueue> toOpen = new LinkedHashSet<>();
  private final Set<Program> told = new LinkedHashSet<>();
  private final Others others = new Others();
  private final Slices slices;
  private final Books books;
  private final Interrupts interrupts;

  // What each place of the snapshot was told last: most decisions change none of it.
  private long[] rankedIds = new long[0];
  private int[] ranks = new int[0];
  private int[] ceilings = new int[0];
  private int ranked;

  private long lowered;

  Gatekeeper(
      Map<Long, ManagedQueue> queues,
      Collection<UserBoard> boards,
      Books books,
      Interrupts interrupts) {
    this.queues = queues;
    this.boards = boards;
    this.slices = new Slices(queues);
    this.books = books;
    this.interrupts = interrupts;
    Arrays.fill(target, Board.NO_RANK);
  }

  /** To be called before the facts are read that a decision will be made from. */
  void look(int devices) {
    int count = Math.min(Board.CEILINGS, Math.max(1, devices));
    for (UserBoard board : boards) {
      long[] words = seenCeilings.computeIfAbsent(board, _ -> new long[Board.CEILINGS]);
      for (int i = 0; i < count; i++) {
        words[i] = board.board().ceiling(i);
      }
    }
  }

  /** Reads what there is to know of the GPU behind a queue. */
  void readGpu(ManagedQueue queue) {
    queue.readGpu();
    if (slices.notice(queue)) {
      interrupts.expect();
    }
  }

  /** Has a gate be as the policy wants it, unless slices do its work. */
  void order(ManagedQueue queue, boolean open) {
    queue.wantedOpen = open;
    if (!queue.covered) {
      turn(queue, open);
    }
  }

  private void turn(ManagedQueue queue, boolean open) {
    if (open) {
      toOpen.add(queue);
    } else {
      toOpen.remove(queue);
      queue.shutAt = System.nanoTime();
      queue.slot().setGate(false);
    }
    queue.open = open;
    told.add(queue.program());
    books.ordered(queue, System.nanoTime(), open);
  }

  /** Brings ranks and ceilings in line, then opens the gates that were to be opened. */
  void finish(Decision.@Nullable Ranking ranking, List<QueueView> views, int devices) {
    System.arraycopy(target, 0, before, 0, target.length);
    Arrays.fill(target, Board.NO_RANK);
    makeRoom(views.size());
    boolean changed = slices.follow(ranking, views);
    changed |= others.follow(ranking) || views.size() != ranked;
    for (int i = 0; i < views.size(); i++) {
      QueueView view = views.get(i);
      int ceiling = slices.setsApart(i) ? Slot.NO_CEILING : ceilingOf(view, ranking);
      int rank = ranking == null ? 0 : ranking.rank(i);
      if (i >= ranked || rankedIds[i] != view.id() || ranks[i] != rank || ceilings[i] != ceiling) {
        rankedIds[i] = view.id();
        ranks[i] = rank;
        ceilings[i] = ceiling;
        setRank(view.id(), rank, ceiling);
        changed = true;
      }
      if (ceiling != Slot.NO_CEILING && view.wantsToRun()) {
        target[ceiling] = Math.max(target[ceiling], rank);
      }
    }
    ranked = views.size();
    if (changed) {
      tellOfOthers(views, devices);
    }
    followSlices(views);
    interrupt(views);
    if (setCeilings(Math.min(Board.CEILINGS, Math.max(1, devices)))) {
      wakeReady(views);
    }
    for (ManagedQueue queue : toOpen) {
      queue.slot().setGate(true);
    }
    toOpen.clear();
    told.forEach(program -> program.block().raiseOrders());
    told.clear();
  }

  /** The rank below which nothing is launched on a device, null if there is none. */
  @Nullable Integer ceiling(int index) {
    return index >= target.length || target[index] == Board.NO_RANK ? null : target[index];
  }

  /** The devices that can follow a policy's share by themselves. */
  BitSet slicing() {
    return slices.slicing();
  }

  long lowered() {
    return lowered;
  }

  long sliceOrders() {
    return slices.orders();
  }

  /** Forgets a program that has gone. */
  void forget(Program program) {
    told.remove(program);
    toOpen.removeIf(queue -> queue.program() == program);
  }

  void forget(ManagedQueue queue) {
    toOpen.remove(queue);
  }

  private static int ceilingOf(QueueView view, Decision.@Nullable Ranking ranking) {
    if (ranking == null || !view.hints().executes()) {
      return Slot.NO_CEILING;
    }
    int ceiling = ranking.acrossDevices() ? 0 : view.device();
    return ceiling < Board.CEILINGS ? ceiling : Slot.NO_CEILING;
  }

  private void setRank(long id, int rank, int ceiling) {
    ManagedQueue queue = queues.get(id);
    if (queue != null && (queue.rank != rank || queue.ceiling != ceiling)) {
      queue.rank = rank;
      queue.ceiling = ceiling;
      queue.slot().setRank(rank, ceiling);
      told.add(queue.program());
    }
  }

  /** Where slices came into force or ended, or who they hold back changed, gates follow. */
  private void followSlices(List<QueueView> views) {
    long now = System.nanoTime();
    for (int i = 0; slices.used() && i < views.size(); i++) {
      ManagedQueue queue = queues.get(views.get(i).id());
      if (queue == null) {
        continue;
      }
      books.keptApart(queue, now);
      if (!(queue.covered || slices.covers(i))) {
        continue;
      }
      queue.covered = slices.covers(i);
      boolean open =
          queue.covered
              ? slices.opens(i) && (queue.wantedOpen || !slices.shares(i))
              : queue.wantedOpen;
      if (open != queue.open) {
        turn(queue, open);
      }
    }
  }

  private void tellOfOthers(List<QueueView> views, int devices) {
    others.count(views, ranks, devices, slices::setsApart);
    for (int i = 0; i < views.size(); i++) {
      ManagedQueue queue = queues.get(views.get(i).id());
      int of =
          slices.setsApart(i)
              ? ofWhoIsApart(views.get(i), i)
              : others.of(views.get(i), ranks[i]) | (slices.shares(i) ? YIELDS : 0);
      if (queue != null && queue.setOthers(of)) {
        told.add(queue.program());
      }
    }
  }

  private int ofWhoIsApart(QueueView view, int place) {
    // Its requests are measured, and the policy may stop others while it waits.
    if (slices.shares(place)) {
      return Slot.OTHERS_BELOW | Slot.OTHERS_YIELD;
    }
    int early = slices.turnsEarly(place) ? Slot.OTHERS_EARLY : 0;
    // Others wait for it to end before they interrupt each other.
    if (others.areSeveral(view)) {
      return Slot.OTHERS_BELOW | Slot.OTHERS_APART | early;
    }
    return (slices.tellsPauses(place) ? Slot.OTHERS_STOPPED : 0) | early;
  }

  /**
   * Takes work off the GPU that a closed gate, or a slice, does not stop soon enough. With slices,
   * a gate may also be closed until others are off; whose is, must not go off itself. While the
   * highest rank has the GPU, only what does not disturb it is done: so that who comes next can
   * launch meanwhile.
   */
  private void interrupt(List<QueueView> views) {
    for (int i = 0; slices.used() && i < views.size(); i++) {
      QueueView view = views.get(i);
      ManagedQueue queue = queues.get(view.id());
      if (queue == null) {
        continue;
      }
      boolean late =
          !queue.open && !slices.covers(i) && view.hints().executes() && outlastsGate(queue);
      if (late && !slices.interrupts(i)) {
        queue.interruptReason = "its work in flight outlasts its gate";
      }
      boolean wanted = queue.offersInterrupts() && (slices.interrupts(i) || late);
      if (!slices.isOutranked(i) || (wanted && queue.leavesQuietly())) {
        interrupts.want(queue, wanted);
      }
    }
  }

  private boolean outlastsGate(ManagedQueue queue) {
    return queue.isOnlyOneThere() && queue.outlasts(interrupts.costNanos());
  }

  /** Whether what a queue has in flight does not go on once it is to stop. */
  boolean takesOff(ManagedQueue queue) {
    return queue.covered || (queue.offersInterrupts() && outlastsGate(queue));
  }

  /** Who waits at an open gate waits for a ceiling to fall. */
  private void wakeReady(List<QueueView> views) {
    for (QueueView view : views) {
      if (view.wantsToRun() && view.running()) {
        ManagedQueue queue = queues.get(view.id());
        if (queue != null && queue.open) {
          queue.slot().wakeWaiters();
          told.add(queue.program());
        }
      }
    }
  }

  /** Returns whether one was lowered. */
  private boolean setCeilings(int count) {
    long loweredBefore = lowered;
    for (UserBoard board : boards) {
      long[] words = seenCeilings.get(board);
      if (words == null) {
        continue; // Its first program came after the look; nobody can have raised anything.
      }
      for (int i = 0; i < count; i++) {
        int rank = Board.rank(words[i]);
        if (rank > target[i] && rank != before[i]) {
          board.judge(i, rank, System.nanoTime());
        }
        if (rank != target[i] && board.board().set(i, words[i], target[i])) {
          lowered += rank > target[i] ? 1 : 0;
        }
      }
    }
    return lowered != loweredBefore;
  }

  private void makeRoom(int size) {
    if (size > ranks.length) {
      int larger = Math.max(16, 2 * size);
      rankedIds = Arrays.copyOf(rankedIds, larger);
      ranks = Arrays.copyOf(ranks, larger);
      ceilings = Arrays.copyOf(ceilings, larger);
    }
  }
}
