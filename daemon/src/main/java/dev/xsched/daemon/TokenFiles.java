package dev.xsched.daemon;

import dev.xsched.daemon.api.Caller;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Proves to the REST interface who asks: one secret per user, in a file only that user can read.
 */
final class TokenFiles {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  private final ControlDirectory directory;
  private final int ownUid;
  private final Map<Integer, String> byUid = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  TokenFiles(ControlDirectory directory, int ownUid) {
    this.directory = directory;
    this.ownUid = ownUid;
  }

  /**
   * Returns the token of a user, and writes it where they find it the first time. Where it cannot
   * be written, the socket still tells it.
   */
  synchronized String of(int uid) {
    String token = byUid.get(uid);
    if (token == null) {
      byte[] secret = new byte[24];
      random.nextBytes(secret);
      token = HexFormat.of().formatHex(secret);
      byUid.put(uid, token);
      write(uid, token);
    }
    return token;
  }

  /** Gives a new token to all who had one of an earlier daemon, which is worth nothing any more. */
  void renew() throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(directory.path(), "token-*")) {
      for (Path file : old) {
        OptionalInt uid = uidOf(file);
        if (uid.isPresent()) {
          of(uid.getAsInt());
        }
      }
    }
  }

  /** Returns who holds this token, or null. */
  @Nullable Caller callerOf(String token) {
    byte[] shown = token.getBytes(StandardCharsets.UTF_8);
    Caller caller = null;
    for (Map.Entry<Integer, String> entry : byUid.entrySet()) {
      if (MessageDigest.isEqual(shown, entry.getValue().getBytes(StandardCharsets.UTF_8))) {
        caller = new Caller(entry.getKey());
      }
    }
    return caller;
  }

  private static OptionalInt uidOf(Path file) {
    try {
      return OptionalInt.of(
          Integer.parseInt(file.getFileName().toString().substring("token-".length())));
    } catch (NumberFormatException _) {
      return OptionalInt.empty(); // Not one of ours.
    }
  }

  private void write(int uid, String token) {
    Path file = directory.token(uid);
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, token);
      if (uid != ownUid) {
        Files.setAttribute(file, "unix:uid", uid);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "%s could not be written: %s".formatted(file, e));
    }
  }
}
