package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine with an MI308X, as far as files show it; tests change what they are about. */
final class AmdMachine {
  static final List<HipTable.Function> TABLE =
      HipTable.read(List.of("launch hipLaunchKernel^ i P", "sync hipStreamSynchronize i s"));

  private final Path root;
  private final Map<String, String> environment = new HashMap<>();
  private String locked = "";

  AmdMachine(Path root) throws IOException {
    this.root = root;
    with("sys/module/amdgpu/version", "6.10.5");
    with("sys/module/amdgpu/parameters/cwsr_enable", "1");
    with("sys/module/amdgpu/parameters/sched_policy", "0");
    with("sys/module/amdgpu/parameters/mes", "0");
    with("sys/module/amdgpu/parameters/hws_max_conc_proc", "-1");
    with("proc/sys/kernel/osrelease", "6.8.0-45-generic");
    with("opt/rocm/.info/version", "6.4.1-83");
    with("dev/kfd", "");
    with("dev/dri/renderD128", "");
    with(AmdGpus.TOPOLOGY + "/0/properties", "cpu_cores_count 96\ngfx_target_version 0");
    gpu("gfx_target_version 90402\ndrm_render_minor 128\ncwsr_size 34603008");
    Path jvm = Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");
    Files.createDirectories(root.resolve("opt/rocm/lib"));
    Files.createSymbolicLink(root.resolve("opt/rocm/lib/libamdhip64.so.6"), jvm);
  }

  AmdMachine with(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
    return this;
  }

  AmdMachine without(String path) throws IOException {
    Files.delete(root.resolve(path));
    return this;
  }

  AmdMachine gpu(String properties) throws IOException {
    return with(AmdGpus.TOPOLOGY + "/1/properties", properties);
  }

  AmdMachine variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** A file that the user may not open. */
  AmdMachine locked(String path) {
    locked = path;
    return this;
  }

  List<Finding> findings() {
    MachineFiles files =
        new MachineFiles(root, environment, f -> locked.isEmpty() || !f.endsWith(locked));
    return new AmdChecks(files).all(Optional.of(TABLE));
  }

  /** The first one of a name: what is unusual comes first. */
  Finding finding(String check) {
    return findings().stream()
        .filter(f -> f.check().equals(check))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no finding " + check));
  }
}
