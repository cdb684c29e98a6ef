package dev.xsched.bench.virtual;

import dev.xsched.bench.scene.Workload;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.TaskModel;
import dev.xsched.sim.experiment.Csv;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What each workload asks of a device model, from {@code workloads.csv}. Where nobody has measured
 * a workload on a device, that of the GV100 is scaled by how much slower the device is; so these
 * are assumptions, and each says so.
 */
final class TaskModels {
  private static final String FILE = "workloads.csv";
  private static final String REFERENCE = "gv100";
  private static final String ANY = "*";

  static final String NO_TINY_KERNELS =
      "no model has programs that wait for each kernel; measure them with --device cuda";

  /** A task and where its numbers come from. */
  record Sourced(TaskModel task, String source) {
    String describe() {
      return "%d commands, %.2f ms on the device, %.2f ms on the host; %s"
          .formatted(task.commandCount(), task.deviceNanos() / 1e6, task.hostNanos() / 1e6, source);
    }
  }

  private final DeviceModel model;

  TaskModels(DeviceModel model) {
    this.model = model;
  }

  Sourced of(Workload workload) {
    return switch (workload) {
      case Workload.Named named -> named(named);
      case Workload.Repeated(var what, int times) -> {
        Sourced once = named(what);
        yield new Sourced(once.task().repeated(times), once.source());
      }
      case Workload.Commands(var each, int count) ->
          new Sourced(
              new TaskModel(
                  workload.label(),
                  0,
                  0,
                  List.of(
                      new TaskModel.Run(count, Math.round(each.toNanos() * model.delayScale())))),
              "as asked for");
      case Workload.TinyKernels _ -> throw new IllegalArgumentException(NO_TINY_KERNELS);
    };
  }

  private Sourced named(Workload.Named workload) {
    Optional<Csv.Row> own = row(workload, model.name()).or(() -> row(workload, ANY));
    if (own.isPresent()) {
      return sourced(workload, own.get(), 1, own.get().text("source"));
    }
    Csv.Row reference = row(workload, REFERENCE).orElseThrow();
    Csv.Row speed =
        Csv.read(FILE).stream()
            .filter(r -> r.text("workload").equals("speed"))
            .filter(r -> r.text("device").equals(model.name()))
            .findFirst()
            .orElse(null);
    double factor = speed == null ? 1 : Double.parseDouble(speed.text("commands"));
    String source =
        speed == null
            ? "assumed: as on the %s".formatted(REFERENCE)
            : "assumed: %s times that of the %s (%s)"
                .formatted(speed.text("commands"), REFERENCE, speed.text("source"));
    return sourced(workload, reference, factor, source);
  }

  private Sourced sourced(Workload.Named workload, Csv.Row row, double factor, String source) {
    if (row.text("commands").equals("model")) {
      return new Sourced(model.task(), "the model's own task: " + model.task().title());
    }
    return new Sourced(
        new TaskModel(
            workload.label(),
            Math.round(row.number("host_us") * 1e3 * factor),
            row.number("jitter"),
            commands(row.text("commands"), factor)),
        source);
  }

  private static Optional<Csv.Row> row(Workload.Named workload, String device) {
    return Csv.read(FILE).stream()
        .filter(r -> r.text("workload").equals(workload.label()))
        .filter(r -> r.text("device").equals(device))
        .findFirst();
  }

  /** Runs of equal commands, such as 180x32+2x320, in microseconds. */
  private static List<TaskModel.Run> commands(String text, double factor) {
    List<TaskModel.Run> runs = new ArrayList<>();
    for (String run : text.split("\\+", -1)) {
      String[] parts = run.split("x", -1);
      runs.add(
          new TaskModel.Run(
              Integer.parseInt(parts[0]), Math.round(Double.parseDouble(parts[1]) * 1e3 * factor)));
    }
    return runs;
  }
}
