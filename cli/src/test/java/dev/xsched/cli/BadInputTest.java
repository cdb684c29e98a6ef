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
          nothing                | unknown command 'nothing'; choose one of run,
          bench                  | xsched bench needs a command; choose one of list, run, compare
          bench macro            | unknown command 'macro'; choose one of list
          bench run              | ID is missing; see xsched bench run --help
          bench run 7.2.9        | unknown experiment '7.2.9'; choose all, nvidia or some of 7.2.1, 7.2.2, 7.2.3
          bench run nothing      | choose all, nvidia or some of 7.1.1
          bench run 7.2.1 --device gpu   | unknown device 'gpu'; choose opencl, cuda, hip, sim, or sim:MODEL
          bench run 7.2.1 --device sim:x | unknown model 'x'; choose one of gv100
          bench run all --quik   | did you mean --quick?
          bench validate         | --device needs a value, DEVICE; see xsched bench validate --help
          bench validate --device gpu | unknown device 'gpu'; choose one of opencl
          bench validate --device opencl --minutes 0 | give 1 to 240
          bench validate --device opencl --minutes x | xsched bench validate --help
          bench validate --device opencl --out pom.xml | cannot write to pom.xml; give --out a folder that is yours
          bench run 7.2.1 --out pom.xml | cannot write to pom.xml; give --out a folder that is yours
          bench run 7.2.1 --out /proc/a | cannot write to /proc/a; give --out
          bench daemon --quick --out /proc/a/b.json | cannot write to /proc/a; give --out
          bench shim --quick --out pom.xml | cannot write to pom.xml; give --out
          bench micro --out pom.xml | cannot write to pom.xml; give --out
          bench validate --device opencl --out /proc/1 | cannot write to /proc/1; give --out
          bench compare no such  | no is no folder; give the one that bench run wrote to
          bench compare results  | AFTER is missing
          --nothing              | unknown option '--nothing'
          policy --availible     | unknown option '--availible'; did you mean --available?
          policy --x             | choose one of --available, --json, --help
          policy HPF --available | give either a name or --available
          policy HPF CFS         | unexpected argument 'CFS'
          run                    | PROGRAM is missing; see xsched run --help
          run --                 | PROGRAM is missing
          run --priority         | --priority needs a value, N
          run --priority x true  | is no priority; give a whole number
          run --priority 256 true    | give -256 to 255
          run --utilization 101 true | give 0 to 100
          run --deadline soon true   | give a number with us, ms or s, such as 500us, 20ms or 3s
          run --deadline 20m true    | is no time
          run --deadline 20 true     | give a number with us, ms or s
          run --slo 20 true          | give a number with us, ms or s
          hint serve --laxity 5      | give a number with us, ms or s
          config serve --window 3    | give a time such as 500us
          run --timeslice 1us true   | give 100 to 10000000
          run --level 4 true     | choose auto, 1 (block), 2 (deactivate) or 3 (interrupt)
          run --threshold 0 true | is no number of commands; give 1 to 999999
          run --threshold 4 --batch 8 true | 1 <= BATCH <= THRESHOLD
          run --nice 4 true      | unknown option '--nice'
          serve --policy FIFO    | unknown policy 'FIFO'; choose one of HPF
          serve --listen 80      | give HOST:PORT, such as 127.0.0.1:8787
          serve --listen a:99999 | give HOST:PORT
          serve --limits no.toml | there is no file no.toml
          hint                   | TARGET is missing; see xsched hint --help
          hint serve             | say what to change
          hint serve --priority high | is no priority
          hint serve --timeslice 5ms | xsched hint system --timeslice
          hint system --priority 5   | name one: xsched hint 1234 --priority
          hint system --k 0      | give 1 to
          config                 | TARGET is missing
          config serve           | --window 500us or --level 1
          config serve --window 4/8  | 1 <= BATCH <= THRESHOLD
          config serve --window wide | give a time such as 500us, THRESHOLD/BATCH such as 8/4, or auto
          config serve --level best  | choose auto, 1 (block)
          completion fish        | choose bash or zsh
          status --jsn           | did you mean --json?
          top 5                  | unexpected argument '5'
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
          demo --out pom.xml     | cannot write to pom.xml; give --out a folder that is yours
          demo --out pom.xml/a   | give --out a folder that is yours
          report                 | DIR is missing; see xsched report --help
          report no/such/folder  | there is no folder no/such/folder; give one with records, or make
          report a b             | unexpected argument 'b'
          report --ot x          | unknown option '--ot'; choose one of --out, --help
          demo --sed             | unknown option '--sed'; did you mean --seconds?
          """)
  void isAnsweredInOneLineThatSaysWhatIsValid(String line, String expected) {
    assertThat(CommandLineHarness.run(line.split(" ", -1)).refusal()).contains(expected);
  }
}
