package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.policy.Policies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedHintsTest {
  private final Path file;

  SavedHintsTest(@TempDir Path folder) {
    file = folder.resolve("state.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"policy\":\"HPF\"}",
        "{\"policy\":\"HPF\",\"system\":{\"x\":{\"value\":1,\"source\":\"REST\"}},\"programs\":[]}",
        "{\"policy\":\"HPF\",\"system\":{\"timeslice\":{\"value\":1,\"source\":\"REST\"}},"
            + "\"programs\":[]}",
        "{\"policy\":\"HPF\",\"system\":{\"timeslice\":{\"value\":500,\"source\":\"x\"}},"
            + "\"programs\":[]}",
        "{\"policy\":\"HPF\",\"system\":{},\"programs\":[{\"pid\":1,\"start_ticks\":1}]}",
        "{\"policy\":\"HPF\",\"system\":{},\"programs\":[null]}"
      })
  void nonsenseInTheFileIsAsGoodAsNoFile(String content) throws Exception {
    Files.writeString(file, content);
    assertThat(SavedHints.read(file).policy()).isNull();
  }

  @Test
  void twoWhoWriteAtOnceLeaveOneWholeFile() throws Exception {
    SavedHints saved = SavedHints.read(file);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String policy = "P".repeat(1 + 1_000 * i);
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < 30; j++) {
                      saved.write(() -> new SavedHints.Content(policy, Map.of(), List.of()));
                    }
                  }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(SavedHints.read(file).policy()).matches("P+");
    assertThat(file.resolveSibling("state.json.new")).doesNotExist();
  }

  @Test
  void aProcessThatTheDaemonCannotSeeInheritsNothing() throws Exception {
    Files.writeString(
        file,
        """
        {"policy":"HPF","system":{},"programs":[{"pid":0,"start_ticks":0,
          "hints":{"priority":{"value":9,"source":"REST"}},"queues":[]}]}
        """);
    SavedHints saved = SavedHints.read(file);
    assertThat(saved.policy()).isEqualTo("HPF");
    int uid = ControlDirectory.ownUid();
    Dispatcher dispatcher = new Dispatcher(Policies.named("HPF"), uid, Limits.NONE, saved);
    Block block = Block.create();
    block.slot(0).use("queue", "device", 1, false);
    dispatcher.admit(new PacketSocket.Peer(0, uid, uid), "program", block);
    assertThat(dispatcher.look(() -> dispatcher.scheduler().queue(1).hints().priority())).isZero();
    dispatcher.close();
  }
}
