package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a shared library offers to others and wants from them, read from its file: loading it would
 * start the driver. Names of fields are those of the ELF specification.
 *
 * @param soname the name that programs ask for, or empty
 * @param defined each symbol's version, empty where it has none
 */
record ElfSymbols(String soname, Map<String, String> defined, Set<String> undefined) {
  private static final int SHT_DYNAMIC = 6;
  private static final int SHT_DYNSYM = 11;
  private static final int SHT_GNU_VERDEF = 0x6ffffffd;
  private static final int SHT_GNU_VERSYM = 0x6fffffff;
  private static final long DT_SONAME = 14;
  private static final int SYMBOL_BYTES = 24;
  private static final int HIDDEN = 0x8000;

  private record Section(int type, int offset, int size, int link) {}

  /**
   * Reads a library.
   *
   * @throws IOException also if it is none for 64 bits and little endian
   */
  static ElfSymbols of(Path library) throws IOException {
    try (FileChannel channel = FileChannel.open(library, StandardOpenOption.READ)) {
      ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return read(file.order(ByteOrder.LITTLE_ENDIAN));
    } catch (IndexOutOfBoundsException
        | BufferUnderflowException
        | IllegalArgumentException
        | ArithmeticException e) {
      throw new IOException("%s is no complete library (%s)".formatted(library, e), e);
    }
  }

  private static ElfSymbols read(ByteBuffer file) throws IOException {
    if (file.limit() < 64 || file.getInt(0) != 0x464c457f || file.get(4) != 2 || file.get(5) != 1) {
      throw new IOException("no ELF file of 64 bits");
    }
    List<Section> sections = sections(file);
    Map<Integer, String> versions = new HashMap<>();
    Map<String, String> defined = new TreeMap<>();
    Set<String> undefined = new TreeSet<>();
    String soname = "";
    int versym = -1;
    for (Section section : sections) {
      switch (section.type()) {
        case SHT_GNU_VERDEF -> versions(file, section, sections, versions);
        case SHT_GNU_VERSYM -> versym = section.offset();
        case SHT_DYNAMIC -> soname = soname(file, section, sections);
        default -> {}
      }
    }
    for (Section section : sections) {
      if (section.type() == SHT_DYNSYM) {
        int names = sections.get(section.link()).offset();
        // The first one is nobody's.
        for (int i = 1; i < section.size() / SYMBOL_BYTES; i++) {
          int symbol = section.offset() + i * SYMBOL_BYTES;
          String name = text(file, names + file.getInt(symbol));
          if (file.getShort(symbol + 6) == 0) {
            undefined.add(name);
          } else {
            int version = versym < 0 ? 0 : file.getShort(versym + 2 * i) & ~HIDDEN & 0xffff;
            defined.put(name, versions.getOrDefault(version, ""));
          }
        }
      }
    }
    return new ElfSymbols(soname, defined, undefined);
  }

  private static List<Section> sections(ByteBuffer file) {
    int table = Math.toIntExact(file.getLong(40));
    int each = file.getShort(58);
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < file.getShort(60); i++) {
      int at = table + i * each;
      // What takes no room in the file may have any size.
      sections.add(
          new Section(
              file.getInt(at + 4),
              (int) file.getLong(at + 24),
              (int) file.getLong(at + 32),
              file.getInt(at + 40)));
    }
    return sections;
  }

  private static void versions(
      ByteBuffer file, Section section, List<Section> sections, Map<Integer, String> versions) {
    int names = sections.get(section.link()).offset();
    int at = section.offset();
    int next;
    do {
      boolean base = (file.getShort(at + 2) & 1) != 0; // The library's own name.
      int first = at + file.getInt(at + 12);
      if (!base) {
        versions.put((int) file.getShort(at + 4), text(file, names + file.getInt(first)));
      }
      next = file.getInt(at + 16);
      at += next;
    } while (next != 0);
  }

  private static String soname(ByteBuffer file, Section section, List<Section> sections) {
    int names = sections.get(section.link()).offset();
    for (int at = section.offset(); at < section.offset() + section.size(); at += 16) {
      if (file.getLong(at) == DT_SONAME) {
        return text(file, names + (int) file.getLong(at + 8));
      }
    }
    return "";
  }

  private static String text(ByteBuffer file, int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    file.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
