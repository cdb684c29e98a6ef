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
 * nothing but launch: with the library and a daemon, and without, turn by turn.
 */
public final class ShimBench {
  /**
   * How much of it to do.
   *
   * @param requests per run, of 100 launches each
   */
  public record Extent(int pairs, int requests) {
    public static final Extent FULL = new Extent(60, 2_000);
    public static final Extent QUICK = new Extent(6, 200);

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
  private final List<Pair> cpu = new ArrayList<>();
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

    double microsPerLaunch() throws IOException {
      return number("p50_us") / LAUNCHES_PER_REQUEST;
    }

    double cpuMicrosPerLaunch() throws IOException {
      return number("cpu_seconds") * 1e6 / number("commands");
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
      launch.add(new Pair(without.microsPerLaunch(), with.microsPerLaunch()));
      cpu.add(new Pair(without.cpuMicrosPerLaunch(), with.cpuMicrosPerLaunch()));
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
    builder.environment().keySet().removeIf(key -> key.startsWith("XSCHED_"));
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
    PairedRatio processor = PairedRatio.of(cpu);
    Map<String, Object> results = new TreeMap<>();
    put(results, "launch", launch, time);
    put(results, "cpu", cpu, processor);
    results.put("wrong_results", wrong);
    List<Criterion> criteria =
        List.of(
            new Criterion(
                "time per launch added, percent",
                "< " + (int) MOST_PERCENT,
                time.percent(),
                time.percent() < MOST_PERCENT),
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
            "runs with and without the library by turns; a run's time per launch is the median of"
                + " its requests of 100 launches and a wait; ratios are of the medians of all runs,"
                + " with bounds of 95 % confidence by a bootstrap over the pairs",
            "cpu is the processor time of all threads, the device's own and the library's included"));
  }

  private static void put(
      Map<String, Object> results, String name, List<Pair> pairs, PairedRatio ratio) {
    results.put(
        name + "_without_us",
        PairedRatio.median(pairs.stream().mapToDouble(Pair::without).toArray()));
    results.put(
        name + "_with_us", PairedRatio.median(pairs.stream().mapToDouble(Pair::with).toArray()));
    results.put(name + "_ratio", ratio.ratio());
    results.put(name + "_ratio_low", ratio.low());
    results.put(name + "_ratio_high", ratio.high());
  }
}
