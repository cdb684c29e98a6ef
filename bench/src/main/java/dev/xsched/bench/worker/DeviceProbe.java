package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Whether there is a device at all: better said at once than in every record. */
final class DeviceProbe {
  private final Kind kind;
  private final Installation installation;
  private final Calibration calibration;
  private boolean there;

  DeviceProbe(Kind kind, Installation installation, Calibration calibration) {
    this.kind = kind;
    this.installation = installation;
    this.calibration = calibration;
  }

  /** Looks once. */
  void check() throws StageException, InterruptedException {
    if (!there) {
      look();
      there = true;
    }
  }

  private void look() throws StageException, InterruptedException {
    requireFile(
        installation.worker(),
        "build it by make -C native, which needs gcc, make and ocl-icd-opencl-dev");
    switch (kind) {
      case CUDA -> {
        requireFile(installation.pytorch(), "it comes with the sources and with the archive");
        if (Shell.tryRun(List.of("nvidia-smi", "-L"), Map.of(), "").isEmpty()) {
          throw new StageException(
              "there is no NVIDIA GPU here: nvidia-smi fails; install its driver, or measure with"
                  + " --device opencl or --device sim");
        }
      }
      case OPENCL ->
          requireWork(
              "OpenCL does not work here; apt-get install pocl-opencl-icd gives a device on any"
                  + " processor");
      case HIP ->
          requireWork(
              "HIP does not work here; './xsched doctor' says what is missing, and --device sim:mi308x"
                  + " needs no GPU");
    }
  }

  /** Has the device do something. */
  private void requireWork(String remedy) throws StageException, InterruptedException {
    try {
      calibration.rounds(Duration.ofNanos(100_000));
    } catch (StageException e) {
      throw new StageException("%s (%s)".formatted(remedy, e.getMessage()), e);
    }
  }

  private static void requireFile(Path file, String remedy) throws StageException {
    if (!Files.isReadable(file)) {
      throw new StageException("there is no %s; %s".formatted(file, remedy));
    }
  }
}
