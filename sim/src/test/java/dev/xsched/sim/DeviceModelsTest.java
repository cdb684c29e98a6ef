package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.queue.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DeviceModelsTest {
  private static final String VALID =
      """
      title = "a device"
      levels = [1, 2, 3]
      commands_at_once = 2
      launch_us = 4
      sync_us = 8.5
      delay_scale = 1.3

      [scheduler]
      kind = "round-robin"
      slice_us = 2000
      switch_us = 60
      mid_command = true

      [deactivate]
      base_us = 15
      tail_us = 1

      [interrupt]
      base_us = 22
      tail_us = 3

      [restore]
      base_us = 20
      tail_us = 0

      [task]
      title = "a task"
      host_us = 20
      jitter = 0.01
      commands = [ { count = 3, us = 10 }, { count = 1, us = 100 } ]
      """;

  @Test
  void aModelSaysWhatItsFileSays() {
    DeviceModel model = DeviceModelParser.parse("mine", "mine.toml", VALID);
    assertThat(model.name()).isEqualTo("mine");
    assertThat(model.levels()).containsExactlyInAnyOrder(Level.values());
    assertThat(model.scheduler())
        .isEqualTo(new NativeScheduler.RoundRobin(2_000_000, 60_000, true));
    assertThat(model.commandsAtOnce()).isEqualTo(2);
    assertThat(model.launchNanos()).isEqualTo(4_000);
    assertThat(model.syncNanos()).isEqualTo(8_500);
    assertThat(model.delayScale()).isEqualTo(1.3);
    assertThat(model.interrupt()).isEqualTo(new Cost(22_000, 3_000));
    assertThat(model.task().commandCount()).isEqualTo(4);
    assertThat(model.task().deviceNanos()).isEqualTo(130_000);
  }

  static Iterable<String> names() {
    return DeviceModels.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyModelThatComesWithXSchedLoads(String name) {
    DeviceModel model = DeviceModels.load(name);
    assertThat(model.name()).isEqualTo(name);
    assertThat(model.task().deviceNanos()).isPositive();
  }

  @Test
  void theNamesAreThoseOfTheFiles() throws Exception {
    Path folder = Path.of(DeviceModels.class.getResource("models/gv100.toml").toURI()).getParent();
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString().replace(".toml", "")))
          .containsExactlyInAnyOrderElementsOf(DeviceModels.names());
    }
  }

  @Test
  void aUserCanNameAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.toml");
    Files.writeString(file, VALID);
    assertThat(DeviceModels.load(file.toString()).name()).isEqualTo("mine");
  }

  @Test
  void anUnknownNameIsAnsweredWithTheChoices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceModels.load("gv10"))
        .withMessage(
            "unknown model 'gv10'; choose one of gv100, k40m, mi50, igpu, npu3720, 910b, dla, ofa,"
                + " pva, vu9p, h200, mi308x, or the path of a file that ends in .toml");
  }

  @Test
  void aMissingFileIsAnsweredWithItsName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceModels.load("no/such.toml"))
        .withMessage("there is no model file no/such.toml");
  }

  /** What is replaced in the valid file, by what, and the answer. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sync_us = 8.5 | sink_us = 8.5 | key 'sync_us' must be a number from 0.0 to 1.0E9, but is"
            + " missing",
        "delay_scale = 1.3 | delay_scale = 1.3\\nspeed = 2 | unknown key 'speed'; choose one of"
            + " commands_at_once, deactivate, delay_scale, interrupt, launch_us, levels, restore,"
            + " scheduler, sync_us, task, title",
        "switch_us = 60 | switch_us = 60\\nslices = 1 | unknown key 'scheduler.slices'; choose one"
            + " of kind, mid_command, slice_us, switch_us",
        "'round-robin' | 'lottery' | key 'scheduler.kind' must be one of fifo, round-robin,"
            + " sharing",
        "mid_command = true | mid_command = 1 | key 'scheduler.mid_command' must be true or false",
        "slice_us = 2000 | slice_us = 0 | key 'scheduler.slice_us' must be a number from 1.0 to"
            + " 1.0E9",
        "launch_us = 4 | launch_us = -4 | key 'launch_us' must be a number from 0.0 to 1.0E9",
        "commands_at_once = 2 | commands_at_once = 2.5 | key 'commands_at_once' must be an integer"
            + " from 1 to 1024",
        "[1, 2, 3] | [1, 4] | key 'levels' must be integers from 1 to 3",
        "[1, 2, 3] | [2, 3] | key 'levels' must be a list that contains 1: every device can launch"
            + " and sync",
        "[1, 2, 3] | [1, 2] | unknown key 'interrupt'; choose one of commands_at_once, deactivate,"
            + " delay_scale, launch_us, levels, scheduler, sync_us, task, title",
        "count = 3 | count = 0 | key 'task.commands[0].count' must be an integer from 1 to 1000000",
        "us = 100 | ms = 100 | key 'task.commands[1].us' must be a number from 0.001 to 1.0E9, but"
            + " is missing",
        "title = 'a task' | title = 7 | key 'task.title' must be a text",
      })
  void whatIsWrongInAFileIsSaidInOneLine(String part, String replacement, String message) {
    String text = VALID.replace(plain(part), plain(replacement));
    assertThat(text).isNotEqualTo(VALID);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceModelParser.parse("mine", "mine.toml", text))
        .withMessage("mine.toml: " + message);
  }

  private static String plain(String cell) {
    return cell.replace("'", "\"").replace("\\n", "\n");
  }

  @Test
  void whatIsNoTomlIsSaidWithItsPlace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceModelParser.parse("mine", "mine.toml", "title = \n"))
        .withMessageStartingWith("mine.toml: ")
        .withMessageContaining("line 1");
  }
}
