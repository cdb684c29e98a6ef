package dev.xsched.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** AMD: driver, ROCm, device files, preemption, variables, and the symbols of HIP. */
final class AmdChecks {
  private static final String MODULE = "sys/module/amdgpu";

  private final MachineFiles files;
  private final List<Path> libraries;

  AmdChecks(MachineFiles files) {
    this.files = files;
    this.libraries = libraries(files);
  }

  private static List<Path> libraries(MachineFiles files) {
    List<Path> found = new ArrayList<>();
    files.variable("XSCHED_HIP_LIB").ifPresent(name -> found.add(Path.of(name)));
    new Libraries(files).named("libamdhip64.so*").forEach(found::add);
    return found;
  }

  /** Empty where there is nothing of AMD. */
  List<Finding> all(Optional<List<HipTable.Function>> table) {
    boolean driver = Files.exists(files.at(MODULE)) || Files.exists(files.at("dev/kfd"));
    List<Finding> findings = new ArrayList<>();
    if (driver || !libraries.isEmpty()) {
      AmdGpus gpus = AmdGpus.of(files);
      findings.add(driver());
      findings.add(rocm());
      findings.addAll(new AmdDeviceFiles(files).all(gpus));
      if (driver) {
        findings.addAll(new AmdPreemption(files, gpus).all());
      }
      findings.addAll(AmdVariables.all(files.environment()));
      libraries.stream()
          .findFirst()
          .ifPresent(library -> findings.add(HipSymbols.check(library, table)));
    }
    OtherXsched.check(files).ifPresent(findings::add);
    return findings;
  }

  private Finding driver() {
    String kernel = files.text("proc/sys/kernel/osrelease").orElse("unknown");
    return Files.exists(files.at(MODULE))
        ? Finding.ok(
            "AMD driver",
            files
                .text(MODULE + "/version")
                .map(version -> "amdgpu %s, kernel %s".formatted(version, kernel))
                .orElse("amdgpu of the kernel, " + kernel))
        : Finding.warning(
            "AMD driver",
            "amdgpu is not loaded",
            files.inContainer()
                ? "load it on the host: the container uses the host's"
                : "modprobe amdgpu; without an AMD GPU nothing is wrong");
  }

  private Finding rocm() {
    if (libraries.isEmpty()) {
      return Finding.warning(
          "ROCm",
          "there is no libamdhip64.so where the loader looks",
          "install ROCm; for one in another folder set LD_LIBRARY_PATH or XSCHED_HIP_LIB");
    }
    Path library = libraries.getFirst();
    if (!Files.isReadable(library)) {
      return Finding.problem(
          "ROCm", library + " cannot be read", "set XSCHED_HIP_LIB to a library that is there");
    }
    String found = "%s, %s".formatted(version(), Libraries.real(library));
    return libraries.size() == 1
        ? Finding.ok("ROCm", found)
        : Finding.warning(
            "ROCm",
            "%s; and also %s".formatted(found, libraries.get(1)),
            "programs may load another one than you think (PyTorch brings its own); take one away,"
                + " or name the right one in XSCHED_HIP_LIB");
  }

  private String version() {
    List<Path> homes = new ArrayList<>();
    files.variable("ROCM_PATH").ifPresent(path -> homes.add(Path.of(path)));
    homes.add(files.at("opt/rocm"));
    homes.addAll(files.list(files.at("opt"), "rocm-*"));
    return homes.stream()
        .flatMap(home -> files.text(home.resolve(".info/version").toString()).stream())
        .findFirst()
        .map(version -> "version " + version)
        .orElse("no /opt/rocm/.info/version");
  }
}
