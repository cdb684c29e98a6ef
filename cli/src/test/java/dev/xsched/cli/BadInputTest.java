package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input gives one line that names the valid choices, exit code 2 and no stack trace. */
class BadInputTest {
  @ParameterizedTest(name = "xsched {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                | unknown command 'nothing'; choose one of policy
          --nothing              | unknown option '--nothing'
          policy                 | xsched policy --available
          policy --availible     | unknown option '--availible'; did you mean --available?
          policy --x             | choose one of --available, --json, --help
          policy HPF             | unexpected argument 'HPF'
          policy --available=yes | see xsched policy --help
          """)
  void isAnsweredInOneLineThatSaysWhatIsValid(String line, String expected) {
    var outcome = CommandLineHarness.run(line.split(" ", -1));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .startsWith("xsched: ")
        .contains(expected)
        .doesNotContain("Exception");
  }
}
