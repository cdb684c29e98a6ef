package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two users, each with a program, at root's daemon: they share the device and nothing else. Needs
 * root, who alone can be two users.
 */
class TwoUsersTest {
  private static final int FIRST = 61_001;
  private static final int SECOND = 61_002;

  private @Nullable Machine opened;
  private Path stranger = Path.of("/");

  @BeforeEach
  void open() throws Exception {
    assumeTrue(Shell.isRoot(), "only root can start programs of two users");
    assumeTrue(
        Shell.run(as(FIRST, "true")).exitCode() == 0, "setpriv may not change the user here");
    Machine machine = Machine.create();
    opened = machine;
    Files.setPosixFilePermissions(machine.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    // Where everybody can run it, whoever owns the sources.
    Path program = machine.folder().resolve("xpuload");
    Files.copy(Load.PROGRAM, program, StandardCopyOption.COPY_ATTRIBUTES);
    stranger = machine.folder().resolve("stranger");
    Shell.Answer compiled =
        Shell.run(
            "cc",
            "-D_GNU_SOURCE",
            "-I../native/include",
            "-o",
            stranger.toString(),
            "src/test/c/stranger.c");
    assertThat(compiled.exitCode()).as(compiled.text()).isZero();
    machine.trace(); // Makes the device, where users could not.
    Files.setPosixFilePermissions(machine.device(), PosixFilePermissions.fromString("rw-rw-rw-"));
    Path limits = machine.folder().resolve("limits.toml");
    Files.writeString(limits, "[limits]\nmax-priority = 5\n");
    machine.startDaemon("--policy", "HPF", "--limits", limits.toString());
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  @Test
  void aUserSeesEverythingAndChangesOnlyTheirOwn() throws Exception {
    start(FIRST, "first", 0);
    start(SECOND, "second", 0);
    DaemonState state = machine().daemon().awaitPrograms(2);
    assertThat(state.programs()).extracting(ProgramState::uid).contains(FIRST, SECOND);
    String token = token(SECOND);
    assertThat(patch("second", "priority", 3, token).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = patch("first", "priority", 3, token);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("belongs to uid " + FIRST, "root");
    refused = patch("system", "timeslice", 1_000, token);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("only root");
    refused = machine().daemon().send("PUT", "/api/v1/policy", "{\"name\":\"UP\"}", token);
    assertThat(refused.statusCode()).isEqualTo(403);
    refused = machine().daemon().send("POST", "/api/v1/stop", "", token);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(patch("first", "priority", 3, "nonsense").statusCode()).isEqualTo(401);
    // Root may everything.
    machine().daemon().hint("first", "priority", 100);
    machine().daemon().setPolicy("UP");
  }

  @Test
  void nobodyHelpsThemselvesToTheFirstPlace() throws Exception {
    start(SECOND, "second", 100);
    machine().daemon().awaitPrograms(1);
    // Not at once: a queue is there a moment before what it asks for.
    machine()
        .daemon()
        .await(
            "priority 5 instead of 100",
            s -> new HintState(5L, "application").equals(hints(s, "second").get("priority")));
    String token = token(SECOND);
    HttpResponse<String> refused = patch("second", "priority", 6, token);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("at most 5");
    assertThat(patch("second", "priority", 4, token).statusCode()).isEqualTo(200);
    machine().daemon().hint("second", "priority", 100);
    assertThat(hints(machine().daemon().state(), "second"))
        .containsEntry("priority", new HintState(100L, "rest"));
  }

  @Test
  void workOfOneUserThatComesAndGoesIsNotHeldAgainstTheOther() throws Exception {
    start(FIRST, "first", 0);
    load(SECOND, "second").with("period-us", 5_000).priority(3).start();
    machine()
        .daemon()
        .await("many preemptions", s -> s.statistics().getOrDefault("preemptions", 0L) > 500);
    assertThat(machine().daemon().output()).doesNotContain("nonsense");
  }

  @Test
  void aUserReachesNoMemoryOfAnother() throws Exception {
    Load first = start(FIRST, "first", 0);
    machine().daemon().awaitPrograms(1);
    for (long pid : List.of(first.pid(), machine().daemon().pid())) {
      Path process = Path.of("/proc", String.valueOf(pid));
      try (Stream<Path> descriptors = Files.list(process.resolve("fd"));
          Stream<Path> maps = Files.list(process.resolve("map_files"))) {
        List<String> command =
            Stream.concat(
                    Stream.of(stranger.toString(), "open", process.resolve("mem").toString()),
                    Stream.concat(descriptors, maps).map(Path::toString).limit(100))
                .toList();
        List<String> answers = Shell.run(Map.of(), as(SECOND, command)).text().lines().toList();
        assertThat(answers)
            .hasSizeGreaterThan(5)
            .noneMatch(line -> line.contains("opened"))
            .anyMatch(line -> line.contains("Permission denied"));
      }
    }
    String[] board = ask(FIRST, "board").split(" ", 3);
    String[] sameUser = ask(FIRST, "board").split(" ", 3);
    String[] otherUser = ask(SECOND, "board").split(" ", 3);
    assertThat(sameUser).containsExactly(board);
    assertThat(otherUser[0]).as("the board of another").isNotEqualTo(board[0]);
    assertThat(otherUser[1]).as("its mode").isEqualTo("600");
    assertThat(otherUser[2]).as("its owner").isEqualTo(String.valueOf(SECOND));
  }

  @Test
  void aNameProvesNothing() throws Exception {
    Load load =
        machine()
            .load("first")
            .under(as(SECOND).toArray(String[]::new))
            .program(machine().folder().resolve("xpuload").toString())
            .with("seconds", 60)
            .start();
    DaemonState state = machine().daemon().awaitPrograms(1);
    assertThat(state.programs().getFirst().uid()).isEqualTo(SECOND);
    assertThat(state.programs().getFirst().pid()).isEqualTo(load.pid());
  }

  @Test
  void onlyTheOwnerCanWriteAnythingInTheFolder() throws Exception {
    String token = token(SECOND);
    Path folder = machine().folder();
    machine().daemon().setPolicy("UP");
    assertThat(mode(folder)).isEqualTo("rwxr-xr-x");
    assertThat(mode(folder.resolve("socket"))).isEqualTo("rw-rw-rw-");
    assertThat(mode(folder.resolve("token-0"))).isEqualTo("rw-------");
    assertThat(mode(folder.resolve("token-" + SECOND))).isEqualTo("rw-------");
    assertThat(Files.getAttribute(folder.resolve("token-" + SECOND), "unix:uid")).isEqualTo(SECOND);
    assertThat(Files.readString(folder.resolve("token-" + SECOND))).isEqualTo(token);
    for (String file : List.of("pid", "http", "state.json")) {
      assertThat(mode(folder.resolve(file))).as(file).isEqualTo("rw-r--r--");
    }
    String answers =
        Shell.run(
                as(
                    FIRST,
                    stranger.toString(),
                    "open",
                    folder + "/token-0",
                    folder + "/token-" + SECOND))
            .text();
    assertThat(answers).doesNotContain("opened");
    assertThat(Shell.run(as(FIRST, "rm", "-f", folder + "/socket")).exitCode()).isNotZero();
  }

  private Machine machine() {
    if (opened == null) {
      throw new IllegalStateException("no machine");
    }
    return opened;
  }

  private Load start(int uid, String name, int priority) throws Exception {
    return load(uid, name).priority(priority).start();
  }

  private Load.Builder load(int uid, String name) throws Exception {
    return machine()
        .load(name)
        .under(as(uid).toArray(String[]::new))
        .program(machine().folder().resolve("xpuload").toString())
        .with("command-us", 1_000)
        .with("window", 2)
        .with("seconds", 60);
  }

  private String token(int uid) throws Exception {
    return ask(uid, "token").split(" ", 2)[1];
  }

  private String ask(int uid, String what) throws Exception {
    Shell.Answer answer =
        Shell.run(
            Map.of("XSCHED_DIR", machine().folder().toString()),
            as(uid, List.of(stranger.toString(), what)));
    assertThat(answer.exitCode()).as(answer.text()).isZero();
    return answer.text().strip();
  }

  private HttpResponse<String> patch(String target, String hint, long value, String token)
      throws Exception {
    return machine()
        .daemon()
        .send(
            "PATCH",
            "/api/v1/hints",
            "{\"target\":\"%s\",\"hints\":{\"%s\":%d}}".formatted(target, hint, value),
            token);
  }

  private static Map<String, HintState> hints(DaemonState state, String program) {
    return state.programs().stream()
        .filter(p -> p.name().equals(program))
        .flatMap(p -> p.queues().stream())
        .findFirst()
        .orElseThrow()
        .hints();
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static List<String> as(int uid) {
    String id = String.valueOf(uid);
    return List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups");
  }

  private static List<String> as(int uid, List<String> command) {
    return Stream.concat(as(uid).stream(), command.stream()).toList();
  }

  private static String[] as(int uid, String... command) {
    return as(uid, List.of(command)).toArray(String[]::new);
  }
}
