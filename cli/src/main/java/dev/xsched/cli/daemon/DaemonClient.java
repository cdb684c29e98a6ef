package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A daemon that answers, as one user sees it. */
final class DaemonClient {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ControlDirectory directory;
  private final String address;
  private final int uid;

  private DaemonClient(ControlDirectory directory, String address, int uid) {
    this.directory = directory;
    this.address = address;
    this.uid = uid;
  }

  /** Returns the first daemon that answers, in the order in which programs look for one. */
  static Optional<DaemonClient> find(Host host) {
    return ControlDirectory.ofClients(host.environment(), host.uid()).stream()
        .flatMap(directory -> in(directory, host.uid()).stream())
        .findFirst();
  }

  /** As {@link #find}, for commands that make no sense without a daemon. */
  static DaemonClient require(Host host) throws Failure {
    return find(host)
        .orElseThrow(
            () ->
                new Failure(
                    "no daemon answers in %s; start one with: xsched serve"
                        .formatted(folders(host))));
  }

  static String folders(Host host) {
    return ControlDirectory.ofClients(host.environment(), host.uid()).stream()
        .map(directory -> directory.path().toString())
        .collect(Collectors.joining(" or "));
  }

  /** Returns the daemon of one folder, if it answers. */
  static Optional<DaemonClient> in(ControlDirectory directory, int uid) {
    try {
      String address = Files.readString(directory.http()).strip();
      DaemonClient client = new DaemonClient(directory, address, uid);
      Http.Answer answer = client.http().get("/api/v1/policies");
      // A port left behind by a daemon may be somebody else's by now.
      boolean ours = answer.good() && answer.body().stripLeading().matches("(?s)[\\[{].*");
      return ours ? Optional.of(client) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  ControlDirectory directory() {
    return directory;
  }

  String address() {
    return address;
  }

  DaemonState state() throws Failure {
    return Answers.read(ask("GET", "/api/v1/state", null), DaemonState.class);
  }

  /** Asks for a change in the name of this user and returns what the daemon answered. */
  String change(String method, String path, Object body) throws Failure {
    String token =
        token()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        ("the daemon in %s is not yours: you can look, but for changes there is no"
                                + " token that you can read; ask its owner, or start your own:"
                                + " XSCHED_DIR=FOLDER xsched serve")
                            .formatted(directory.path())));
    return ask(method, path, new Change(token, Json.of(body)));
  }

  /** What this user must show to change anything; the daemon makes one for whoever asks. */
  Optional<String> token() {
    Optional<String> known =
        tokens().stream().filter(Files::isReadable).findFirst().map(DaemonClient::read);
    return known.isPresent() ? known : askForToken();
  }

  private Optional<String> askForToken() {
    try {
      String[] addressAndToken = Registration.token(directory).split(" ", 2);
      return addressAndToken.length == 2 ? Optional.of(addressAndToken[1]) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Root may do what the daemon's owner may, and can read their token. */
  private List<Path> tokens() {
    Path own = directory.token(uid);
    try {
      int owner = (int) Files.getAttribute(directory.http(), "unix:uid");
      return uid == 0 ? List.of(own, directory.token(owner)) : List.of(own);
    } catch (IOException _) {
      return List.of(own);
    }
  }

  /** The address of the page; with the token, where there is one, the page can change things. */
  String page() {
    return "http://" + address + "/" + token().map(t -> "#token=" + t).orElse("");
  }

  private record Change(String token, String body) {}

  private String ask(String method, String path, @Nullable Change change) throws Failure {
    try {
      Http.Answer answer =
          change == null
              ? http().get(path)
              : http().send(method, path, change.token(), change.body());
      return Answers.check(answer);
    } catch (IOException e) {
      throw new Failure(
          "the daemon in %s stopped answering (%s); see its log, %s"
              .formatted(directory.path(), e.getMessage(), directory.log()));
    }
  }

  private Http http() {
    return new Http(address, PATIENCE);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
