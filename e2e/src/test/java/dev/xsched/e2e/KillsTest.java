package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.bench.kills.EnduranceRun;
import dev.xsched.bench.kills.KillRun;
import dev.xsched.bench.kills.Surroundings;
import dev.xsched.bench.scene.GrowthOutcome;
import dev.xsched.bench.scene.KillOutcome;
import dev.xsched.bench.scene.KillPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * N.6 and N.7 in short. Programs, daemon and library are the real ones; the driver and its kernel's
 * side are stand-ins, whose device adds up the same sums as a GPU, takes time for it, and stands
 * still for a program whose channels are disabled. So this is about who looks after whom, not about
 * what a GPU makes of an interrupt.
 */
class KillsTest {
  private static final Path NATIVE = Path.of("../native/target").toAbsolutePath().normalize();
  private static final Path STAND_INS = NATIVE.resolve("test/nvidia");
  private static final int KILLS = 30;

  private Surroundings surroundings;

  @BeforeEach
  void makeMachine() throws Exception {
    assumeTrue(
        Files.isExecutable(STAND_INS.resolve("machine")),
        "skipped: make -C native tests was not run");
    // Short enough for a socket.
    Path folder = Files.createTempDirectory("xk");
    surroundings =
        new Surroundings(
            XschedScript.in(folder),
            NATIVE.resolve("bench/checked"),
            NATIVE.resolve("libxsched.so"),
            Map.of(
                "XSCHED_TEST_RM", folder.resolve("rm").toString(),
                "LD_LIBRARY_PATH", STAND_INS.resolve("driver").toString(),
                "LD_PRELOAD", STAND_INS.resolve("libnvrm.so").toString()),
            folder);
    assertThat(machine("start")).isZero();
  }

  /** Orders the stand-in for the kernel's side about. */
  private int machine(String... words) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Stream.concat(Stream.of(STAND_INS.resolve("machine").toString()), Stream.of(words))
                .toList());
    builder
        .environment()
        .put("XSCHED_TEST_RM", surroundings.environment().getOrDefault("XSCHED_TEST_RM", ""));
    return builder.inheritIO().start().waitFor();
  }

  @Test
  void whoIsLeftGoesOnWithRightResults() throws Exception {
    long seed = Long.getLong("xsched.kills.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    int kills = Integer.getInteger("xsched.kills", KILLS);
    KillOutcome outcome =
        new KillRun(surroundings).run(new KillPlan(kills, 1, seed, Duration.ofMinutes(5)));
    System.out.println("kills: " + outcome);
    assertThat(outcome.hangs()).as("with -Dxsched.kills.seed=%d", seed).isEmpty();
    assertThat(outcome.faults()).as("with -Dxsched.kills.seed=%d", seed).isEmpty();
    assertThat(outcome.allKills()).isEqualTo(kills);
    assertThat(outcome.whileSliced()).isGreaterThan(kills / 2);
    assertThat(outcome.resultsChecked()).isPositive();
    assertThat(outcome.resultsWrong()).isZero();
    assertThat(machine("judge")).as("the driver saw what it should not").isZero();
  }

  @Test
  void nobodyIsToldOfWhereNobodyIsKilled() throws Exception {
    GrowthOutcome outcome = new EnduranceRun(surroundings).run(Duration.ofSeconds(4));
    assertThat(outcome.faults()).isEmpty();
    assertThat(outcome.resultsChecked()).isPositive();
    assertThat(outcome.resultsWrong()).isZero();
    assertThat(outcome.samples()).containsOnlyKeys("daemon", "low", "high");
    assertThat(outcome.samples().values())
        .allSatisfy(
            sizes ->
                assertThat(sizes)
                    .hasSize(4)
                    .allSatisfy(size -> assertThat(size.descriptors()).isPositive()));
  }

  /** As whoever disables channels and is gone before it enables them again. */
  @Test
  void aProgramThatIsLeftStoppedIsFound() throws Exception {
    CompletableFuture<GrowthOutcome> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new EnduranceRun(surroundings).run(Duration.ofSeconds(6));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    while (stop() != 0 && !outcome.isDone()) {
      Thread.sleep(20);
    }
    assertThat(outcome.join().faults())
        .singleElement()
        .asString()
        .contains("low (pid", "did not get on for");
  }

  private int stop() throws Exception {
    String pulse = surroundings.folder().resolve("t").resolve("low-").toString();
    Stream<ProcessHandle> all = ProcessHandle.current().descendants();
    for (ProcessHandle process : all.toList()) {
      String line = process.info().commandLine().orElse("");
      if (line.contains(pulse) && line.contains(" long ")) {
        return machine("stop", Long.toString(process.pid()));
      }
    }
    return 1;
  }
}
