package dev.xsched.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.queue.XQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/** The OpenCL device of this machine, with what the tests need on it. */
final class TestDevice implements AutoCloseable {
  private static final String SOURCE =
      """
      kernel void add(global const int* a, global const int* b, global int* sum) {
        size_t i = get_global_id(0);
        sum[i] = a[i] + b[i];
      }
      kernel void advance(global int* x, int i) { *x = *x * 3 + i; }
      kernel void store(global int* out, int at, int value) { out[at] = value; }
      kernel void wide(global int* out, long value) { *out = (int) value; }
      """;

  final OpenClDevice device;
  private final OpenClProgram program;
  private final Deque<XQueue> queues = new ArrayDeque<>();

  private TestDevice(OpenClDevice device) {
    this.device = device;
    this.program = device.build(SOURCE);
  }

  /** Opens it; a test that calls this is skipped where there is none. */
  static TestDevice open() {
    OpenClProvider provider = new OpenClProvider();
    assumeTrue(
        provider.rank() > 0, "no OpenCL device here; on Debian, apt-get install pocl-opencl-icd");
    return new TestDevice(provider.open(""));
  }

  OpenClKernel kernel(String name) {
    return program.kernel(name);
  }

  XQueue newQueue() {
    XQueue queue =
        new XQueue("q" + queues.size(), device.newHwQueue(), device.syncer(), System::nanoTime);
    queues.push(queue);
    return queue;
  }

  OpenClBuffer ints(int... values) throws InterruptedException {
    OpenClBuffer buffer = device.newBuffer(4L * values.length);
    XQueue queue = newQueue();
    queue.submit(buffer.write(Arena.ofAuto().allocateFrom(ValueLayout.JAVA_INT, values)));
    queue.waitAll();
    return buffer;
  }

  /** What the buffer holds when all that was launched before has completed. */
  int[] read(OpenClBuffer buffer, XQueue queue) throws InterruptedException {
    MemorySegment host = Arena.ofAuto().allocate(buffer.size(), 4);
    OpenClCommand read = buffer.read(host);
    queue.submit(read);
    queue.wait(read);
    assertThat(read.failure()).isNull();
    return host.toArray(ValueLayout.JAVA_INT);
  }

  int[] read(OpenClBuffer buffer) throws InterruptedException {
    return read(buffer, newQueue());
  }

  @Override
  public void close() {
    queues.forEach(XQueue::close);
    device.close();
  }
}
