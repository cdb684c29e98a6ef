package dev.xsched.daemon;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * Who may have what. A small file, so that nobody helps themselves to the first place:
 *
 * <pre>
 * [limits]              # everybody who is not named below
 * max-priority = 0
 * max-utilization = 50
 *
 * [limits.alice]        # a user by name, or "1000" by uid
 * max-priority = 10
 * </pre>
 *
 * Root, and who runs the daemon, may ask for everything. Who has a max-priority may state no goal,
 * which goes before every priority.
 */
final class Limits {
  static final Limits NONE = new Limits(Map.of(), Most.ANY, Users.none(), 0);

  private record Most(long priority, long utilization) {
    static final Most ANY = new Most(Hint.PRIORITY.max(), Hint.UTILIZATION.max());
  }

  private final Map<String, Most> byUser;
  private final Most everybody;
  private final Users users;
  private final int ownUid;

  private Limits(Map<String, Most> byUser, Most everybody, Users users, int ownUid) {
    this.byUser = byUser;
    this.everybody = everybody;
    this.users = users;
    this.ownUid = ownUid;
  }

  /**
   * Reads a file; without one there are no limits.
   *
   * @param ownUid who runs the daemon
   */
  static Limits read(Path file, Users users, int ownUid) throws IOException {
    if (!Files.exists(file)) {
      return NONE;
    }
    TomlParseResult toml = Toml.parse(file);
    if (toml.hasErrors()) {
      throw new IllegalArgumentException(
          "%s: %s".formatted(file, toml.errors().getFirst().toString()));
    }
    for (String key : toml.keySet()) {
      if (!key.equals("limits")) {
        throw unknown(file, key);
      }
    }
    TomlTable limits = toml.getTableOrEmpty("limits");
    Map<String, Most> byUser = new HashMap<>();
    for (String key : limits.keySet()) {
      if (limits.isTable(key)) {
        byUser.put(key, most(file, limits.getTableOrEmpty(key)));
      } else if (!key.equals("max-priority") && !key.equals("max-utilization")) {
        throw unknown(file, "limits." + key);
      }
    }
    return new Limits(byUser, mostOf(file, limits), users, ownUid);
  }

  /** What a program of this user has that asks for nothing. */
  Hints defaults(int uid) {
    Hints hints = Hints.DEFAULT;
    for (Hint hint : Hint.values()) {
      long allowed = clamp(uid, hint, hint.defaultValue());
      if (allowed != hint.defaultValue()) {
        hints = hints.with(hint, allowed, Hints.Source.DEFAULT);
      }
    }
    return hints;
  }

  /** The nearest value that this user may have; no goal is {@link Hint#UNSET}. */
  long clamp(int uid, Hint hint, long value) {
    if (uid == 0 || uid == ownUid) {
      return value;
    }
    Most most = mostOf(uid);
    return switch (hint) {
      case PRIORITY, LAX_PRIORITY, CRITICAL_PRIORITY ->
          Math.max(hint.min(), Math.min(value, most.priority()));
      case SLO_P99, SLO_RATIO -> most.priority() < Hint.PRIORITY.max() ? Hint.UNSET : value;
      case UTILIZATION -> Math.min(value, most.utilization());
      default -> value;
    };
  }

  private Most mostOf(int uid) {
    Most most = byUser.get(users.name(uid));
    if (most == null) {
      most = byUser.get(String.valueOf(uid));
    }
    return most != null ? most : everybody;
  }

  private static Most most(Path file, TomlTable table) {
    for (String key : table.keySet()) {
      if (!key.equals("max-priority") && !key.equals("max-utilization")) {
        throw unknown(file, key);
      }
    }
    return mostOf(file, table);
  }

  private static Most mostOf(Path file, TomlTable table) {
    return new Most(
        value(file, table, "max-priority", Hint.PRIORITY),
        value(file, table, "max-utilization", Hint.UTILIZATION));
  }

  private static long value(Path file, TomlTable table, String key, Hint hint) {
    if (!table.contains(key)) {
      return hint.max();
    }
    if (table.get(key) instanceof Long number && number >= hint.min() && number <= hint.max()) {
      return number;
    }
    throw new IllegalArgumentException(
        "%s: %s must be a whole number from %d to %d".formatted(file, key, hint.min(), hint.max()));
  }

  private static IllegalArgumentException unknown(Path file, String key) {
    return new IllegalArgumentException(
        "%s: unknown entry '%s'; known are max-priority and max-utilization in [limits] and [limits.USER]"
            .formatted(file, key));
  }
}
