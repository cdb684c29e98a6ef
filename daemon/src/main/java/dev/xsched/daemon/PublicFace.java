package dev.xsched.daemon;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.http.HttpFace;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The REST interface and the page, and the files by which people find it and prove who they are.
 */
final class PublicFace implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  private final ControlDirectory directory;
  private final int uid;
  private final TokenFiles tokens;
  private final HttpFace http;
  private boolean published;

  /**
   * Answers from now on.
   *
   * @param uid who runs the daemon
   */
  PublicFace(DaemonControl control, ControlDirectory directory, int uid, InetSocketAddress listen)
      throws IOException {
    this.directory = directory;
    this.uid = uid;
    tokens = new TokenFiles(directory, uid);
    tokens.renew();
    tokens.of(uid);
    http = new HttpFace(control, tokens::callerOf, listen);
    http.start();
    Files.deleteIfExists(directory.http());
    published = publish();
    if (!published) {
      LOG.log(Level.WARNING, "%s cannot be written; is the disk full?".formatted(directory.http()));
    }
  }

  /** The link to the page, with the token of whoever runs the daemon. */
  String page() {
    return "http://%s/#token=%s".formatted(address(), tokens.of(uid));
  }

  /** What a user needs: "ADDRESS TOKEN". */
  String accessOf(int user) {
    return address() + " " + tokens.of(user);
  }

  /** Writes where it is, if that was not possible before. */
  void publishAgain() {
    if (!published) {
      published = publish();
    }
  }

  @Override
  public void close() {
    http.close();
  }

  void forgetFiles() throws IOException {
    Files.deleteIfExists(directory.http());
    Files.deleteIfExists(directory.token(uid));
  }

  /** Where the disk is full this must wait; programs do not need it. */
  private boolean publish() {
    Path fresh = directory.path().resolve("http.new");
    try {
      Files.writeString(fresh, address());
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(fresh, directory.http(), StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the address is not written yet", e);
      return false;
    }
  }

  private String address() {
    InetSocketAddress at = http.address();
    String host = at.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort();
  }
}
