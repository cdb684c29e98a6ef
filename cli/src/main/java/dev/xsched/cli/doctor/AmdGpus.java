package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The GPUs that the kernel driver can compute on, from its topology in sysfs.
 *
 * @param gpus nodes that are no processors
 * @param hidden nodes that cannot be read: in a container those that were not handed in
 */
record AmdGpus(List<Gpu> gpus, int hidden) {
  static final String TOPOLOGY = "sys/class/kfd/kfd/topology/nodes";

  /**
   * One of them.
   *
   * @param properties as the driver writes them, by name
   */
  record Gpu(Map<String, Long> properties) {
    /** Such as 90402 for gfx942: two digits each for minor version and stepping. */
    private long target() {
      return properties.getOrDefault("gfx_target_version", 0L);
    }

    long major() {
      return target() / 10_000;
    }

    /** As compilers name it; the stepping is a digit of base 16. */
    String name() {
      return "gfx%d%d%x".formatted(major(), target() / 100 % 100, target() % 100);
    }

    long renderMinor() {
      return properties.getOrDefault("drm_render_minor", 0L);
    }
  }

  static AmdGpus of(MachineFiles files) {
    List<Gpu> gpus = new ArrayList<>();
    int hidden = 0;
    for (Path node : files.list(files.at(TOPOLOGY), "[0-9]*")) {
      try {
        Gpu gpu = new Gpu(properties(Files.readAllLines(node.resolve("properties"))));
        if (gpu.target() > 0) {
          gpus.add(gpu);
        }
      } catch (IOException _) {
        hidden++;
      }
    }
    return new AmdGpus(gpus, hidden);
  }

  private static Map<String, Long> properties(List<String> lines) {
    Map<String, Long> properties = new HashMap<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length == 2 && words[1].matches("\\d{1,20}")) {
        properties.put(words[0], Long.parseUnsignedLong(words[1]));
      }
    }
    return properties;
  }
}
