package dev.xsched.cli.validate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** A compressed tar file. It names no user and no group, and gives everything the same date. */
final class Archive {
  private static final int BLOCK = 512;
  private static final int LONGEST_NAME = 100;

  private Archive() {}

  /**
   * Packs files of a folder under the name of a folder of their own.
   *
   * @param name of the folder that they are unpacked into
   * @param seconds since 1970, as their date
   */
  static void write(Path archive, String name, Path folder, List<Path> files, long seconds)
      throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        out.write(header(name + "/" + folder.relativize(file), bytes.length, seconds));
        out.write(bytes);
        out.write(new byte[Math.floorMod(-bytes.length, BLOCK)]);
      }
      out.write(new byte[2 * BLOCK]);
    }
  }

  /** As POSIX has it: numbers in octal, and a sum of all bytes with blanks in its own place. */
  private static byte[] header(String path, long size, long seconds) throws IOException {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    if (name.length > LONGEST_NAME) {
      throw new IOException("the name is too long for the archive: " + path);
    }
    byte[] header = new byte[BLOCK];
    System.arraycopy(name, 0, header, 0, name.length);
    put(header, 100, octal(0644, 7));
    put(header, 108, octal(0, 7));
    put(header, 116, octal(0, 7));
    put(header, 124, octal(size, 11));
    put(header, 136, octal(seconds, 11));
    put(header, 148, " ".repeat(8));
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, octal(sum, 6) + "\0 ");
    return header;
  }

  private static String octal(long number, int digits) {
    return String.format(Locale.ROOT, "%0" + digits + "o", number);
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
