package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetersTest {
  @Test
  void onlySamplesOfTheMeasuredTimeCount() {
    try (GpuBusy busy = GpuBusy.none()) {
      busy.add(5, "100");
      busy.add(10, " 50");
      busy.add(15, "[N/A]");
      busy.add(19, "100");
      busy.add(20, "0");
      assertThat(busy.between(10, 20)).hasValue(0.75);
      assertThat(busy.between(30, 40)).isEmpty();
    }
  }

  @Test
  void processorTimeIsReadBehindAnyName() {
    String stat = "12 (a) b (c) S 1 12 12 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 5 6 7";
    assertThat(ProcessorTime.seconds(stat)).isEqualTo(3.0);
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
}
