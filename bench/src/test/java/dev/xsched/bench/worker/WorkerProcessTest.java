package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.scene.StageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private WorkerProcess start(String script) throws StageException {
    return WorkerProcess.start(
        "fg", List.of("sh", "-c", script), Map.of("MORE", "yes"), folder.resolve("err"));
  }

  @Test
  void oneLineIsAnsweredByOneObject() throws Exception {
    try (WorkerProcess worker = start("read a; echo \"{\\\"heard\\\":\\\"$a $MORE\\\"}\"")) {
      assertThat(worker.ask("play x=1", LONG).path("heard").asString()).isEqualTo("play x=1 yes");
    }
  }

  @Test
  void crashIsToldWithItsCodeAndItsLastWords() throws Exception {
    try (WorkerProcess worker = start("read a; echo out of memory >&2; exit 9")) {
      assertThatThrownBy(() -> worker.ask("play", LONG))
          .isInstanceOf(StageException.class)
          .hasMessageContainingAll("worker fg", "exit code 9", "out of memory");
    }
  }

  @Test
  void whoeverIsGoneCannotBeTold() throws Exception {
    try (WorkerProcess worker = start("echo no such device >&2; exit 1")) {
      assertThatThrownBy(() -> worker.answer(LONG)).hasMessageContaining("no such device");
      assertThatThrownBy(() -> worker.ask("play", LONG)).hasMessageContaining("exit code 1");
    }
  }

  @Test
  void nonsenseIsQuoted() throws Exception {
    try (WorkerProcess worker = start("read a; echo Segmentation fault; cat")) {
      assertThatThrownBy(() -> worker.ask("play", LONG))
          .hasMessageContaining("nonsense: Segmentation fault");
    }
  }

  @Test
  void silenceEnds() throws Exception {
    try (WorkerProcess worker = start("cat > /dev/null")) {
      assertThatThrownBy(() -> worker.ask("play", Duration.ofMillis(1)))
          .hasMessageContaining("says nothing")
          .hasMessageContaining("State: ");
    }
  }

  @Test
  void errorOfTheWorkerIsHandedOn() throws Exception {
    try (WorkerProcess worker = start("read a; echo '{\"error\":\"no GPU; buy one\"}'; cat")) {
      assertThatThrownBy(() -> worker.ask("play", LONG)).hasMessageContaining("no GPU; buy one");
    }
  }

  @Test
  void programThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () ->
                WorkerProcess.start(
                    "fg", List.of("/no/such/worker"), Map.of(), folder.resolve("err")))
        .isInstanceOf(StageException.class)
        .hasMessageContaining("/no/such/worker");
  }

  @Test
  void whatItStartedEndsWithIt() throws Exception {
    long child;
    try (WorkerProcess worker = start("sleep 1000 & read a; echo \"{\\\"child\\\":$!}\"; cat")) {
      child = worker.ask("who", LONG).path("child").asLong();
      assertThat(ProcessHandle.of(child)).isPresent();
    }
    ProcessHandle.of(child).ifPresent(p -> p.onExit().orTimeout(30, TimeUnit.SECONDS).join());
  }
}
