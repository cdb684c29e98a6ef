package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.NATIVE;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * 8.2.1, figure 14: a camera's frames at 25 a second and a transcription every 3 seconds, on a
 * device that both together slightly overload. By priority (HPF) transcriptions are late; by laxity
 * (LAX) they cost a frame now and then.
 */
final class VideoConference implements Experiment {
  private static final Duration FRAME = Duration.ofMillis(40);
  private static final Duration SPEECH = Duration.ofSeconds(3);

  /** How much of the device the frames need. */
  private static final double FRAME_LOAD = 0.75;

  /** How much more a transcription needs than the frames leave until its deadline. */
  private static final double SPEECH_EXCESS = 0.03;

  /** Of what frames should leave: so much surely fits. */
  private static final double LESS = 0.8;

  /** Of speech, where only its speed is measured. */
  private static final int PIECES_AT_ONCE = 10;

  /** For what a transcription is to end before its deadline. */
  private static final double MARGIN_SECONDS = 0.03;

  /** Between two frames, at P99. */
  private static final double MOST_MILLIS = 100;

  private static final String FRAMES = "frames";
  private static final String SPEAKER = "speech";
  private static final String HPF = "hpf";
  private static final String LAX = "lax";

  @Override
  public String id() {
    return "8.2.1";
  }

  @Override
  public String title() {
    return "Video conference: frames and speech on one device";
  }

