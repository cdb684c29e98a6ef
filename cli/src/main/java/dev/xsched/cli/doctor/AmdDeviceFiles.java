package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Whether the user can open what HIP opens: /dev/kfd and a render node for each GPU. */
final class AmdDeviceFiles {
  private static final String CONTAINER =
      "start the container with --device=/dev/kfd --device=/dev/dri --group-add render --group-add"
          + " video (a group that the image does not know: by its number on the host)";
  private static final String DRIVER = "modprobe amdgpu, and see: dmesg | grep -i kfd";

  private final MachineFiles files;

  AmdDeviceFiles(MachineFiles files) {
    this.files = files;
  }

  List<Finding> all(AmdGpus gpus) {
    List<Finding> findings = new ArrayList<>();
    findings.add(kfd());
    if (Files.exists(files.at("dev/kfd"))) {
      findings.add(renderNodes(gpus));
    }
    return findings;
  }

  private Finding kfd() {
    Path kfd = files.at("dev/kfd");
    if (!Files.exists(kfd)) {
      return Finding.warning(
          "/dev/kfd",
          "not there: no AMD GPU can be used",
          files.inContainer() ? CONTAINER : DRIVER);
    }
    return files.opens().test(kfd)
        ? Finding.ok("/dev/kfd", "can be read and written")
        : Finding.problem("/dev/kfd", "may not be opened by you", join(kfd));
  }

  private Finding renderNodes(AmdGpus gpus) {
    if (gpus.gpus().isEmpty()) {
      return Finding.problem(
          "/dev/dri",
          gpus.hidden() > 0
              ? "the driver shows none of its %d nodes".formatted(gpus.hidden())
              : "the driver knows no GPU that can compute",
          files.inContainer() ? CONTAINER : DRIVER);
    }
    List<String> good = new ArrayList<>();
    for (AmdGpus.Gpu gpu : gpus.gpus()) {
      Path node = files.at("dev/dri/renderD" + gpu.renderMinor());
      String name = "%s for %s".formatted(node.getFileName(), gpu.name());
      if (!Files.exists(node)) {
        return Finding.problem(
            "/dev/dri",
            "there is no " + name,
            files.inContainer() ? CONTAINER : "see whether udev runs, then: " + DRIVER);
      }
      if (!files.opens().test(node)) {
        return Finding.problem("/dev/dri", name + " may not be opened by you", join(node));
      }
      good.add(name);
    }
    return Finding.ok("/dev/dri", String.join(", ", good));
  }

  /** Mostly render; older systems have video. */
  private String join(Path file) {
    String group;
    try {
      group = Files.readAttributes(file, PosixFileAttributes.class).group().getName();
    } catch (IOException | UnsupportedOperationException _) {
      group = "render";
    }
    String there = files.inContainer() ? CONTAINER + "; " : "";
    return "%sjoin the groups render and video (the file's is %s): sudo usermod -aG render,video $USER, then log in again"
        .formatted(there, group);
  }
}
