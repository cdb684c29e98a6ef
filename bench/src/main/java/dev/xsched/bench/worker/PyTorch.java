package dev.xsched.bench.worker;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether networks are played by PyTorch: always on CUDA; on HIP, where PyTorch calls the device
 * "cuda" as well, if one for ROCm is installed. Else the worker in C has networks of its own.
 */
final class PyTorch {
  private static final String LOOK =
      "import sys, torch; sys.exit(0 if torch.version.hip and torch.cuda.is_available() else 1)";

  private final Kind kind;
  private final BooleanSupplier hasRocm;
  private @Nullable Boolean known;

  PyTorch(Kind kind) {
    this(kind, () -> Shell.tryRun(List.of("python3", "-c", LOOK), Map.of(), "").isPresent());
  }

  PyTorch(Kind kind, BooleanSupplier hasRocm) {
    this.kind = kind;
    this.hasRocm = hasRocm;
  }

  boolean playsNetworks() {
    return switch (kind) {
      case OPENCL -> false;
      case CUDA -> true;
      case HIP -> hasRocm();
    };
  }

  /** Returns in one line why an experiment that is about PyTorch cannot be run. */
  Optional<String> cannotRun(String experimentId) {
    return experimentId.startsWith("4.2.") && kind == Kind.HIP && !hasRocm()
        ? Optional.of(
            "it is about PyTorch, and python3 has none that finds a GPU by ROCm; install one:"
                + " pip install torch torchvision transformers, from the index for your ROCm")
        : Optional.empty();
  }

  /** Looks once: it takes seconds. */
  private synchronized boolean hasRocm() {
    Boolean looked = known;
    if (looked == null) {
      looked = hasRocm.getAsBoolean();
      known = looked;
    }
    return looked;
  }
}
