package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

  @Test
  void coloursNeedATerminalOnOut() {
    assertThat(terminal("out,err", Map.of()).colour()).isTrue();
    assertThat(terminal(",err", Map.of()).colour()).isFalse();
    assertThat(terminal("", Map.of()).colour()).isFalse();
  }

  @Test
  void noColorIsRespectedAndLeavesProgressAlone() {
    Terminal terminal = terminal("out,err", Map.of("NO_COLOR", "1"));
    assertThat(terminal.colour()).isFalse();
    assertThat(terminal.live()).isTrue();
    assertThat(terminal("out", Map.of("NO_COLOR", "")).colour()).isTrue();
  }

  @Test
  void aDumbTerminalGetsPlainLines() {
    Terminal terminal = terminal("out,err", Map.of("TERM", "dumb"));
    assertThat(terminal.colour()).isFalse();
    assertThat(terminal.live()).isFalse();
  }

  private static Terminal terminal(String terminals, Map<String, String> environment) {
    return Terminal.of(NOWHERE, NOWHERE, terminals, environment);
  }
}
