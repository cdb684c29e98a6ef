package dev.xsched.cli.daemon;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What in the file of a program keeps a library from being loaded into it. */
enum ProgramFile {
  /** Nothing that can be seen in the file. */
  LOADS_LIBRARIES(""),
  /** No loader is asked for; what such a program starts can still be scheduled. */
  STATIC("it is linked statically; only what it starts is scheduled"),
  /** The loader would complain about the library, in this program and in what it starts. */
  OTHER_MACHINE("it is made for another kind of processor than libxsched.so, such as 32 bits"),
  /** The loader ignores libraries that the user names, for safety. */
  PRIVILEGED("it runs with another user's rights (setuid or setgid); start it as that user");

  private static final int HEADER_64 = 64;
  private static final int PROGRAM_HEADER_64 = 56;
  private static final int PT_INTERP = 3;
  private static final int SETUID = 04000;
  private static final int SETGID = 02000;
  private static final int LONGEST_SCRIPT_CHAIN = 4;
  private static final int LONGEST_FIRST_LINE = 256;

  private final String reason;

  ProgramFile(String reason) {
    this.reason = reason;
  }

  /** Why a library cannot be loaded, for people; empty if it can. */
  String reason() {
    return reason;
  }

  /** Looks at a program; of a script, at the program that runs it. */
  static ProgramFile of(Path program, Path library) {
    try {
      Path file = interpreter(program);
      if (privileged(file)) {
        return PRIVILEGED;
      }
      ByteBuffer header = read(file, 0, HEADER_64);
      if (!isElf(header)) {
        return LOADS_LIBRARIES; // Starting it will tell what it is.
      }
      if (!kind(header).equals(kind(read(library, 0, HEADER_64)))) {
        return OTHER_MACHINE;
      }
      return asksForLoader(file, header) ? LOADS_LIBRARIES : STATIC;
    } catch (IOException | RuntimeException _) {
      return LOADS_LIBRARIES; // What may be run need not be readable, or may be damaged.
    }
  }

  private static Path interpreter(Path program) throws IOException {
    Path file = program;
    for (int i = 0; i < LONGEST_SCRIPT_CHAIN; i++) {
      byte[] start = new byte[LONGEST_FIRST_LINE];
      int length;
      try (var in = Files.newInputStream(file)) {
        length = in.readNBytes(start, 0, start.length);
      }
      String text = new String(start, 0, length, StandardCharsets.ISO_8859_1);
      if (!text.startsWith("#!")) {
        break;
      }
      file = Path.of(text.substring(2).strip().split("\\s", 2)[0]);
    }
    return file;
  }

  private static boolean privileged(Path file) throws IOException {
    int mode = (int) Files.getAttribute(file, "unix:mode");
    return ((mode & SETUID) != 0 && differs(file, "unix:uid"))
        || ((mode & SETGID) != 0 && differs(file, "unix:gid"));
  }

  private static boolean differs(Path file, String attribute) throws IOException {
    return !Files.getAttribute(file, attribute)
        .equals(Files.getAttribute(Path.of("/proc/self"), attribute));
  }

  private static boolean isElf(ByteBuffer header) {
    return header.getInt(0) == 0x464c457f; // "\x7fELF", little-endian
  }

  /** Word size, byte order and processor. */
  private static String kind(ByteBuffer header) {
    return header.get(4) + " " + header.get(5) + " " + header.getShort(18);
  }

  /** The program headers of a file with as many bits as we have. */
  private static boolean asksForLoader(Path file, ByteBuffer header) throws IOException {
    int count = Short.toUnsignedInt(header.getShort(56));
    ByteBuffer headers = read(file, header.getLong(32), count * PROGRAM_HEADER_64);
    for (int i = 0; i < count; i++) {
      if (headers.getInt(i * PROGRAM_HEADER_64) == PT_INTERP) {
        return true;
      }
    }
    return false;
  }

  private static ByteBuffer read(Path file, long position, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, position + bytes.position()) < 0) {
          throw new EOFException();
        }
      }
    }
    return bytes;
  }
}
