import dev.xsched.opencl.OpenClBuffer;
import dev.xsched.opencl.OpenClCommand;
import dev.xsched.opencl.OpenClDevice;
import dev.xsched.opencl.OpenClKernel;
import dev.xsched.opencl.Range;
import dev.xsched.policy.Hint;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/** A large picture is computed on an OpenCL device, and a small one must not wait for it. */
final class Mandelbrot {
  private static final String SOURCE =
      """
      kernel void mandelbrot(global int* picture, int firstRow, int width, float step) {
        int row = firstRow + get_global_id(1);
        int column = get_global_id(0);
        float a = -2.2f + column * step, b = -1.5f + row * step, x = 0, y = 0;
        int n = 0;
        for (; n < 1000 && x * x + y * y < 4; n++) {
          float next = x * x - y * y + a;
          y = 2 * x * y + b;
          x = next;
        }
        picture[row * width + column] = n;
      }
      """;

  private static final int SIZE = 1024;
  private static final int TILES = 64;
  private static final int PREVIEW = 64;

  public static void main(String[] args) throws InterruptedException {
    // [docs]
    try (OpenClDevice device = OpenClDevice.open();
        LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      XQueue background = scheduler.newQueue(device, "background");
      XQueue urgent = scheduler.newQueue(device, "urgent");
      scheduler.hint(urgent, Hint.PRIORITY, 10);

      OpenClKernel kernel = device.build(SOURCE).kernel("mandelbrot");
      OpenClBuffer picture = device.newBuffer(4L * SIZE * SIZE);
      AtomicInteger done = new AtomicInteger();
      int rows = SIZE / TILES;
      for (int tile = 0; tile < TILES; tile++) {
        OpenClCommand command =
            kernel.over(Range.of(SIZE, rows), picture, tile * rows, SIZE, 3f / SIZE);
        background.submit(command.onFinish(done::incrementAndGet));
      }

      OpenClBuffer preview = device.newBuffer(4L * PREVIEW * PREVIEW);
      MemorySegment pixels = Arena.ofAuto().allocate(ValueLayout.JAVA_INT, PREVIEW * PREVIEW);
      OpenClCommand read = preview.read(pixels);
      urgent.submit(
          kernel.over(Range.of(PREVIEW, PREVIEW), preview, 0, PREVIEW, 3f / PREVIEW));
      urgent.submit(read);
      urgent.wait(read); // background launches no further tile before this

      System.out.println("preview ready after " + done + " of " + TILES + " tiles");
      print(pixels);
      background.waitAll();
      System.out.println("picture ready");
    }
    // [docs]
  }

  private static void print(MemorySegment pixels) {
    for (int row = 0; row < PREVIEW; row += 4) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < PREVIEW; column += 2) {
        int n = pixels.getAtIndex(ValueLayout.JAVA_INT, row * PREVIEW + column);
        line.append(n == 1000 ? '#' : n > 5 ? '.' : ' ');
      }
      System.out.println(line);
    }
  }
}
