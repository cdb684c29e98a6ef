package dev.xsched.daemon;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The daemon of one folder. Start-up: the folder, its lock (there is one daemon per folder), what
 * the last one left, the dispatcher, the REST interface, and the socket last, so that whoever can
 * register finds all the rest.
 */
public final class Daemon implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");
  private static final String DEFAULT_POLICY = "HPF";
  private static final int TICKS_PER_SECOND = 10;
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rw-r--r--");

  private final ControlDirectory directory;
  private final FileChannel lockFile;
  private final Dispatcher dispatcher;
  private final Steering steering;
  private final @Nullable PublicFace face;
  private final Registrar registrar;
  private final Thread registrarThread;
  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private volatile boolean closed;

  /** There is a daemon in this folder already. */
  public static final class AlreadyRunningException extends IOException {
    private static final long serialVersionUID = 1L;

    AlreadyRunningException(Path folder) {
      super("a daemon runs in %s already".formatted(folder));
    }
  }

  /**
   * Starts a daemon in this process.
   *
   * @throws AlreadyRunningException if the folder has one
   * @throws IllegalArgumentException if an option or the file of limits is wrong
   */
  public static Daemon start(DaemonOptions options) throws IOException {
    return new Daemon(options);
  }

  private Daemon(DaemonOptions options) throws IOException {
    directory = options.directory();
    int uid = ControlDirectory.ownUid();
    prepare(directory.path(), uid);
    lockFile = lock(directory);
    Users users = Users.read(Path.of("/etc/passwd"));
    Limits limits = Limits.read(options.limits(), users, uid);
    SavedHints saved = SavedHints.read(directory.state());
    dispatcher = new Dispatcher(Policies.named(policy(options, saved)), uid, limits, saved);
    dispatcher.look(
        () -> {
          saved.recallSystem(dispatcher.scheduler());
          return true;
        });
    StateView view =
        new StateView(dispatcher, users, options.version(), uid, directory.path().toString());
    steering = new Steering(dispatcher, saved, limits, uid, view::state, stopAsked::countDown);
    InetSocketAddress listen = options.listen();
    face = listen == null ? null : new PublicFace(steering, directory, uid, listen);
    Files.deleteIfExists(directory.socket());
    registrar = Registrar.at(directory.socket(), new Host(), System::nanoTime);
    Files.setPosixFilePermissions(directory.socket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    registrarThread = Thread.ofPlatform().daemon().name("xsched-registrar").start(registrar::run);
  }

  /** What people see of it and may ask of it. */
  public DaemonControl control() {
    return steering;
  }

  /**
   * The link to the page, with the token of whoever runs the daemon: keep it to yourself. Empty if
   * there is no page.
   */
  public String page() {
    return face == null ? "" : face.page();
  }

  /** Waits until somebody asks it to stop. */
  public void awaitStop() throws InterruptedException {
    stopAsked.await();
  }

  /** Opens all gates and ends. Programs run on, unscheduled. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Files.deleteIfExists(directory.socket());
    if (face != null) {
      face.close();
    }
    dispatcher.close();
    registrar.close();
    try {
      registrarThread.join(TimeUnit.SECONDS.toMillis(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (face != null) {
      face.forgetFiles();
    }
    lockFile.close();
    stopAsked.countDown();
  }

  private static String policy(DaemonOptions options, SavedHints saved) {
    String asked = options.policy();
    if (asked != null) {
      return asked;
    }
    String before = saved.policy();
    if (before == null) {
      return DEFAULT_POLICY;
    }
    boolean there = Policies.available().stream().anyMatch(p -> p.name().equals(before));
    if (!there) {
      LOG.log(Level.WARNING, "the policy %s of the last daemon is gone".formatted(before));
    }
    return there ? before : DEFAULT_POLICY;
  }

  /** Makes the folder: everybody may look into root's, nobody into a user's. */
  private static void prepare(Path folder, int uid) throws IOException {
    if (!Files.isDirectory(folder)) {
      String mode = uid == 0 ? "rwxr-xr-x" : "rwx------";
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    }
    int owner = (int) Files.getAttribute(folder, "unix:uid");
    if (owner != uid) {
      throw new IOException(
          "%s belongs to uid %d, this is uid %d; set XSCHED_DIR to a folder of your own"
              .formatted(folder, owner, uid));
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
    if (mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          "others may write to %s, so they could take the daemon's place; chmod go-w %s"
              .formatted(folder, folder));
    }
  }

  private static FileChannel lock(ControlDirectory directory) throws IOException {
    FileChannel file =
        FileChannel.open(directory.pid(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!locked(file)) {
      file.close();
      throw new AlreadyRunningException(directory.path());
    }
    try {
      Files.setPosixFilePermissions(directory.pid(), READABLE);
      String pid = ProcessHandle.current().pid() + "\n";
      file.truncate(0).write(StandardCharsets.UTF_8.encode(pid));
    } catch (IOException e) {
      // The lock is what counts.
      LOG.log(Level.WARNING, "%s could not be written: %s".formatted(directory.pid(), e));
    }
    return file;
  }

  private static boolean locked(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // The other daemon is in this very process.
    }
  }

  private final class Host implements Registrar.Host {
    private int ticks;

    @Override
    public Registrar.Admission admit(PacketSocket.Peer peer, String name, Block block)
        throws Registrar.RefusedException {
      return dispatcher.admit(peer, name, block);
    }

    @Override
    public void left(long program) {
      dispatcher.left(program);
    }

    @Override
    public String token(PacketSocket.Peer peer) throws Registrar.RefusedException {
      if (face == null) {
        throw new Registrar.RefusedException("this daemon belongs to one program");
      }
      return face.accessOf(peer.uid());
    }

    @Override
    public void refused(String why) {
      dispatcher.look(
          () -> {
            dispatcher.books().count(Statistic.REFUSED, 1);
            return true;
          });
      LOG.log(Level.INFO, "refused: " + why);
    }

    @Override
    public void tick() {
      boolean everySecond = ++ticks % TICKS_PER_SECOND == 0;
      dispatcher.tick(everySecond);
      if (everySecond && face != null) {
        face.publishAgain();
      }
    }
  }
}
