package dev.xsched.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmdChecksTest {
  @TempDir private Path root;
  private AmdMachine machine;

  @BeforeEach
  void build() throws IOException {
    machine = new AmdMachine(root);
  }

  @Test
  void aMachineWithoutAmdHasNothingToSay() {
    MachineFiles empty = new MachineFiles(root.resolve("no"), Map.of(), file -> true);
    assertThat(new AmdChecks(empty).all(Optional.of(AmdMachine.TABLE))).isEmpty();
  }

  @Test
  void aGoodMachineTellsItsVersionsAndWhatItsPreemptionCosts() {
    assertThat(machine.finding("AMD driver").found())
        .isEqualTo("amdgpu 6.10.5, kernel 6.8.0-45-generic");
    assertThat(machine.finding("ROCm").found()).startsWith("version 6.4.1-83, ");
    assertThat(machine.finding("/dev/kfd").state()).isEqualTo("ok");
    assertThat(machine.finding("/dev/dri").found()).isEqualTo("renderD128 for gfx942");
    assertThat(machine.finding("CWSR").found()).isEqualTo("on, 33792 KiB a queue on gfx942");
    assertThat(machine.finding("AMD queues").found()).contains("HWS", "all queues");
    assertThat(machine.finding("AMD variables").found()).contains("at most 4 hardware queues");
  }

  @Test
  void theKernelsOwnDriverHasNoVersion() throws IOException {
    machine.without("sys/module/amdgpu/version");
    assertThat(machine.finding("AMD driver").found())
        .isEqualTo("amdgpu of the kernel, 6.8.0-45-generic");
  }

  @Test
  void everyBadFindingSaysWhatToDo() throws IOException {
    machine
        .without("dev/kfd")
        .with("sys/module/amdgpu/parameters/cwsr_enable", "0")
        .with("sys/module/amdgpu/parameters/sched_policy", "2")
        .variable("HIP_LAUNCH_BLOCKING", "1");
    assertThat(machine.findings())
        .filteredOn(f -> !f.state().equals("ok"))
        .hasSizeGreaterThan(4)
        .allSatisfy(f -> assertThat(f.remedy()).as(f.toString()).isNotEmpty());
  }

  @Test
  void whoMayNotOpenTheDeviceIsToldWhichGroupsToJoin() {
    assertThat(machine.locked("kfd").finding("/dev/kfd").remedy()).contains("usermod -aG render");
    assertThat(machine.locked("renderD128").finding("/dev/dri").state()).isEqualTo("problem");
  }

  @Test
  void aContainerIsToldWhatToBeStartedWith() throws IOException {
    machine.with(".dockerenv", "").without("dev/dri/renderD128");
    assertThat(machine.finding("/dev/dri").found()).isEqualTo("there is no renderD128 for gfx942");
    assertThat(machine.finding("/dev/dri").remedy())
        .contains("--device=/dev/kfd --device=/dev/dri --group-add");
  }

  @Test
  void aDriverThatShowsNoGpuIsAProblem() throws IOException {
    machine.gpu("gfx_target_version 0");
    assertThat(machine.finding("/dev/dri").found()).contains("no GPU that can compute");
  }

  @ParameterizedTest(name = "cwsr_enable {0}, cwsr_size {1}: {2}")
  @CsvSource({
    "1, 34603008, ok, on",
    "1, 0,        warning, no room",
    "0, 34603008, warning, off",
  })
  void withoutCwsrThereIsNoLevel3(String enabled, String size, String state, String found)
      throws IOException {
    machine
        .with("sys/module/amdgpu/parameters/cwsr_enable", enabled)
        .gpu("gfx_target_version 90402\ndrm_render_minor 128\ncwsr_size " + size);
    assertThat(machine.finding("CWSR").state()).isEqualTo(state);
    assertThat(machine.finding("CWSR").found()).contains(found);
  }

  @ParameterizedTest(name = "gfx_target_version {0}, mes={1}: {2}")
  @CsvSource({
    "90402,  0, gfx942: HWS",
    "90010,  1, gfx90a: HWS",
    "100300, 0, gfx1030: HWS",
    "100300, 1, gfx1030: MES",
    "110000, 0, gfx1100: MES",
    "120001, 0, gfx1201: MES",
  })
  void whoMapsQueuesFollowsFromTheGpuAndTheParameter(String target, String mes, String found)
      throws IOException {
    machine
        .with("sys/module/amdgpu/parameters/mes", mes)
        .gpu("gfx_target_version %s\ndrm_render_minor 128".formatted(target));
    assertThat(machine.finding("AMD queues").found()).startsWith(found);
  }

  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource({
    "GPU_MAX_HW_QUEUES, many, is no number of queues",
    "HSA_ENABLE_DEBUG, 1, debuggers",
    "HIP_VISIBLE_DEVICES, -1, hides every GPU",
    "AMD_SERIALIZE_KERNEL, 3, every launch waits",
  })
  void variablesThatSpoilItAreNamed(String name, String value, String found) {
    Finding finding = machine.variable(name, value).finding("AMD variables");
    assertThat(finding.state()).isEqualTo("warning");
    assertThat(finding.found()).contains(found);
    assertThat(finding.remedy()).contains("unset " + name);
  }

  @Test
  void twoWaysToHideGpusAreOneTooMany() {
    machine.variable("ROCR_VISIBLE_DEVICES", "0").variable("HIP_VISIBLE_DEVICES", "1");
    assertThat(machine.finding("AMD variables").found())
        .startsWith("HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES are set");
  }

  @Test
  void severalLibrariesAreAPitfall() throws IOException {
    machine.with("usr/lib/libamdhip64.so.5", "");
    assertThat(machine.finding("ROCm").state()).isEqualTo("warning");
    assertThat(machine.finding("ROCm").remedy()).contains("XSCHED_HIP_LIB");
  }

  @Test
  void xschedInCppBesideOursIsNamed() throws IOException {
    machine.with("opt/rocm/lib/libshimhip.so", "not even a library");
    assertThat(machine.finding("another XSched").found()).contains("libshimhip.so");
    assertThat(machine.finding("another XSched").remedy()).contains("LD_PRELOAD");
  }
}
