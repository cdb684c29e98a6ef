package dev.xsched.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.xsched.gpu.Grid;
import dev.xsched.queue.DeviceException;
import org.junit.jupiter.api.Test;

class NoCudaTest {
  @Test
  void withoutADriverThereIsNoDeviceAndNoFailure() {
    assertThat(new CudaProvider("libNoSuchCuda.so").rank()).isZero();
    assertThat(new CudaProvider("libc.so.6").rank()).isZero();
  }

  @Test
  void whoAsksForItByNameHearsWhatToInstall() {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> new CudaProvider("libNoSuchCuda.so").open(""))
        .withMessageStartingWith("cannot load libNoSuchCuda.so; install NVIDIA's driver");
  }

  @Test
  void aGridCoversAllItems() {
    assertThat(Grid.covering(1000, 256)).isEqualTo(Grid.of(4, 256));
    assertThat(Grid.covering(1024, 256)).isEqualTo(Grid.of(4, 256));
    assertThat(Grid.covering(1, 256)).isEqualTo(Grid.of(1, 256));
  }
}
