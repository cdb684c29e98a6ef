package dev.xsched.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.opencl.Listing.Kind;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTest {
  @Test
  void aDeviceWithoutUuidIsKnownByItsName() {
    assertThat(Listing.keyOfName("Tesla T4", 0)).isEqualTo("opencl:Tesla T4");
    assertThat(Listing.keyOfName("Tesla T4", 1)).isEqualTo("opencl:Tesla T4#1");
  }

  @Test
  void aLongNameIsCutSoThatTheKeyFits() {
    assertThat(Listing.keyOfName("x".repeat(100), 0)).isEqualTo("opencl:" + "x".repeat(56));
    assertThat(Listing.keyOfName("x".repeat(100), 12))
        .isEqualTo("opencl:" + "x".repeat(53) + "#12");
    String cut = Listing.keyOfName("x".repeat(55) + "\u00e9", 0);
    assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(63);
    assertThat(cut).isEqualTo("opencl:" + "x".repeat(55));
  }

  @Test
  void theFirstGpuIsTheBestChoice() {
    Listing cpu = listing("cpu", Kind.CPU);
    Listing first = listing("first", Kind.GPU);
    Listing second = listing("second", Kind.GPU);
    assertThat(Listing.best(List.of(cpu, first, second))).contains(first);
    assertThat(Listing.best(List.of(cpu, listing("npu", Kind.ACCELERATOR))))
        .hasValueSatisfying(l -> assertThat(l.name()).isEqualTo("npu"));
    assertThat(Listing.best(List.of())).isEmpty();
  }

  private static Listing listing(String name, Kind kind) {
    return new Listing(MemorySegment.NULL, name, kind, name);
  }
}
