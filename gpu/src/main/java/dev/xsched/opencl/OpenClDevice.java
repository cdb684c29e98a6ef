package dev.xsched.opencl;

import dev.xsched.gpu.DriverDevice;
import dev.xsched.gpu.Handle;
import dev.xsched.gpu.Lazy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A device of OpenCL, with a context of its own or that of a queue which a program has already. */
public final class OpenClDevice extends DriverDevice {
  private final OpenCl cl;
  private final Listing listing;
  private final MemorySegment context;
  private final Lazy<Spinner> spinner;

  /** Takes ownership of the context. */
  private OpenClDevice(OpenCl cl, Listing listing, MemorySegment context) {
    this.cl = cl;
    this.listing = listing;
    this.context = context;
    this.spinner = new Lazy<>(() -> new Spinner(cl, this, context, listing));
  }

  /** Opens the best one: the first GPU, else whatever there is. */
  public static OpenClDevice open() {
    return new OpenClProvider().open("");
  }

  static OpenClDevice open(OpenCl cl, Listing listing) {
    return new OpenClDevice(cl, listing, cl.createContext(listing.device()));
  }

  /**
   * Opens the device of a queue that exists, in that queue's context. Programs and buffers that are
   * made here can be used in that queue and in those that share its context.
   *
   * @param commandQueue a cl_command_queue
   */
  public static OpenClDevice ofQueue(MemorySegment commandQueue) {
    OpenCl cl = OpenCl.load(OpenCl.usualLibrary());
    MemorySegment device = Infos.address(cl.queueInfo(commandQueue, OpenCl.QUEUE_DEVICE));
    Listing listing =
        Listing.all(cl).stream()
            .filter(l -> l.device().equals(device))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("the queue is of a part of a device"));
    MemorySegment context = Infos.address(cl.queueInfo(commandQueue, OpenCl.QUEUE_CONTEXT));
    cl.retainContext(context);
    return new OpenClDevice(cl, listing, context);
  }

  @Override
  public String name() {
    return listing.name()
        + (listing.kind() == Listing.Kind.CPU ? " (OpenCL on the CPU)" : " (OpenCL)");
  }

  @Override
  public String key() {
    return listing.key();
  }

  @Override
  public OpenClQueue newHwQueue() {
    return new OpenClQueue(cl, cl.createQueue(context, listing.device(), 0));
  }

  /**
   * Takes a queue that exists. What the program puts into it by itself is not scheduled. It is
   * retained, and released when the result is closed.
   *
   * @param commandQueue a cl_command_queue of this device, which works in order
   */
  public OpenClQueue hwQueueOver(MemorySegment commandQueue) {
    long properties = Infos.number(cl.queueInfo(commandQueue, OpenCl.QUEUE_PROPERTIES));
    if ((properties & OpenCl.OUT_OF_ORDER) != 0) {
      throw new IllegalArgumentException(
          "this OpenCL queue works out of order; make one without that property");
    }
    cl.retainQueue(commandQueue);
    return new OpenClQueue(cl, commandQueue);
  }

  /** Builds a program from its source in OpenCL C. */
  public OpenClProgram build(String source) {
    return build(source, "");
  }

  /**
   * Builds a program.
   *
   * @param options for the compiler, such as {@code -cl-fast-relaxed-math}
   * @throws dev.xsched.queue.DeviceException with what the compiler said, if it does not build
   */
  public OpenClProgram build(String source, String options) {
    Handle program = keep("the program", cl.createProgram(context, source), cl::releaseProgram);
    try {
      program.run(address -> cl.buildProgram(address, listing.device(), options));
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
    return new OpenClProgram(this, program);
  }

  OpenClKernel newKernel(MemorySegment program, String name) {
    MemorySegment kernel = cl.createKernel(program, name);
    Handle handle = keep("kernel '%s'".formatted(name), kernel, cl::releaseKernel);
    return new OpenClKernel(cl, name, handle, cl.numberOfArguments(kernel));
  }

  /** Makes a buffer that kernels may read and write. */
  public OpenClBuffer newBuffer(long bytes) {
    MemorySegment buffer = cl.createBuffer(context, bytes);
    return new OpenClBuffer(
        cl, keep("a buffer of %d bytes".formatted(bytes), buffer, cl::releaseBuffer), bytes);
  }

  @Override
  public OpenClCommand delay(Duration time) {
    return spinner.get().spin(time.toNanos());
  }

  @Override
  protected void releaseContext() {
    cl.releaseContext(context);
  }
}
