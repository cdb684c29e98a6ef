package dev.xsched.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.queue.Command;
import dev.xsched.queue.DeviceException;
import dev.xsched.queue.XQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong is said with OpenCL's own name for it and a remedy. */
class OpenClErrorsTest {
  private final TestDevice test = TestDevice.open();

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void aProgramThatDoesNotBuildSaysWhatTheCompilerSaid() {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> test.device.build("kernel void k() { undeclared = 1; }"))
        .withMessageContaining("CL_BUILD_PROGRAM_FAILURE")
        .withMessageContaining("undeclared");
  }

  @Test
  void anUnknownKernelIsNamed() {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> test.kernel("nothing"))
        .withMessage(
            "clCreateKernel for 'nothing': CL_INVALID_KERNEL_NAME;"
                + " the program has no kernel of that name");
  }

  @Test
  void aWrongNumberOfArgumentsIsRefusedAtOnce() throws InterruptedException {
    OpenClBuffer out = test.ints(0);
    OpenClKernel store = test.kernel("store");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.over(Range.of(1), out))
        .withMessage("kernel 'store' has 3 parameters and was given 1 arguments");
  }

  @Test
  void anArgumentOfTheWrongTypeFailsItsCommandAndNoOther() throws InterruptedException {
    OpenClBuffer out = test.ints(0);
    XQueue queue = test.newQueue();
    Command wrong = test.kernel("wide").over(Range.of(1), out, 5);
    Command right = test.kernel("wide").over(Range.of(1), out, 6L);
    Stream.of(wrong, right).forEach(queue::submit);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(wrong))
        .havingCause()
        .withMessageContaining(
            "argument 1 of kernel 'wide': CL_INVALID_ARG_SIZE; its type differs");
    assertThat(wrong.state()).isEqualTo(Command.State.FAILED);
    assertThat(test.read(out, queue)).containsExactly(6);
  }

  @Test
  void aGroupThatDoesNotFitFailsItsCommand() throws InterruptedException {
    OpenClBuffer out = test.ints(0);
    XQueue queue = test.newQueue();
    Command command = test.kernel("store").over(Range.of(1000).inGroupsOf(1_000_000), out, 0, 1);
    queue.submit(command);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(command))
        .havingCause()
        .withMessageStartingWith("kernel 'store': CL_INVALID_WORK_");
  }

  @Test
  void aBufferThatWasClosedTooEarlyFailsTheCommandAndNotTheProgram() throws InterruptedException {
    OpenClBuffer out = test.ints(0);
    XQueue queue = test.newQueue();
    Command command = test.kernel("store").over(Range.of(1), out, 0, 1);
    out.close();
    queue.submit(command);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(command))
        .havingCause()
        .withMessageContaining("a buffer of 4 bytes is closed");
  }

  @Test
  void anEnqueueOfTheUsersThatFailsIsNamed() throws InterruptedException {
    XQueue queue = test.newQueue();
    Command command = OpenClCommand.of("my copy", (_, _) -> -30);
    queue.submit(command);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(command))
        .havingCause()
        .withMessageStartingWith("my copy: CL_INVALID_VALUE");
  }

  @Test
  void memoryThatAnotherThreadCannotTouchIsRefusedAtOnce() throws InterruptedException {
    OpenClBuffer buffer = test.ints(0);
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment own = confined.allocate(4);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> buffer.read(own))
          .withMessageContaining("Arena.ofShared()");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.write(MemorySegment.ofArray(new int[1])));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffer.read(Arena.ofAuto().allocate(8)))
        .withMessageContaining("the segment has 8 bytes, the buffer 4");
  }

  @Test
  void aForeignCommandIsRefused() {
    XQueue queue = test.newQueue();
    Command foreign = new Command();
    queue.submit(foreign);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(foreign))
        .havingCause()
        .withMessageContaining("an OpenCL queue cannot execute a Command");
  }

  @Test
  void aBufferOfNothingIsRefused() {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> test.device.newBuffer(0))
        .withMessageContaining("CL_INVALID_BUFFER_SIZE; give more than 0 bytes");
  }

  @Test
  void aDeviceThatIsNotThereIsAnsweredWithThoseThatAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OpenClProvider().open("99"))
        .withMessageStartingWith("there is no OpenCL device '99'; choose opencl:0 (");
    assertThatIllegalArgumentException().isThrownBy(() -> new OpenClProvider().open("x"));
  }

  @Test
  void everyCodeHasItsName() {
    assertThat(OpenClErrors.name(-1)).isEqualTo("CL_DEVICE_NOT_FOUND");
    assertThat(OpenClErrors.name(-19)).isEqualTo("CL_KERNEL_ARG_INFO_NOT_AVAILABLE");
    assertThat(OpenClErrors.name(-30)).isEqualTo("CL_INVALID_VALUE");
    assertThat(OpenClErrors.name(-54)).isEqualTo("CL_INVALID_WORK_GROUP_SIZE");
    assertThat(OpenClErrors.name(-72)).isEqualTo("CL_MAX_SIZE_RESTRICTION_EXCEEDED");
    assertThat(OpenClErrors.name(-25)).isEqualTo("OpenCL error -25");
    assertThat(OpenClErrors.name(-1001)).isEqualTo("CL_PLATFORM_NOT_FOUND_KHR");
  }
}
