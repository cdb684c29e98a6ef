package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** NVIDIA's Multi-Process Service, started when the first scene asks for it. */
final class Mps implements AutoCloseable {
  static final String COMMAND = "nvidia-cuda-mps-control";

  private final Path folder;
  private boolean started;

  Mps(Path folder) {
    this.folder = folder;
  }

  /** By which programs become its clients. */
  static Map<String, String> environment(Path folder) {
    return Map.of(
        "CUDA_MPS_PIPE_DIRECTORY", folder.toString(), "CUDA_MPS_LOG_DIRECTORY", folder.toString());
  }

  synchronized void start() throws StageException, InterruptedException {
    if (!started) {
      Shell.run(List.of(COMMAND, "-d"), environment(folder), "");
      started = true;
      Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }
  }

  @Override
  public synchronized void close() {
    if (started) {
      started = false;
      Shell.tryRun(List.of(COMMAND), environment(folder), "quit\n");
    }
  }
}
