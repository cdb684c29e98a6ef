package dev.xsched.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether running waves can be saved (CWSR), and who maps queues to the hardware. */
final class AmdPreemption {
  private static final String PARAMETERS = "sys/module/amdgpu/parameters/";

  /** From here on the driver turns the micro engine scheduler on by itself. */
  private static final int MES_FROM_GFX = 11;

  private static final int MES_POSSIBLE_FROM_GFX = 10;

  private final MachineFiles files;
  private final List<AmdGpus.Gpu> gpus;

  AmdPreemption(MachineFiles files, AmdGpus gpus) {
    this.files = files;
    this.gpus = gpus.gpus();
  }

  List<Finding> all() {
    return List.of(cwsr(), queues());
  }

  private Finding cwsr() {
    Optional<String> enabled = parameter("cwsr_enable");
    if (enabled.isEmpty()) {
      return Finding.warning(
          "CWSR",
          "not known: the driver has no cwsr_enable",
          "level 3 needs an amdgpu driver with CWSR; without it programs are held back by their"
              + " launches");
    }
    if (enabled.get().equals("0")) {
      return Finding.warning(
          "CWSR",
          "off, so running kernels cannot be interrupted: no level 3",
          "echo 'options amdgpu cwsr_enable=1' | sudo tee /etc/modprobe.d/amdgpu-cwsr.conf, then"
              + " sudo update-initramfs -u, and reboot");
    }
    List<AmdGpus.Gpu> without =
        gpus.stream().filter(g -> Long.valueOf(0).equals(g.properties().get("cwsr_size"))).toList();
    if (!without.isEmpty()) {
      return Finding.warning(
          "CWSR",
          "on, but the driver has no room to save waves of " + without.getFirst().name(),
          "this GPU has no level 3; its programs are held back by their launches");
    }
    return Finding.ok("CWSR", "on" + sizes());
  }

  private String sizes() {
    return gpus.stream()
        .filter(gpu -> gpu.properties().containsKey("cwsr_size"))
        .map(
            gpu ->
                ", %d KiB a queue on %s"
                    .formatted(gpu.properties().getOrDefault("cwsr_size", 0L) / 1024, gpu.name()))
        .distinct()
        .collect(Collectors.joining());
  }

  private Finding queues() {
    String policy = parameter("sched_policy").orElse("0");
    if (policy.equals("2")) {
      return Finding.warning(
          "AMD queues",
          "sched_policy=2: no hardware scheduler, which is for debugging only: no level 3",
          "take amdgpu.sched_policy out of /etc/modprobe.d and the kernel's command line, then"
              + " reboot");
    }
    boolean asked = parameter("mes").orElse("0").equals("1");
    String who =
        gpus.stream()
            .map(gpu -> scheduler(gpu, asked))
            .distinct()
            .collect(Collectors.joining("; "));
    String found = who.isEmpty() ? "no GPU to look at" : who;
    return policy.equals("1")
        ? Finding.warning(
            "AMD queues",
            found + "; sched_policy=1: no more queues than the hardware has",
            "programs beyond that get errors; take amdgpu.sched_policy out, then reboot")
        : Finding.ok("AMD queues", found + processes());
  }

  private static String scheduler(AmdGpus.Gpu gpu, boolean asked) {
    boolean mes = gpu.major() >= MES_FROM_GFX || (asked && gpu.major() >= MES_POSSIBLE_FROM_GFX);
    return mes
        ? "%s: MES, an interrupt unmaps one queue".formatted(gpu.name())
        : "%s: HWS, an interrupt unmaps all queues of the GPU for a moment".formatted(gpu.name());
  }

  private String processes() {
    return parameter("hws_max_conc_proc")
        .filter(n -> n.matches("\\d+"))
        .map(n -> "; at most %s programs at once".formatted(n.equals("0") ? "1" : n))
        .orElse("");
  }

  private Optional<String> parameter(String name) {
    return files.text(PARAMETERS + name);
  }
}
