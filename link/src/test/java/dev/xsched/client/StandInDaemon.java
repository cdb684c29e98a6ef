package dev.xsched.client;

import dev.xsched.link.Block;
import dev.xsched.link.Board;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A daemon that schedules nothing by itself: the real registrar, one board for everybody, and the
 * test's own hand for the orders.
 */
final class StandInDaemon implements AutoCloseable, Registrar.Host {
  /** What it knows of a program. */
  record Member(long id, String name, Block block, int boardIndex) {}

  private final Registrar registrar;
  private final Thread thread;
  final Board board;
  final Map<Long, Member> members = new ConcurrentHashMap<>();
  final List<String> refusals = new CopyOnWriteArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private long last;
  volatile @Nullable String refuseAll;
  volatile boolean hangs;

  StandInDaemon(ControlDirectory folder) throws IOException {
    Files.deleteIfExists(folder.socket());
    board = Board.create();
    registrar = Registrar.at(folder.socket(), this, System::nanoTime);
    thread = Thread.ofPlatform().daemon().name("registrar").start(registrar::run);
  }

  /** Waits for a program of that name. */
  Member member(String name) {
    Conditions.await(
        "a program called " + name,
        () -> members.values().stream().anyMatch(m -> m.name().equals(name)));
    return members.values().stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
  }

  /** Closes or opens a gate as the real daemon does. */
  void gate(Member member, int slot, boolean open) {
    member.block().slot(slot).setGate(open);
    member.block().raiseOrders();
  }

  void rank(Member member, int slot, int rank, int ceiling) {
    member.block().slot(slot).setRank(rank, ceiling);
    member.block().raiseOrders();
  }

  @Override
  public Registrar.Admission admit(PacketSocket.Peer peer, String name, Block block)
      throws Registrar.RefusedException {
    if (refuseAll != null) {
      throw new Registrar.RefusedException(refuseAll);
    }
    block.setHeartbeat(System.nanoTime());
    block.setScheduled(true);
    Member member = new Member(++last, name, block, (int) last);
    members.put(last, member);
    blocks.add(block);
    return new Registrar.Admission(last, board, member.boardIndex());
  }

  @Override
  public void left(long program) {
    members.remove(program);
  }

  @Override
  public String token(PacketSocket.Peer peer) {
    return "127.0.0.1:1 secret";
  }

  @Override
  public void refused(String why) {
    refusals.add(why);
  }

  @Override
  public void tick() {
    if (!hangs) {
      members.values().forEach(m -> m.block().setHeartbeat(System.nanoTime()));
    }
  }

  boolean isServing() {
    return thread.isAlive();
  }

  /** Ends as a daemon does that is killed: orders stay as they are. */
  @Override
  public void close() {
    registrar.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    blocks.forEach(Block::close);
    board.close();
  }
}
