package dev.xsched.bench.run;

import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/** Plays every scene at once, until it is told to fail. */
final class FakeStage implements Stage {
  /** What happens at a scene. */
  @FunctionalInterface
  interface Trouble {
    void at(int scene) throws StageException, InterruptedException;
  }

  private final Trouble trouble;
  private final String hardware;
  private final Queue<Double> stolen = new ArrayDeque<>();
  private int played;

  FakeStage(Trouble trouble) {
    this(trouble, "a fake");
  }

  FakeStage(Trouble trouble, String hardware) {
    this.trouble = trouble;
    this.hardware = hardware;
  }

  /** At the next scenes the host takes these parts of the processors' time. */
  void disturb(double... parts) {
    Arrays.stream(parts).forEach(stolen::add);
  }

  int played() {
    return played;
  }

  @Override
  public String device() {
    return "fake";
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public Map<String, String> hardware() {
    return Map.of("device", hardware);
  }

  @Override
  public Map<String, String> runtime() {
    return Map.of();
  }

  @Override
  public Set<Level> levels() {
    return Set.of(Level.BLOCK);
  }

  @Override
  public String describe(Workload workload) {
    return "nothing";
  }

  @Override
  public Optional<String> cannotPlay(Scene scene) {
    return Optional.empty();
  }

  @Override
  public Optional<String> cannotRun(String experimentId) {
    return experimentId.equals("7.4.2") ? Optional.of("no processor") : Optional.empty();
  }

  @Override
  public Outcome play(Scene scene) throws StageException, InterruptedException {
    trouble.at(++played);
    Planted outcome = Planted.outcome();
    scene.parties().forEach(p -> outcome.party(p.name(), 200, 10));
    return outcome.get().disturbed(Objects.requireNonNullElse(stolen.poll(), 0.0));
  }

  @Override
  public long[] suspend(
      Level level, Duration command, LaunchWindow window, int times, int repetition) {
    return new long[times];
  }

  @Override
  public double slowness() {
    return 1;
  }

  @Override
  public void close() {}
}
