package dev.xsched.bench.worker;

import java.util.Locale;
import java.util.Optional;

/** The kinds of real device, by the interface that programs have to them. */
public enum Kind {
  OPENCL,
  CUDA,
  HIP;

  /** As users name it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns in one line why an experiment makes no sense on such a device. */
  public Optional<String> cannotRun(String experimentId) {
    return Optional.ofNullable(
        switch (experimentId) {
          case "7.2.3" -> "it needs two devices that share their memory; see it with --device sim";
          case "8.3.1", "8.3.2" ->
              "it needs an inference server, which is not driven yet; see it with --device sim";
          case "4.1.1" ->
              this == HIP
                  ? null
                  : "it is about AMD's saving of waves; run it with --device hip, or see it with"
                      + " --device sim:mi308x";
          case "4.2.1", "4.2.2" ->
              this == OPENCL
                  ? "it is about PyTorch on a GPU; run it with --device cuda or --device hip"
                  : null;
          default ->
              this != CUDA && experimentId.startsWith("N.")
                  ? "it is about an NVIDIA GPU's own preemption; run it with --device cuda"
                  : null;
        });
  }
}
