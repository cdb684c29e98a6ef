package dev.xsched.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.xsched.queue.DeviceException;
import org.junit.jupiter.api.Test;

class NoOpenClTest {
  @Test
  void withoutTheLibraryThereIsNoDeviceAndNoFailure() {
    assertThat(new OpenClProvider("libNoSuchOpenCL.so").rank()).isZero();
  }

  @Test
  void aLibraryThatIsNoOpenClCountsAsNone() {
    assertThat(new OpenClProvider("libc.so.6").rank()).isZero();
  }

  @Test
  void whoAsksForItByNameHearsWhatToInstall() {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> new OpenClProvider("libNoSuchOpenCL.so").open(""))
        .withMessageStartingWith("cannot load libNoSuchOpenCL.so; install OpenCL");
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> new OpenClProvider("libc.so.6").open(""))
        .withMessage("libc.so.6 has no function clGetPlatformIDs; install a newer driver");
  }
}
