package dev.xsched.daemon;

import dev.xsched.link.Board;
import dev.xsched.link.Slot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The board of one user, the programs on it, and the thread that sleeps at its bell. */
final class UserBoard {
  /**
   * How long to watch the bell before sleeping at it, if it rang that soon the last time. Else
   * watching would only keep a program from the core that the bell woke this thread on.
   */
  private static final long SPIN_NANOS = 20_000;

  /** What being woken takes, about; {@code xsched bench daemon} measures it. */
  private static final long WAKE_NANOS = 20_000;

  /** The longest sleep: the thread looks whether it should end. */
  private static final long SLEEP_NANOS = 500_000_000;

  /** How often somebody looks at a board where the bell may be broken, too. */
  private static final long DISTRUST_NANOS = 1_000_000;

  /** Four for each program there can be; of 256 for each, a daemon's memory would not hold all. */
  static final int MOST_QUEUES = 4 * Board.PROGRAMS;

  /**
   * Who is killed just when it has raised a ceiling leaves one without a reason, too. So a few do
   * not count: programs ignore each of them after 5 ms, and fewer than these cost them little.
   */
  private static final int MOST_UNFOUNDED = 100;

  private static final long UNFOUNDED_NANOS = 10_000_000_000L;
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  private final int uid;
  private final Board board;
  private final @Nullable Program[] programs = new @Nullable Program[Board.PROGRAMS];
  private final WorkBudget budget = new WorkBudget();
  private volatile boolean closing;

  /** Whether the bell rang so soon after the last round that it was worth watching it. */
  private boolean hurried;

  private int queues;
  private boolean saidTooMany;
  private int unfounded;
  private long unfoundedSince;
  private volatile boolean distrusted;

  private UserBoard(int uid, Board board) {
    this.uid = uid;
    this.board = board;
  }

  /** Makes the board of a user and answers its bell from now on. */
  static UserBoard start(int uid, int ownUid, Runnable onNews) throws IOException {
    Board board = Board.create();
    if (uid != ownUid) {
      board.giveTo(uid);
    }
    UserBoard keeper = new UserBoard(uid, board);
    Thread.ofPlatform().daemon().name("xsched-bell-" + uid).start(() -> keeper.answer(onNews));
    return keeper;
  }

  int uid() {
    return uid;
  }

  Board board() {
    return board;
  }

  @Nullable Program program(int index) {
    return programs[index];
  }

  /** Returns a free place, or -1. */
  int freePlace() {
    for (int i = 0; i < programs.length; i++) {
      if (programs[i] == null) {
        return i;
      }
    }
    return -1;
  }

  void seat(int index, Program program) {
    programs[index] = program;
    program.block().setIgnoreCeilings(distrusted);
  }

  /** Once all have gone, so has whoever wrote nonsense. */
  void leave(int index) {
    programs[index] = null;
    if (Arrays.stream(programs).allMatch(Objects::isNull)) {
      unfounded = 0;
      distrusted = false;
    }
  }

  /** Counts one more queue of this user; returns false if there are too many. */
  boolean enterQueue() {
    if (queues < MOST_QUEUES) {
      queues++;
      return true;
    }
    if (!saidTooMany) {
      saidTooMany = true;
      LOG.log(
          Level.WARNING,
          "uid %d has %d queues; more of them run unscheduled until others end"
              .formatted(uid, queues));
    }
    return false;
  }

  void leaveQueue() {
    queues--;
  }

  /**
   * Judges a ceiling higher than what the ready queues account for, now or at the last decision. A
   * rank that some queue has is one that turned idle again, or that was set apart when it had just
   * raised it. One that none has was written by a program gone wild: if that goes on, nothing on
   * this board is believed any more.
   */
  void judge(int ceiling, int rank, long nowNanos) {
    if (distrusted) {
      return;
    }
    for (Program program : programs) {
      if (program != null) {
        for (ManagedQueue queue : program.queues()) {
          boolean may = queue.ceiling == ceiling || queue.ceiling == Slot.NO_CEILING;
          if (may && queue.rank == rank) {
            return;
          }
        }
      }
    }
    if (nowNanos - unfoundedSince > UNFOUNDED_NANOS) {
      unfoundedSince = nowNanos;
      unfounded = 0;
    }
    if (++unfounded >= MOST_UNFOUNDED) {
      distrusted = true;
      LOG.log(
          Level.WARNING,
          "a program of uid %d writes nonsense into the memory that this user's programs share;"
                  .formatted(uid)
              + " they are preempted through the daemon alone from now on");
      for (Program program : programs) {
        if (program != null) {
          program.block().setIgnoreCeilings(true);
        }
      }
    }
  }

  /** Whether to look at all programs instead of believing the bell. */
  boolean distrusted() {
    return distrusted;
  }

  void close() {
    closing = true;
    board.wakeDaemon();
  }

  private void answer(Runnable onNews) {
    while (!closing) {
      answerOnce(onNews);
    }
  }

  /** A method of its own: the loop above would be interpreted for its first 60,000 rounds. */
  private void answerOnce(Runnable onNews) {
    int seen = board.bell();
    long start = System.nanoTime();
    tell(onNews);
    long done = System.nanoTime();
    if (hurried && budget.mayWait()) {
      spin(seen);
    }
    budget.spend(System.nanoTime() - start);
    if (board.bell() == seen) {
      board.awaitBell(seen, distrusted ? DISTRUST_NANOS : SLEEP_NANOS);
    }
    hurried = System.nanoTime() - done < SPIN_NANOS + WAKE_NANOS;
  }

  /** A fault of ours must not end the thread: nobody would answer this bell again. */
  private void tell(Runnable onNews) {
    try {
      onNews.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "what the programs of uid %d told was lost".formatted(uid), e);
    }
  }

  private void spin(int seen) {
    long end = System.nanoTime() + SPIN_NANOS;
    while (board.bell() == seen && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }
}
