package dev.xsched.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.bench.scene.Requests;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlayedTest {
  private static Played read(String queue) {
    String json = "{\"queues\":{\"a\":%s},\"cpu_ns\":7}".formatted(queue);
    return Played.of(JsonMapper.shared().readTree(json), List.of("a"), 100);
  }

  @Test
  void requestsAreTakenAsTheyAre() {
    Played played = read("{\"offered\":3,\"arrived\":[-5,20],\"done\":[10,100],\"wants\":[0,90]}");
    Played.Queue queue = played.queue("a");
    assertThat(queue.requests().latencies()).containsExactly(15, 80);
    assertThat(queue.offered()).isEqualTo(3);
    assertThat(queue.wants().length()).isEqualTo(90);
    assertThat(played.processorNanos()).isEqualTo(7);
  }

  @Test
  void firstKernelIsToldApartWhereItIsKnown() {
    String tiny =
        "{\"offered\":2,\"arrived\":[0,50],\"first\":%s,\"longest\":[3,4],\"done\":[30,90],\"wants\":[]}";
    Requests requests = read(tiny.formatted("[10,60]")).queue("a").requests();
    assertThat(requests.firsts()).containsExactly(10, 10);
    assertThat(requests.rests()).containsExactly(20, 30);
    assertThat(requests.longests()).containsExactly(3, 4);
    assertThatThrownBy(() -> read(tiny.formatted("[10]"))).hasMessageContaining("first and done");
    assertThatThrownBy(() -> read(tiny.formatted("[10,95]")))
        .hasMessageContaining("before it came");
  }

  @Test
  void countsThatCannotBeTrueAreRefused() {
    assertThatThrownBy(() -> read("{\"offered\":1,\"arrived\":[1],\"done\":[1,2],\"wants\":[]}"))
        .hasMessageContaining("differ in length");
    assertThatThrownBy(() -> read("{\"offered\":2,\"arrived\":[0,0],\"done\":[9,3],\"wants\":[]}"))
        .hasMessageContaining("out of order");
    assertThatThrownBy(() -> read("{\"offered\":1,\"arrived\":[1],\"done\":[101],\"wants\":[]}"))
        .hasMessageContaining("outside of what was measured");
    assertThatThrownBy(() -> read("{\"offered\":1,\"arrived\":[9],\"done\":[8],\"wants\":[]}"))
        .hasMessageContaining("before it came");
    assertThatThrownBy(() -> read("{\"offered\":0,\"arrived\":[],\"done\":[],\"wants\":[50,101]}"))
        .hasMessageContaining("wants are outside");
    assertThatThrownBy(() -> read("{\"arrived\":[],\"done\":[],\"wants\":[]}"))
        .hasMessageContaining("no offered");
    assertThatThrownBy(
            () -> Played.of(JsonMapper.shared().readTree("{\"cpu_ns\":1}"), List.of("a"), 100))
        .hasMessageContaining("no arrived");
  }
}
