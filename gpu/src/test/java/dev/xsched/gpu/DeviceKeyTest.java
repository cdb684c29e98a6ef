package dev.xsched.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DeviceKeyTest {
  @Test
  void aUuidIsWrittenAsEverybodyWritesIt() {
    byte[] uuid = HexFormat.of().parseHex("0123456789ABCDEFfedcba9876543210");
    assertThat(DeviceKey.ofUuid(uuid)).isEqualTo("gpu:01234567-89ab-cdef-fedc-ba9876543210");
  }

  @Test
  void anythingElseIsNoUuid() {
    assertThatIllegalArgumentException().isThrownBy(() -> DeviceKey.ofUuid(new byte[8]));
  }
}
