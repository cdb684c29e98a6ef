package dev.xsched.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WatchedBlockTest {
  @Test
  void tellsWhatIsOrderedAndWhatIsInForce() throws IOException {
    try (Block block = Block.create()) {
      WatchedBlock watched = WatchedBlock.map(Path.of("/proc/self/fd/" + block.fd()));
      assertThat(watched.sliced()).isFalse();
      block.gpu(3).orderSlice(1);
      assertThat(watched.sliced()).isTrue();
      assertThat(watched.obeys()).isFalse();
      block.gpu(3).setSliceMicros(1);
      assertThat(watched.obeys()).isTrue();
      block.gpu(3).forgetOrders();
      assertThat(watched.sliced()).as("until the program has done it").isTrue();
      block.gpu(3).setSliceMicros(0);
      assertThat(watched.sliced() || watched.obeys() || watched.interrupted()).isFalse();
    }
  }

  @Test
  void aProcessThatIsGoneHasNone() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThat(WatchedBlock.of(process.pid())).isEmpty();
  }
}
