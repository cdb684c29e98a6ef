package dev.xsched.bench.scene;

import java.time.Duration;
import java.util.Locale;

/**
 * What one request, or one iteration, asks of a device. A stage plays what it has under that name,
 * or what stands for it, and says which by {@link Stage#describe}.
 */
public sealed interface Workload {
  /** For records and for messages, such as {@code resnet152}. */
  String label();

  /** The programs of the experiments. */
  enum Named implements Workload {
    /** Inference, batch 1. */
    RESNET152,
    /** One iteration of training. */
    RESNET50_TRAINING,
    /** One request for option prices. */
    BLACK_SCHOLES,
    /** One iteration of the Euler solver. */
    CFD,
    /** One request to a served model. */
    BERT_LARGE,
    /** The same, kernel by kernel: bound by the processor that launches it. */
    BERT_LARGE_EAGER,
    /** 384 tokens, fp32. */
    BERT_BASE,
    /** The same in a batch of 8. */
    BERT_BASE_B8,
    /** Inference, batch 1. */
    RESNET18,
    /** Inference, batch 8. */
    RESNET50_B8,
    /** Inference, batch 64. */
    RESNET50_B64,
    /** Inference, batch 1024. */
    RESNET50_B1024,
    /** A task that uses as much memory bandwidth as it can get. */
    MEMORY_HUNGRY,
    /** One picture of a camera, told apart into who is in front and what is behind. */
    SEGMENTATION,
    /** A piece of speech, made ready to be written down. */
    SPEECH,
    /** One of a server's small models: 9 of 10 of its models are of this kind. */
    SERVED_SMALL,
    /** One of a server's large models. */
    SERVED_LARGE;

    @Override
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same several times, one after the other, as one request. */
  record Repeated(Named what, int times) implements Workload {
    @Override
    public String label() {
      return "%d x %s".formatted(times, what.label());
    }
  }

  /**
   * Commands of one length and nothing else, for the cost of launching and stopping.
   *
   * @param each asked-for time of one; on a device it may take longer, which is then measured
   * @param count of them in one request
   */
  record Commands(Duration each, int count) implements Workload {
    @Override
    public String label() {
      return "%d commands of %d us".formatted(count, each.toNanos() / 1_000);
    }
  }

  /**
   * Kernels that do almost nothing, each waited for before the next is launched: what a program
   * feels of being kept from the device.
   *
   * @param count of them in one request
   */
  record TinyKernels(int count) implements Workload {
    @Override
    public String label() {
      return "%d tiny kernels".formatted(count);
    }
  }
}
