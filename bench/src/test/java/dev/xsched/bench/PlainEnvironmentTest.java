package dev.xsched.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlainEnvironmentTest {
  @Test
  void whatSchedulesIsTakenOutAndWhereADriverIsStays() {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "XSCHED_DIR", "/run/x",
                "XSCHED_AUTO_XQUEUE_LEVEL", "3",
                "XSCHED_HIP_LIB", "/opt/lib.so",
                "XSCHED_TEST_KFD", "/tmp/gpu",
                "PATH", "/bin"));
    PlainEnvironment.clean(environment);
    assertThat(environment).containsOnlyKeys("XSCHED_HIP_LIB", "XSCHED_TEST_KFD", "PATH");
  }
}
