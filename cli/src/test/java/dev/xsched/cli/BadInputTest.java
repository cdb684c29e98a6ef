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
          nothing                | unknown command 'nothing'; choose one of demo,
          bench                  | xsched bench needs a command; choose one of micro
          bench macro            | unknown command 'macro'; choose one of micro
          --nothing              | unknown option '--nothing'
          policy                 | xsched policy --available
          policy --availible     | unknown option '--availible'; did you mean --available?
          policy --x             | choose one of --available, --json, --help
          policy HPF             | unexpected argument 'HPF'
          policy --available=yes | see xsched policy --help
          demo --seconds         | --seconds needs a value, N
          demo --seconds 0       | give a whole number from 1 to 3600
          demo --seconds -1      | give a whole number from 1 to 3600
          demo --seconds abc     | give a whole number from 1 to 3600
          demo --seconds 1       | give 6 or more
          demo --policy FIFO     | unknown policy 'FIFO'; choose one of HPF, HHPF,
          demo --priority 256    | give a whole number from -256 to 255
          demo --priority high   | give a whole number from -256 to 255
          demo --device gpu      | unknown device 'gpu'; choose auto, sim[:MODEL]
          demo --device sim:x    | unknown model 'x'; choose one of gv100
          demo --device sim:a.toml  | there is no model file a.toml
          demo --out no/such/folder | give --out a file in a folder that exists
          demo --out .           | give --out a file in a folder that exists
          demo --sed             | unknown option '--sed'; did you mean --seconds?
          """)
  void isAnsweredInOneLineThatSaysWhatIsValid(String line, String expected) {
    assertThat(CommandLineHarness.run(line.split(" ", -1)).refusal()).contains(expected);
  }
}
