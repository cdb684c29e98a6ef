package dev.xsched.bench;

import dev.xsched.bench.PairedRatio.Pair;
import dev.xsched.bench.ResultRecord.Criterion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures what the library in front of OpenCL costs a program that is alone, and that does next to
 * nothing but launch. Every second request of the program goes straight to the driver, so that both
 * ways are measured in the same moment. The same without the library tells what OpenCL's own loader
 * takes of the difference.
 */
public final class ShimBench {
  /**
   * How much of it to do.
   *
   * @param requests per run, of 100 launches each
   */
  public record Extent(int pairs, int requests) {
    public static final Extent FULL = new Extent(30, 4_000);
    public static final Extent QUICK = new Extent(6, 400);

    /** How long that takes, if a launch takes 5 us and a start half a second. */
    public Duration expected() {
      return Duration.ofMillis(2L * pairs * (500 + requests / 2) + 4_000);
    }
  }

  private static final String PROGRAM = "programs/launches";
  private static final String LIBRARY = "libxsched.so";
  private static final String POLICY = "HPF";
  private static final int LAUNCHES_PER_REQUEST = 100;
  private static final double MOST_PERCENT = 2;

  private final Path folder;
  private final Extent extent;
  private final Consumer<String> step;
  private final DaemonProcess daemon;
  private final List<Pair> launch = new ArrayList<>();
  private final List<Double> straight = new ArrayList<>();
  private final List<Double> thread = new ArrayList<>();
  private long wrong;
  private String device = "";

  private ShimBench(Path folder, Extent extent, Consumer<String> step, DaemonProcess daemon) {
    this.folder = folder;
    this.extent = extent;
    this.step = step;
    this.daemon = daemon;
  }

  /**
   * Runs everything.
   *
   * @param step told what begins
   * @throws IllegalArgumentException if the C parts are not built
   */
  public static ResultRecord run(
      Extent extent, String version, String commit, Consumer<String> step)
      throws IOException, InterruptedException {
    Path folder = NativeProgram.folder();
    for (String name : List.of(PROGRAM, LIBRARY)) {
      if (!Files.isReadable(folder.resolve(name))) {
        throw new IllegalArgumentException(
            "%s is not there; install OpenCL's headers and build it by: make -C native"
                .formatted(folder.resolve(name)));
      }
    }
    step.accept("starting a daemon");
    try (DaemonProcess daemon = DaemonProcess.start(POLICY)) {
      ShimBench bench = new ShimBench(folder, extent, step, daemon);
      bench.measure();
      return bench.record(version, commit);
    }
  }

  /** One run of the program. */
  private record Run(String text) {
    double number(String label) throws IOException {
      return Double.parseDouble(rest(label));
    }

    /** What stands behind a label at the begin of a line. */
    String rest(String label) throws IOException {
      Matcher matcher = Pattern.compile("^" + label + " (.+)$", Pattern.MULTILINE).matcher(text);
      if (!matcher.find()) {
        throw new IOException("the program did not say '%s': %s".formatted(label, text.strip()));
      }
      return matcher.group(1);
    }

    /** A launch through all that is in front of the driver, in launches that go past it. */
    double ratio() throws IOException {
      return number("linked_us") / number("straight_us");
    }

    /** Of the time of the run: what the library's own thread took of a processor. */
    double threadPercent() throws IOException {
      return 100 * number("library_seconds") / number("seconds");
    }
  }

  private void measure() throws IOException, InterruptedException {
    run(true); // compiles the kernel, and warms the daemon up
    for (int i = 0; i < extent.pairs(); i++) {
      step.accept("pair %d of %d".formatted(i + 1, extent.pairs()));
      // Who is first changes each time: so a slow change of the machine favours nobody.
      boolean withFirst = i % 2 == 1;
      Run first = run(withFirst);
      Run second = run(!withFirst);
      Run with = withFirst ? first : second;
      Run without = withFirst ? second : first;
      launch.add(new Pair(without.ratio(), with.ratio()));
      straight.add(with.number("straight_us"));
      thread.add(with.threadPercent());
      wrong += with.rest("hash").equals(without.rest("hash")) ? 0 : 1;
      device = with.rest("device");
    }
  }

  private Run run(boolean withLibrary) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            folder.resolve(PROGRAM).toString(),
            "--requests",
            Integer.toString(extent.requests()),
            "--kernels",
            Integer.toString(LAUNCHES_PER_REQUEST));
    PlainEnvironment.of(builder);
    if (withLibrary) {
      builder.environment().put("LD_PRELOAD", folder.resolve(LIBRARY).toString());
      builder.environment().put("XSCHED_DIR", daemon.folder().toString());
    }
    builder.redirectErrorStream(true);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0 || text.contains("xsched: ")) {
      throw new IOException("the program failed: " + text.strip());
    }
    return new Run(text);
  }

  private ResultRecord record(String version, String commit) {
    PairedRatio time = PairedRatio.of(launch);
    double ofThread = median(thread);
    double added = time.percent() + ofThread;
    Map<String, Object> results = new TreeMap<>();
    results.put("straight_us_per_launch", median(straight));
    results.put("ratio_without_us", median(launch.stream().map(Pair::without).toList()));
    results.put("ratio_with_us", median(launch.stream().map(Pair::with).toList()));
    results.put("launch_ratio", time.ratio());
    results.put("launch_ratio_low", time.low());
    results.put("launch_ratio_high", time.high());
    results.put("library_thread_percent", ofThread);
    results.put("wrong_results", wrong);
    List<Criterion> criteria =
        List.of(
            new Criterion(
                "time per launch added, and the library's thread, percent",
                "< " + (int) MOST_PERCENT,
                added,
                added < MOST_PERCENT),
            new Criterion("wrong results", "= 0", wrong, wrong == 0));
    Map<String, String> hardware = new TreeMap<>(Machine.hardware());
    hardware.put("device", device);
    Map<String, String> configuration = new TreeMap<>();
    configuration.put("policy", POLICY);
    configuration.put("pairs", Integer.toString(extent.pairs()));
    configuration.put("launches_per_run", Integer.toString(extent.requests() * 100));
    return new ResultRecord(
        "shim",
        "What the library costs a program alone that does nothing but launch",
        Instant.now(),
        hardware,
        Machine.runtime(),
        version,
        commit,
        "./xsched bench shim" + (extent.equals(Extent.QUICK) ? " --quick" : ""),
        extent.equals(Extent.QUICK),
        configuration,
        results,
        criteria,
        List.of(
            "every second request of 100 launches and a wait goes straight to the driver; a run's ratio"
                + " is of the medians of both kinds",
            "launch_ratio is that of runs with the library over that of runs without it, by turns,"
                + " with bounds of 95 % confidence by a bootstrap over the pairs"));
  }

  private static double median(List<Double> values) {
    return PairedRatio.median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
