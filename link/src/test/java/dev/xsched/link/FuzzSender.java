package dev.xsched.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Somebody who connects to the daemon and does as they please. */
final class FuzzSender {
  private static final int NO_SIGNAL_DO_NOT_WAIT = 0x4040;

  private final Path path;
  private final Random random;
  private final FuzzInput input;
  private final FuzzDescriptors descriptors;
  private final List<PacketSocket> kept = new ArrayList<>();

  FuzzSender(Path path, Random random) {
    this.path = path;
    this.random = random;
    this.input = new FuzzInput(random);
    this.descriptors = new FuzzDescriptors(random);
  }

  /** One connection, with anything from no packet to four. */
  void annoy() throws IOException {
    PacketSocket socket = connect();
    int packets = random.nextInt(8) == 0 ? random.nextInt(5) : 1;
    for (int i = 0; i < packets; i++) {
      try {
        send(socket);
      } catch (Kernel.CallFailedException e) {
        break; // The daemon has hung up, or its buffer is full.
      }
    }
    if (random.nextInt(16) == 0) {
      kept.add(socket); // Half open, or registered, until somebody has had enough.
    } else {
      if (random.nextInt(4) == 0) {
        socket.await(1); // For the answer, or without one: then it hangs up on the daemon.
      }
      socket.close();
    }
    if (kept.size() > 40) {
      kept.remove(random.nextInt(kept.size())).close();
    }
  }

  void leave() {
    kept.forEach(PacketSocket::close);
    kept.clear();
  }

  /** The daemon may need a moment: its line of strangers is 128 long. */
  private PacketSocket connect() throws IOException {
    while (true) {
      try {
        return PacketSocket.connect(path);
      } catch (Kernel.CallFailedException e) {
        if (e.errno() != Kernel.EAGAIN) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  private void send(PacketSocket socket) throws IOException {
    List<Integer> fds = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      int count = random.nextInt(8) == 0 ? random.nextInt(6) : random.nextInt(8) == 0 ? 0 : 1;
      for (int i = 0; i < count; i++) {
        fds.add(descriptors.any());
      }
      Kernel.sendmsg(socket.fd(), message(arena, input.packet(arena), fds), NO_SIGNAL_DO_NOT_WAIT);
    } finally {
      fds.forEach(Kernel::close);
    }
  }

  /** struct msghdr with as many descriptors as wanted. */
  private static MemorySegment message(Arena arena, MemorySegment packet, List<Integer> fds) {
    MemorySegment vector = arena.allocate(16, 8);
    vector.set(ADDRESS, 0, packet);
    vector.set(JAVA_LONG, 8, packet.byteSize());
    MemorySegment message = arena.allocate(56, 8);
    message.set(ADDRESS, 16, vector);
    message.set(JAVA_LONG, 24, 1);
    if (!fds.isEmpty()) {
      MemorySegment control = arena.allocate(16 + 8L * fds.size(), 8);
      control.set(JAVA_LONG, 0, 16 + 4L * fds.size());
      control.set(JAVA_INT, 8, 1);
      control.set(JAVA_INT, 12, 1);
      for (int i = 0; i < fds.size(); i++) {
        control.set(JAVA_INT, 16 + 4L * i, fds.get(i));
      }
      message.set(ADDRESS, 32, control);
      message.set(JAVA_LONG, 40, 16 + 4L * fds.size());
    }
    return message;
  }
}
