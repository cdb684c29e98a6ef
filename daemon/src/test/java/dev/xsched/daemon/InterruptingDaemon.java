package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.RmClient;
import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar;
import dev.xsched.link.Slot;
import dev.xsched.policy.ProcessView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A daemon that decides nothing: it interrupts all programs when it reads "interrupt", restores
 * them when it reads "restore", orders slices of 1 us when it reads "slice", and prints what it
 * carried out. For tests between processes.
 */
public final class InterruptingDaemon implements Registrar.Host {
  private final UserBoard board;
  private final Map<Long, Program> programs = new HashMap<>();
  private final Interrupts interrupts =
      new Interrupts(RmClient::open, System::nanoTime, InterruptingDaemon::print, () -> {});
  private volatile boolean wanted;
  private volatile long sliceMicros;
  private long last;

  private InterruptingDaemon(int uid) throws IOException {
    board = UserBoard.start(uid, uid, () -> {});
    interrupts.start();
  }

  /** Serves in a folder until its input ends. */
  public static void main(String[] arguments) throws Exception {
    ControlDirectory directory = new ControlDirectory(Path.of(arguments[0]));
    InterruptingDaemon daemon = new InterruptingDaemon(ControlDirectory.ownUid());
    Files.deleteIfExists(directory.socket());
    Registrar registrar = Registrar.at(directory.socket(), daemon, System::nanoTime);
    Thread.ofPlatform().daemon().start(registrar::run);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      if (line.equals("slice")) {
        daemon.sliceMicros = 1;
      } else {
        daemon.wanted = line.equals("interrupt");
      }
    }
    daemon.interrupts.close();
  }

  private static void print(ManagedQueue queue, boolean interrupted, long nanos) {
    System.out.println(interrupted ? "interrupted " + queue.interruption : "restored");
  }

  @Override
  public Registrar.Admission admit(PacketSocket.Peer peer, String name, Block block) {
    int place = board.freePlace();
    long id = ++last;
    Program program =
        new Program(
            id,
            new Program.Key(peer.pid(), 1),
            1,
            name,
            peer,
            block,
            board,
            place,
            new ProcessView(id, place, peer.pid(), 0));
    programs.put(id, program);
    board.seat(place, program);
    block.forgetGpuOrders();
    block.setScheduled(true);
    block.setHeartbeat(System.nanoTime());
    return new Registrar.Admission(id, board.board(), place);
  }

  @Override
  public void left(long id) {
    Program program = programs.remove(id);
    if (program != null) {
      interrupts.forget(program);
      program.block().close();
    }
  }

  @Override
  public String token(PacketSocket.Peer peer) throws Registrar.RefusedException {
    throw new Registrar.RefusedException("there is no page");
  }

  @Override
  public void refused(String why) {
    System.out.println("refused " + why);
  }

  @Override
  public void tick() {
    for (Program program : programs.values()) {
      program.block().setHeartbeat(System.nanoTime());
      ManagedQueue queue = queue(program);
      if (queue != null) {
        readSlice(queue);
        interrupts.want(queue, wanted);
        interrupts.heard(queue);
      }
    }
  }

  private void readSlice(ManagedQueue queue) {
    long before = queue.sliceMicros();
    queue.readGpu();
    queue.orderSlice(sliceMicros);
    if (queue.sliceMicros() != before) {
      System.out.println("slice " + queue.sliceMicros());
    }
  }

  private @Nullable ManagedQueue queue(Program program) {
    Slot slot = program.block().slot(0);
    if (program.queue(0) == null && slot.used()) {
      program.setQueue(0, new ManagedQueue(program.id(), program, slot, 0, System.nanoTime()));
    }
    return program.queue(0);
  }
}
