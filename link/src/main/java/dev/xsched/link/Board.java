package dev.xsched.link;

import static dev.xsched.link.Layouts.BOARD;
import static dev.xsched.link.Layouts.BOARD_PROGRAMS;
import static dev.xsched.link.Layouts.CEILING;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.offset;

import dev.xsched.link.SharedMemory.Life;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Where the programs of one user and the daemon meet: struct xsched_board. Programs ring the bell
 * and raise ceilings, the daemon sleeps at the bell and lowers them.
 */
public final class Board implements AutoCloseable {
  public static final int CEILINGS = Layouts.CEILINGS;
  public static final int PROGRAMS = BOARD_PROGRAMS;
  public static final int RUNG_WORDS = BOARD_PROGRAMS / 64;

  /** The rank of a ceiling that holds nobody back. */
  public static final int NO_RANK = Integer.MIN_VALUE;

  private static final long MAGIC = offset(BOARD, "magic");
  private static final long VERSION = offset(BOARD, "version");
  private static final long SIZE = offset(BOARD, "size");
  private static final long CEILING_COUNT = offset(BOARD, "ceilings");
  private static final long BELL = offset(BOARD, "bell");
  private static final long ASLEEP = offset(BOARD, "asleep");
  private static final long RUNG = offset(BOARD, "rung");
  private static final long CEILING_WORDS = offset(BOARD, "ceiling");
  private static final long WATCHED = offset(CEILING, "watched");

  private final SharedMemory shared;
  private final MemorySegment memory;
  private final MemorySegment bellWord;

  private Board(SharedMemory shared) {
    this.shared = shared;
    this.memory = shared.memory();
    this.bellWord = memory.asSlice(BELL, 4);
  }

  /** Makes a board that holds nobody back. */
  public static Board create() throws IOException {
    Board board =
        new Board(SharedMemory.create("xsched-board", BOARD.byteSize(), Life.UNTIL_CLOSED));
    INT.set(board.memory, VERSION, Layouts.PROTOCOL);
    INT.set(board.memory, SIZE, (int) BOARD.byteSize());
    INT.set(board.memory, CEILING_COUNT, CEILINGS);
    for (int i = 0; i < CEILINGS; i++) {
      LONG.setVolatile(board.memory, word(i), Integer.toUnsignedLong(NO_RANK));
    }
    INT.setVolatile(board.memory, MAGIC, Layouts.BOARD_MAGIC);
    return board;
  }

  /** Maps a board that the daemon made; closes the descriptor in any case. */
  static Board adopt(int fd) throws IOException {
    Board board = new Board(SharedMemory.adopt(fd, BOARD.byteSize(), Life.WHILE_REACHABLE));
    if ((int) INT.getVolatile(board.memory, MAGIC) != Layouts.BOARD_MAGIC
        || (int) INT.getAcquire(board.memory, VERSION) != Layouts.PROTOCOL) {
      board.close();
      throw new IOException("the memory is no board");
    }
    return board;
  }

  int fd() {
    return shared.fd();
  }

  /** Gives the memory to the user whose board this is; root only. */
  public void giveTo(int uid) throws IOException {
    shared.giveTo(uid);
  }

  /** Tells the daemon that this program has news. */
  public void ring(int program) {
    long _ = (long) LONG.getAndBitwiseOr(memory, RUNG + 8L * (program >> 6), 1L << (program & 63));
    int _ = (int) INT.getAndAdd(memory, BELL, 1);
    if ((int) INT.getVolatile(memory, ASLEEP) != 0) {
      wakeDaemon();
    }
  }

  /** Wakes the daemon's thread at this bell, news or not. */
  public void wakeDaemon() {
    Futex.wake(bellWord, 1);
  }

  /** Takes the marks of 64 programs. */
  public long takeRung(int word) {
    long offset = RUNG + 8L * word;
    return (long) LONG.getVolatile(memory, offset) == 0
        ? 0
        : (long) LONG.getAndSet(memory, offset, 0L);
  }

  /** How often the bell was rung. */
  public int bell() {
    return (int) INT.getVolatile(memory, BELL);
  }

  /** Sleeps until the bell was rung more often than that, or the time is over. */
  public void awaitBell(int seen, long timeoutNanos) {
    INT.setVolatile(memory, ASLEEP, 1);
    Futex.await(bellWord, seen, timeoutNanos);
    INT.setVolatile(memory, ASLEEP, 0);
  }

  /** The word of a ceiling: {@link #rank} takes the rank out of it. */
  public long ceiling(int index) {
    return (long) LONG.getVolatile(memory, word(index));
  }

  public static int rank(long ceiling) {
    return (int) ceiling;
  }

  /**
   * Raises a ceiling to a rank, unless it is higher already. Also one that stands there already
   * gets a new epoch: whoever is about to lower it must look again.
   */
  public void raise(int index, int rank) {
    long seen;
    do {
      seen = ceiling(index);
      if (rank(seen) > rank) {
        return;
      }
    } while (!LONG.compareAndSet(memory, word(index), seen, next(seen, rank)));
    if ((int) INT.getVolatile(memory, word(index) + WATCHED) != 0) {
      INT.setVolatile(memory, word(index) + WATCHED, 0);
      Futex.wake(memory.asSlice(word(index), Integer.BYTES), Integer.MAX_VALUE);
    }
  }

  /** Sets a ceiling, if nobody has raised it since it was seen. */
  public boolean set(int index, long seen, int rank) {
    return rank(seen) == rank || LONG.compareAndSet(memory, word(index), seen, next(seen, rank));
  }

  private static long next(long ceiling, int rank) {
    return (((ceiling >>> 32) + 1) << 32) | Integer.toUnsignedLong(rank);
  }

  private static long word(int index) {
    return CEILING_WORDS + index * CEILING.byteSize();
  }

  @Override
  public void close() {
    shared.close();
  }
}
