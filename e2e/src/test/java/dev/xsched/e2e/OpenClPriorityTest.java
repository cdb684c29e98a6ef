package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A service beside a program that keeps the device busy, both unmodified. Everything is measured in
 * the same run, turn by turn, because the machine's own noise is larger than what is measured.
 */
@Measured
class OpenClPriorityTest {
  private static final int ROUNDS = 3;
  private static final double SECONDS = 2;
  private static final int REQUEST_MICROS = 40_000;
  private static final int PAUSE_MICROS = 20_000;
  private static final int GUESS = 20_000;

  /** Of the other program: kernels in a batch, and how much shorter they are than the service's. */
  private static final int BATCH = 200;

  private static final int SHORTER = 64;

  /** Of its throughput alone: what the service keeps, and above which there was no contention. */
  private static final double KEPT = 0.9;

  private static final double CONTENDED = 0.85;

  /** Of the time in which the service asks for nothing, the other gets at least this much. */
  private static final double REST = 0.4;

  /** The service's requests per second, and how much of what was left the other one got. */
  private record Rates(double alone, double without, double with, double rest) {
    /** Scheduled it cannot be faster than alone, so the larger one was disturbed less. */
    double undisturbed() {
      return Math.max(alone, with);
    }
  }

  @Test
  void theServiceKeepsItsThroughputAndTheOtherGetsTheRest() throws Exception {
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      machine.startDaemon("--policy", "HPF");
      Rates measured = measure(machine);
      assertThat(measured.without())
          .as("without XSched, %s", measured)
          .isLessThan(CONTENDED * measured.undisturbed());
      assertThat(measured.with())
          .as("with XSched, %s", measured)
          .isGreaterThan(KEPT * measured.alone());
      assertThat(measured.rest()).as("of the rest, %s", measured).isGreaterThan(REST);
    }
  }

  private static Rates measure(Machine machine) throws Exception {
    int work = calibrate(machine);
    List<Double> alone = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> rest = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      alone.add(service(machine, work).start().await().number("per_second"));
      double otherAlone = other(machine, work, 1).start().await().number("per_second");
      without.add(besideOther(machine, work));
      machine.daemon().await("nobody is there", state -> state.programs().isEmpty());
      OpenClProgram low = other(machine, work, 60).scheduled("low", 0).start();
      machine.daemon().awaitPrograms(1);
      OpenClProgram service = service(machine, work).scheduled("high", 10).start();
      // It is there from its first command on; until then it compiles.
      machine.daemon().awaitPrograms(2);
      long commands = completed(machine);
      long start = System.nanoTime();
      OpenClProgram.Result high = service.await();
      double seconds = (System.nanoTime() - start) / 1e9;
      double batches = (completed(machine) - commands) / (double) BATCH;
      low.kill();
      assertThat(high.errors()).isEmpty();
      with.add(high.number("per_second"));
      double left = seconds - high.number("busy_seconds");
      rest.add(batches / (otherAlone * left));
    }
    return new Rates(median(alone), median(without), median(with), median(rest));
  }

  private static double besideOther(Machine machine, int work) throws Exception {
    OpenClProgram low = other(machine, work, 60).start();
    Thread.sleep(400);
    double throughput = service(machine, work).start().await().number("per_second");
    low.kill();
    return throughput;
  }

  /** How much work makes a request take the time wanted, here and now. */
  private static int calibrate(Machine machine) throws Exception {
    double micros = service(machine, GUESS).with("requests", 40).start().await().number("p50_us");
    return (int) Math.clamp(GUESS * REQUEST_MICROS / micros, 1_000, 1_000_000);
  }

  /** Ten kernels per request, and a pause in which the other may use the device. */
  private static OpenClProgram.Builder service(Machine machine, int work) {
    return new OpenClProgram.Builder(machine, OpenClProgram.own("service"))
        .with("seconds", SECONDS)
        .with("kernels", 10)
        .with("work", work)
        .with("pause-us", PAUSE_MICROS);
  }

  /** One kernel after another, far shorter ones, so that it can give way at once. */
  private static OpenClProgram.Builder other(Machine machine, int work, double seconds) {
    return new OpenClProgram.Builder(machine, OpenClProgram.own("batch"))
        .with("seconds", seconds)
        .with("kernels", BATCH)
        .with("work", work / SHORTER);
  }

  private static long completed(Machine machine) throws Exception {
    DaemonState state = machine.daemon().state();
    return state.programs().stream()
        .filter(p -> p.name().equals("low"))
        .mapToLong(p -> p.queues().getFirst().completed())
        .sum();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
