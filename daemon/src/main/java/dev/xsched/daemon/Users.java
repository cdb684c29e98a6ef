package dev.xsched.daemon;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Names of users, as /etc/passwd has them. */
final class Users {
  private final Map<Integer, String> names;

  private Users(Map<Integer, String> names) {
    this.names = names;
  }

  static Users none() {
    return new Users(Map.of());
  }

  static Users read(Path passwd) {
    Map<Integer, String> names = new HashMap<>();
    try {
      for (String line : Files.readAllLines(passwd, StandardCharsets.ISO_8859_1)) {
        String[] fields = line.split(":", -1);
        if (fields.length > 2 && fields[2].matches("\\d{1,9}")) {
          names.putIfAbsent(Integer.parseInt(fields[2]), fields[0]);
        }
      }
    } catch (IOException e) {
      System.getLogger("dev.xsched.daemon").log(Level.DEBUG, "users have no names here", e);
    }
    return new Users(names);
  }

  /** The name of a user, or the number as text. */
  String name(int uid) {
    return names.getOrDefault(uid, String.valueOf(uid));
  }
}
