package dev.xsched.cli.doctor;

import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Drivers and device files, by their names; then the best device, which loads its driver. */
public final class DeviceChecks {
  /**
   * A kind of driver.
   *
   * @param files what must be there besides the library
   * @param remedy what to do where these are not
   */
  private record Driver(
      String name, String library, String folder, String files, String thing, String remedy) {}

  private static final String LOAD =
      "load the kernel driver, or hand the devices into the container";
  private static final String CPU = "apt-get install pocl-opencl-icd gives a CPU device";
  private static final List<Driver> DRIVERS =
      List.of(
          new Driver("NVIDIA", "libcuda.so.1", "dev", "nvidia[0-9]*", "device", LOAD),
          new Driver(
              "OpenCL",
              "libOpenCL.so.1",
              "etc/OpenCL/vendors",
              "*.icd",
              "vendor",
              "install the OpenCL driver of your device; " + CPU));

  private DeviceChecks() {}

  public static List<Finding> all(MachineFiles machine) {
    List<Finding> findings = new ArrayList<>();
    Libraries installed = new Libraries(machine);
    for (Driver driver : DRIVERS) {
      List<Path> libraries = installed.named(driver.library());
      List<Path> files = machine.list(machine.at(driver.folder()), driver.files());
      if (!libraries.isEmpty() || !files.isEmpty()) {
        findings.add(finding(driver, libraries, files));
      }
    }
    findings.addAll(new AmdChecks(machine).all(HipTable.installed()));
    if (findings.isEmpty()) {
      findings.add(
          Finding.warning(
              "drivers",
              "no libcuda, libamdhip64 or libOpenCL, and no device file",
              "install the driver of your accelerator; in a container, hand its devices in; "
                  + CPU));
    }
    findings.add(best());
    return findings;
  }

  private static Finding finding(Driver driver, List<Path> libraries, List<Path> files) {
    if (libraries.isEmpty()) {
      return Finding.warning(
          driver.name(),
          files.getFirst() + ", but no " + driver.library(),
          "install the driver's libraries, or hand them into the container");
    }
    String library = libraries.getFirst().toString();
    if (files.isEmpty()) {
      return Finding.warning(
          driver.name(), "%s, but no %s".formatted(library, driver.thing()), driver.remedy());
    }
    boolean open = files.stream().anyMatch(file -> usable(driver, file));
    return open
        ? Finding.ok(driver.name(), library + ", " + names(files))
        : Finding.problem(
            driver.name(),
            files.getFirst() + " may not be opened by you",
            "join its group (often render or video), then log in again");
  }

  private static boolean usable(Driver driver, Path file) {
    return Files.isReadable(file) && (Files.isWritable(file) || !driver.thing().equals("device"));
  }

  private static String names(List<Path> files) {
    return files.stream()
        .map(file -> String.valueOf(file.getFileName()))
        .collect(Collectors.joining(", "));
  }

  private static Finding best() {
    try (Device device = Devices.open("auto")) {
      return Finding.ok("device", device.name() + (device.simulated() ? " (simulated)" : ""));
    } catch (RuntimeException e) {
      return Finding.problem("device", "none can be opened: " + e.getMessage(), "see above");
    }
  }
}
