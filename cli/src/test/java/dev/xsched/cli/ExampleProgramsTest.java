package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.opencl.OpenClProvider;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The programs in our documents are ones that run. */
class ExampleProgramsTest {
  private final ExampleProgram twoQueues =
      new ExampleProgram("TwoQueues.java", "README.md", "// [readme]");
  private final ExampleProgram mandelbrot =
      new ExampleProgram("Mandelbrot.java", "docs/java.md", "// [docs]");

  @Test
  void theReadmeShowsItsProgramAndItRuns() throws Exception {
    twoQueues.assertThatTheDocumentShowsIt();
    assertThat(twoQueues.run()).isEqualTo("urgent is done, low still has work: READY\n");
  }

  @Test
  void theDocumentForJavaShowsItsProgram() throws IOException {
    mandelbrot.assertThatTheDocumentShowsIt();
  }

  @Test
  void theProgramForOpenClRuns() throws Exception {
    assumeTrue(
        new OpenClProvider().rank() > 0,
        "no OpenCL device here; on Debian, apt-get install pocl-opencl-icd");
    assertThat(mandelbrot.run())
        .matches("(?s)preview ready after \\d+ of 64 tiles\n.*########.*picture ready\n");
  }
}
