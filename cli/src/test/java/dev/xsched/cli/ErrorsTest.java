package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.queue.DeviceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class ErrorsTest {
  private final StringWriter err = new StringWriter();
  private final Errors errors =
      new Errors(
          new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false, false));

  @Test
  void aBugGivesOneLineThatSaysWhereTheStackTraceIs() throws IOException {
    int code = errors.bug(new IllegalStateException("first line\nsecond line"));
    assertThat(code).isEqualTo(1);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .contains("first line second line");
    Path trace = Path.of(err.toString().strip().replaceFirst(".* is in ", ""));
    assertThat(Files.readString(trace)).contains("at dev.xsched.cli.ErrorsTest");
    Files.delete(trace);
  }

  @Test
  void aDeviceThatIsNotThereIsNoBug() {
    assertThat(errors.explain(new DeviceException("cannot load libcuda.so.1; install it")))
        .isEqualTo(1);
    assertThat(err.toString()).isEqualTo("xsched: cannot load libcuda.so.1; install it\n");
  }

  @Test
  void aBrokenPluginIsTheUsersToMend() {
    int code = errors.badPlugin(new ServiceConfigurationError("Provider a.B not found"));
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("a.B not found").contains("XSCHED_PLUGINS");
  }
}
