package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.scene.DeviceLoad;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetersTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void onlySamplesOfTheMeasuredTimeCount() {
    try (GpuMeter meter = GpuMeter.none()) {
      meter.add(5, "100, 900, 100");
      meter.add(10, " 50, 1980, 500.5");
      meter.add(15, "[N/A], 900, 100");
      meter.add(19, "100, 1965, 700");
      meter.add(20, "0, 900, 100");
      DeviceLoad load = meter.between(10, 20);
      assertThat(load.busy()).hasValue(0.75);
      assertThat(load.megahertz()).hasValue(1980);
      assertThat(load.watts()).hasValue(700);
      assertThat(meter.between(30, 40)).isEqualTo(DeviceLoad.UNKNOWN);
    }
  }

  @Test
  void clockAndPowerAreThoseOfWorkAndMayBeUnknown() {
    try (GpuMeter meter = GpuMeter.none()) {
      meter.add(1, "0, 345, [N/A]");
      meter.add(2, "0, 345, [N/A]");
      meter.add(3, "80, 1980, [N/A]");
      DeviceLoad load = meter.between(0, 10);
      assertThat(load.megahertz()).hasValue(1980);
      assertThat(load.watts()).isEmpty();
    }
  }

  /** A stand-in that answers only to the question that a real one understands. */
  @Test
  void theDriversProgramIsAskedForAllThreeAtOnce() throws Exception {
    Path program = folder.resolve("nvidia-smi");
    Files.writeString(
        program,
        """
        #!/bin/sh
        [ "$*" = "--id=0 --query-gpu=utilization.gpu,clocks.sm,power.draw \
        --format=csv,noheader,nounits -lms 100" ] && echo '90, 1980, 612.25'
        exec sleep 60
        """);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    long from = System.nanoTime();
    try (GpuMeter meter = GpuMeter.start(program.toString())) {
      DeviceLoad load = DeviceLoad.UNKNOWN;
      for (int tries = 0; tries < 1_000 && load.busy().isEmpty(); tries++) {
        Thread.sleep(10);
        load = meter.between(from, System.nanoTime());
      }
      assertThat(load.busy()).hasValue(0.9);
      assertThat(load.watts()).hasValue(612.25);
    }
  }

  @Test
  void processorTimeIsReadBehindAnyName() {
    String stat = "12 (a) b (c) S 1 12 12 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 5 6 7";
    assertThat(ProcessorTime.seconds(stat)).isEqualTo(3.0);
  }

  @Test
  void stolenTimeIsThatOfAllProcessors() {
    String stat = "cpu  7300 0 5200 91000 12 0 40 250 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
    assertThat(ProcessorTime.stolenSeconds(stat)).isEqualTo(2.5);
    assertThat(ProcessorTime.stolenSeconds("")).isZero();
  }

  @Test
  void firstDeviceIsTheOneThatWorkersTake() {
    String raw =
        """
        [POCL/*] CL_PLATFORM_VERSION  OpenCL 3.0 PoCL
        [POCL/0] CL_DEVICE_NAME  pthread-cpu
        [X/0] CL_DEVICE_NAME  other
        """;
    assertThat(DeviceFacts.first(raw, "CL_DEVICE_NAME")).isEqualTo("pthread-cpu");
    assertThat(DeviceFacts.first(raw, "CL_PLATFORM_VERSION")).isEqualTo("OpenCL 3.0 PoCL");
    assertThat(DeviceFacts.first(raw, "CL_DRIVER_VERSION")).isEqualTo("unknown");
  }

  @Test
  void deviceOfAmdIsWhatTheWorkerSays() {
    DeviceFacts facts =
        DeviceFacts.amd("a warning\n{\"device\":\"AMD Instinct MI308X\",\"version\":\"6.4.1\"}\n");
    assertThat(facts.hardware()).containsEntry("device", "AMD Instinct MI308X");
    assertThat(facts.runtime()).containsEntry("hip", "6.4.1").containsKey("rocm_version");
    assertThat(DeviceFacts.amd("").hardware().get("device")).startsWith("unknown");
    assertThat(DeviceFacts.amd("{\"error\":\"no device\"}").hardware().get("device"))
        .startsWith("unknown");
  }
}