  @Override
  public String figure() {
    return "14";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent).multipliedBy(3L * extent.repetitions());
  }

  private static Duration length(Extent extent) {
    return SPEECH.multipliedBy(extent.quick() ? 2 : 20);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    director.getReady(
        new Scenes(SPEECH, SPEECH)
            .add(NATIVE, new Control.Native(), frames(1), transcriptions(1))
            .add(HPF, scheduled("HPF"), frames(1), transcriptions(1))
            .list());
    double pictures = director.peak(Workload.Named.SEGMENTATION);
    int inFrame = (int) Math.max(1, Math.round(FRAME_LOAD * FRAME.toNanos() / 1e9 * pictures));
    Party frames = frames(inFrame);
    double pieces = PIECES_AT_ONCE * director.peak(speech(PIECES_AT_ONCE));
    double left = leftByFrames(director, frames, (1 - FRAME_LOAD) * pieces);
    int inSpeech = Math.toIntExact(Math.round((1 + SPEECH_EXCESS) * left * SPEECH.toSeconds()));
    Duration laxity = laxity(left / pieces);
    // HPF knows no laxity, so that the same program can play in both.
    Party speech =
        transcriptions(inSpeech)
            .with(Hint.LAXITY, laxity.toNanos() / 1_000)
            .with(Hint.LAX_PRIORITY, 0)
            .with(Hint.CRITICAL_PRIORITY, 2);
    findings.configure("laxity", "%d ms of 3 s".formatted(laxity.toMillis()));
    findings.configure(
        "frames",
        "25 a second, each %d x segmentation: %.0f %% of the device; one that comes while the"
                .formatted(inFrame, 100 * inFrame / pictures / (FRAME.toNanos() / 1e9))
            + " last is at work is dropped");
    findings.configure(
        "speech",
        "every 3 s, %d x speech: %.0f %% more than the frames leave in 3 s, measured, so"
                .formatted(inSpeech, 100 * SPEECH_EXCESS)
            + " that priority alone must be late on any device");
    findings.note(
        "both loads and the laxity are sized by what was measured on this device, so that HPF must be"
            + " late: that it is late is the premise here and no finding. With fixed sizes (frames"
            + " 29.4 ms, speech 820 ms, laxity 2880 ms) LAX missed the 100 ms: 119 ms on sim:gv100,"
            + " 110 on sim:mi308x, 124 on sim:h200");
    Scenes scenes =
        new Scenes(Duration.ofSeconds(1), length(director.extent()))
            .add(NATIVE, new Control.Native(), frames, speech)
            .add(HPF, scheduled("HPF"), frames, speech)
            .add(LAX, scheduled("LAX"), frames, speech);
    judge(director.byTurns(scenes.list()), findings);
  }

  /** At level 1, as in the paper: policies are compared, and both are to stop others alike. */
  private static Control scheduled(String policy) {
    return Control.Scheduled.by(policy).at(Level.BLOCK);
  }

  private static Party frames(int pictures) {
    return Party.of(
            FRAMES,
            new Workload.Repeated(Workload.Named.SEGMENTATION, pictures),
            new Pattern.Paced(FRAME, new Pattern.Spacing.Even(), Pattern.WhenBusy.DROP))
        .with(Hint.PRIORITY, 1);
  }

  private static Party transcriptions(int pieces) {
    return Party.of(
        SPEAKER, speech(pieces), Pattern.Paced.queued(SPEECH, new Pattern.Spacing.Even()));
  }

  private static Workload speech(int pieces) {
    return new Workload.Repeated(Workload.Named.SPEECH, pieces);
  }

  /**
   * How many pieces of speech a second get between frames that have priority: of a transcription,
   * as it is measured then, because one that is launched in smaller parts gets less.
   *
   * @param expected the same, roughly
   */
  private static double leftByFrames(Director director, Party frames, double expected)
      throws StageException, InterruptedException {
    int some = (int) Math.max(1, LESS * expected * SPEECH.toSeconds());
    Scenes scenes =
        new Scenes(Duration.ofSeconds(1), SPEECH.multipliedBy(2))
            .add("what frames leave", scheduled("HPF"), frames, transcriptions(some));
    Outcome outcome = director.once(scenes.list().getFirst());
    double nanos =
        Arrays.stream(outcome.party(SPEAKER).requests().latencies())
            .average()
            .orElseThrow(
                () ->
                    new StageException(
                        "no transcription ended beside the frames; see whether others use the device"));
    return 1e9 * some / nanos;
  }

  /**
   * How long speech may wait for gaps of that share of the device, so that what is left of it then
   * still ends in time if it has the device for itself.
   */
  static Duration laxity(double share) {
    double rest = share * (SPEECH_EXCESS * SPEECH.toSeconds() + MARGIN_SECONDS) / (1 - share);
    return SPEECH.minusNanos(Math.round(1e9 * (rest + MARGIN_SECONDS)));
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = new Figure("14", null, "ms", "time between frames (ms)", "fraction of frames");
    for (String label : List.of(NATIVE, HPF, LAX)) {
      findings.put("frame_interval_p50_" + label, runs.intervalPercentile(50, label, FRAMES));
      findings.put("frame_interval_p99_" + label, runs.intervalPercentile(99, label, FRAMES));
      findings.put("frame_interval_max_" + label, runs.intervals(label, FRAMES).max());
      findings.put("frames_per_second_" + label, runs.perSecond(label, FRAMES));
      findings.put("transcription_max_latency_" + label, runs.latencies(label, SPEAKER).max());
      findings.put("transcriptions_late_" + label, late(runs, label));
      findings.series().add(figure.cdf(label, runs.intervals(label, FRAMES)));
    }
    addBars(runs, findings);
    Validity.competition(findings, runs, NATIVE, LAX);
    if (runs.intervalPercentile(99, NATIVE, FRAMES).value() < MOST_MILLIS
        && late(runs, NATIVE) == 0) {
      findings.note("native meets both goals on this device, too: LAX gains nothing here");
    }
    findings.below(
        "P99 time between frames with LAX",
        runs.intervalPercentile(99, LAX, FRAMES),
        MOST_MILLIS,
        "ms",
        "95 ms, in the data 79.8; native 880");
    findings.holds(
        "transcriptions later than 3 s with LAX",
        "0",
        Measure.exactly((double) late(runs, LAX)),
        late(runs, LAX) == 0,
        "0");
    findings.holds(
        "transcriptions later than 3 s with HPF: it loses some",
        "> 0",
        Measure.exactly((double) late(runs, HPF)),
        late(runs, HPF) > 0,
        "> 0");
  }

  private static void addBars(Runs runs, Findings findings) {
    Figure bars = Figure.ofBars("14", "P99", "ms", "P99 time between frames (ms)");
    List<List<Object>> own =
        Stream.of(NATIVE, HPF, LAX)
            .map(l -> List.<Object>of(l, runs.intervalPercentile(99, l, FRAMES).value()))
            .toList();
    List<List<Object>> paper =
        Paper.rows("video.csv").stream()
            .map(r -> List.<Object>of(ofPaper(r.text("config")), r.number("p99_ms")))
            .toList();
    findings.series().add(bars.bars("measured", Figure.MEASURED, own));
    findings.series().add(bars.bars("paper npu3720", Figure.PAPER, paper));
  }

  private static String ofPaper(String config) {
    return config.equals("xsched laxity") ? LAX : config;
  }

  /** Those that ended too late, and those that wait beside the one that is at work. */
  static long late(Runs runs, String label) {
    return runs.of(label).stream().mapToLong(VideoConference::late).sum();
  }

  private static long late(Outcome outcome) {
    var requests = outcome.party(SPEAKER).requests();
    long ended = Arrays.stream(requests.latencies()).filter(n -> n > SPEECH.toNanos()).count();
    // Not those of the warm-up that ended here: they are not among what was offered.
    long endedOfOffered =
        IntStream.range(0, requests.count()).filter(i -> requests.arrivedNanos(i) >= 0).count();
    return ended + Math.max(0, outcome.party(SPEAKER).offered() - endedOfOffered - 1);
  }
}
