package dev.xsched.bench.worker;

import dev.xsched.bench.PlainEnvironment;
import dev.xsched.bench.ProcessThreads;
import dev.xsched.bench.scene.StageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that holds one or more queues of a device, with a workload each, and does as it is
 * told. It does nothing but wait for its standard input between two orders, and ends with it.
 *
 * <h2>Protocol</h2>
 *
 * One line in: words separated by blanks, the first a verb, the others {@code key=value} without
 * blanks. One line out for each: a JSON object. Anything wrong: {@code {"error":"one line that says
 * what to do"}}. All times are nanoseconds of CLOCK_MONOTONIC, which is {@link System#nanoTime} on
 * Linux.
 *
 * <dl>
 *   <dt>{@code load queue=NAME workload=LABEL [times=N] [xqueue=1 priority=N] [fresh=1]}
 *   <dd>Compiles, loads and runs a workload a few times; {@code {"describe":"what stands for it
 *       here, in words"}}. Labels are those of {@code Workload.Named}, or {@code workload=commands
 *       each_ns=500000 count=100 [rounds=R]}: the work of a command is found out, which the answer
 *       tells as {@code "rounds"}, or given; or {@code workload=tiny count=100}: kernels that are
 *       each waited for. A queue of that name is replaced, with {@code fresh=1} all of them. With
 *       {@code times=N} a request is the workload that often. With {@code xqueue=1} it becomes an
 *       XQueue with that priority, for programs with several queues.
 *   <dt>{@code play start_ns=T warmup_ns=W measured_ns=M seed=S queues=A,B A.pattern=continuous
 *       B.pattern=paced B.period_ns=P B.spacing=even|around|lognormal B.spread=0.5
 *       B.when_busy=queue|drop [A.throttle=FILE]}
 *   <dd>All queues run, each on a thread of its own, from T to T+W+M; what ends in [T+W, T+W+M) is
 *       measured. Continuous: closed loop, at most two requests in flight. Paced: requests arrive
 *       by the clock, and latency counts from there, but for one that waits for no other: it
 *       arrives when its program has woken up for it. Answer: {@code
 *       {"queues":{"A":{"offered":N,"arrived":[...],"done":[...],"wants":[from,to,...]}},"cpu_ns":C}},
 *       times relative to T+W. Of tiny kernels there are also {@code "first":[...]}, when the first
 *       of each request had ended, and {@code "longest":[...]}, how long the slowest of the others
 *       took. {@code wants} are the intervals in which a request was there and not done, merged and
 *       within the measured time. For the throttle see {@link ThrottleFile}.
 *   <dt>{@code suspend level=1 command_ns=N threshold=8 batch=4 times=K seed=S [rounds=R]}
 *   <dd>Submits commands without end to an XQueue, suspends it K times at random moments; {@code
 *       {"nanos":[...]}} from each call until the device is idle.
 *   <dt>{@code output queue=NAME}
 *   <dd>{@code {"hash":"..."}} of what one request from a fixed state gives.
 * </dl>
 */
final class WorkerProcess implements AutoCloseable {
  private static final int LAST_LINES = 5;
  private static final Duration TO_END = Duration.ofSeconds(3);
  private static final int LONGEST_QUOTE = 200;

  /** Ctrl-C reaches workers and us at the same time; so much sooner they may be gone. */
  private static final Duration INTERRUPT = Duration.ofMillis(100);

  /** Comes after the last line. */
  private static final String END = "";

  private volatile String name; // Read by the thread that listens.
  private final Process process;
  private final Writer input;
  private final Path errors;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private WorkerProcess(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.input = process.outputWriter();
    this.errors = errors;
    Thread.ofVirtual().name("worker " + name).start(this::read);
  }

  /**
   * Starts one.
   *
   * @param name for messages
   * @param environment added to ours; what we have of XSched is taken out first
   * @param errors where its standard error goes
   */
  static WorkerProcess start(
      String name, List<String> command, Map<String, String> environment, Path errors)
      throws StageException {
    ProcessBuilder builder = new ProcessBuilder(command);
    PlainEnvironment.of(builder);
    builder.environment().putAll(environment);
    builder.redirectError(errors.toFile());
    try {
      return new WorkerProcess(name, builder.start(), errors);
    } catch (IOException e) {
      throw new StageException(
          "the worker %s cannot be started (%s); see that this program is there: %s"
              .formatted(name, e.getMessage(), command.getFirst()),
          e);
    }
  }

  String name() {
    return name;
  }

  /** It plays somebody else from now on. */
  void rename(String name) {
    this.name = name;
  }

  /** The program's own: whoever started it has become it. */
  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Gives an order; {@link #answer} must be asked for before the next one. */
  void send(String line) throws StageException, InterruptedException {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException _) {
      throw ended();
    }
  }

  /** Waits for what it says to the last order. */
  JsonNode answer(Duration limit) throws StageException, InterruptedException {
    String line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw failed(
          "says nothing for %d s, with its threads at %s"
              .formatted(limit.toSeconds(), ProcessThreads.of(pid())));
    }
    if (line.equals(END)) {
      throw ended();
    }
    JsonNode answer = parse(line);
    if (answer == null || !answer.isObject()) {
      throw failed(
          "answers nonsense: "
              + (line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "..." : line));
    }
    if (answer.has("error")) {
      throw failed("cannot go on: " + answer.path("error").asString(""));
    }
    return answer;
  }

  JsonNode ask(String line, Duration limit) throws StageException, InterruptedException {
    send(line);
    return answer(limit);
  }

  /** It ended although nobody told it to. */
  StageException ended() throws InterruptedException {
    String code =
        process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)
            ? "exit code " + process.exitValue()
            : "its output is closed";
    return failed("ended by itself, " + code);
  }

  /** What happened to it, with its last words. */
  StageException failed(String how) throws InterruptedException {
    Thread.sleep(INTERRUPT);
    String words = lastWords();
    return new StageException(
        "the worker %s %s%s; what it said last: %s%s"
            .formatted(
                name,
                how,
                alive() ? "" : " (it is gone)",
                words.isEmpty() ? "nothing" : words,
                words.contains("ModuleNotFoundError")
                    ? "; install PyTorch: pip install torch torchvision transformers"
                    : ""));
  }

  private String lastWords() {
    try {
      List<String> all = Files.readAllLines(errors);
      return String.join(" | ", all.subList(Math.max(0, all.size() - LAST_LINES), all.size()));
    } catch (IOException e) {
      return "its errors cannot be read: " + e.getMessage();
    }
  }

  private static @Nullable JsonNode parse(String line) {
    try {
      return JsonMapper.shared().readTree(line);
    } catch (JacksonException _) {
      return null;
    }
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      for (@Nullable String line = output.readLine(); line != null; line = output.readLine()) {
        if (!line.isBlank()) {
          lines.add(line);
        }
      }
    } catch (IOException _) {
      // As good as the end.
    }
    lines.add(END);
  }

  /** Ends its input, by which it ends; {@link #close} sees that it does. */
  void endInput() {
    try {
      input.close();
    } catch (IOException _) {
      // It is gone already.
    }
  }

  /** Ends its input, by which it ends; kills it, with what it has started, if it does not. */
  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    endInput();
    process.onExit().completeOnTimeout(process, TO_END.toMillis(), TimeUnit.MILLISECONDS).join();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
