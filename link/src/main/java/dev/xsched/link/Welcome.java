package dev.xsched.link;

import static dev.xsched.link.Layouts.WELCOME;
import static dev.xsched.link.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What the daemon answers: struct xsched_welcome.
 *
 * @param version the daemon's
 * @param boardIndex the program's bit at the bell
 * @param program the daemon's name for this registration
 * @param message one line for the user
 */
record Welcome(int version, int status, int boardIndex, long program, String message) {
  static final int OK = 0;
  static final int OTHER_VERSION = 1;
  static final int REFUSED = 2;

  private static final long MAGIC = offset(WELCOME, "magic");
  private static final long VERSION = offset(WELCOME, "version");
  private static final long STATUS = offset(WELCOME, "status");
  private static final long BOARD_INDEX = offset(WELCOME, "board_index");
  private static final long PROGRAM = offset(WELCOME, "program");
  private static final long MESSAGE = offset(WELCOME, "message");
  private static final int MESSAGE_SIZE = 232;

  static Welcome ok(int boardIndex, long program, String message) {
    return new Welcome(Layouts.PROTOCOL, OK, boardIndex, program, message);
  }

  static Welcome not(int status, String why) {
    return new Welcome(Layouts.PROTOCOL, status, 0, 0, why);
  }

  static Welcome read(MemorySegment packet, int size) throws IOException {
    if (size < VERSION + 4 || packet.get(JAVA_INT, MAGIC) != Layouts.WELCOME_MAGIC) {
      throw new IOException("what answers at the socket is no daemon of ours");
    }
    int version = packet.get(JAVA_INT, VERSION);
    if (size != WELCOME.byteSize()) {
      return new Welcome(version, OTHER_VERSION, 0, 0, "");
    }
    return new Welcome(
        version,
        packet.get(JAVA_INT, STATUS),
        packet.get(JAVA_INT, BOARD_INDEX),
        packet.get(JAVA_LONG, PROGRAM),
        Text.read(packet, MESSAGE, MESSAGE_SIZE));
  }

  MemorySegment write(Arena arena) {
    MemorySegment packet = arena.allocate(WELCOME);
    packet.set(JAVA_INT, MAGIC, Layouts.WELCOME_MAGIC);
    packet.set(JAVA_INT, VERSION, version);
    packet.set(JAVA_INT, STATUS, status);
    packet.set(JAVA_INT, BOARD_INDEX, boardIndex);
    packet.set(JAVA_LONG, PROGRAM, program);
    Text.write(packet, MESSAGE, MESSAGE_SIZE, message);
    return packet;
  }
}
