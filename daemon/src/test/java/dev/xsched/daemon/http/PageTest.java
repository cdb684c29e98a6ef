package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a real browser, served by the real face, before a daemon that is none. */
@Timeout(240)
class PageTest {
  private static final List<String> NAMES = List.of("serve", "train");
  private static final String TOKEN = "/#token=" + FaceUnderTest.OWNERS_TOKEN;

  private static Browser browser;
  private final FakeControl control = FakeControl.withTwoPrograms();

  @BeforeAll
  static void findBrowser() throws Exception {
    browser = Browser.find();
  }

  private void play(String scenario, String path, FakeControl control, List<String> names)
      throws Exception {
    try (FaceUnderTest face = new FaceUnderTest(control)) {
      browser.play(scenario, face.uri(path), names);
    }
  }

  @Test
  void itShowsWhoRunsInLightInDarkAndOnAPhone() throws Exception {
    play("shows", TOKEN, control, NAMES);
  }

  @Test
  void changesReachTheDaemonAndAreShownWithTheirSource() throws Exception {
    play("edits", TOKEN, control, NAMES);
    assertThat(control.asked())
        .containsExactly(
            "hint 4712 {PRIORITY=7} WEB",
            "hint 4711/0 {DEADLINE=2500} WEB",
            "configure 4711/0 QueueConfig[windowMicros=250, windowCommands=null, windowBatch=null,"
                + " level=null]",
            "hint system {TIMESLICE=7000} WEB",
            "policy PUP");
  }

  @Test
  void whatKeepsQueuesApartIsMarkedAndToldWithItsReason() throws Exception {
    try (FaceUnderTest face = new FaceUnderTest(control)) {
      control.keepApart(1, "gate", 0, "nobody else");
      Browser.Play play = browser.start("mechanisms", face.uri(TOKEN), NAMES);
      play.await("gate is told");
      control.keepApart(1, "slices", 1, "<b>the highest</b>");
      play.end();
    }
  }

  @Test
  void withoutATokenItIsReadOnlyAndSaysHowToGetOne() throws Exception {
    play("readonly", "/", control, NAMES);
    assertThat(control.asked()).isEmpty();
  }

  @Test
  void aTokenThatIsNotValidIsTold() throws Exception {
    play("stranger", "/#token=wrong", control, NAMES);
    assertThat(control.asked()).isEmpty();
  }

  @Test
  void aHostileNameIsShownAsText() throws Exception {
    String hostile = "<img src=x onerror=globalThis.hacked=1>";
    FakeControl programs =
        new FakeControl(
            List.of(
                new FakeControl.FakeProgram(1, hostile, "<b>eve</b>", List.of("<script>", "\"'")),
                new FakeControl.FakeProgram(2, "train", "bob", List.of("stream 0"))));
    play("hostile", TOKEN, programs, List.of(hostile, "train"));
  }

  @Test
  void withoutProgramsItSaysHowToStartOne() throws Exception {
    play("empty", TOKEN, new FakeControl(List.of()), List.of());
  }

  @Test
  void priorityDecidesWhoRuns() throws Exception {
    play("live", TOKEN, control, NAMES);
  }

  @Test
  void itComesBackWhenTheDaemonDoes() throws Exception {
    Browser.Play play;
    int port;
    try (FaceUnderTest face = new FaceUnderTest(control)) {
      port = face.port();
      URI url = face.uri(TOKEN);
      play = browser.start("reconnects", url, NAMES);
      play.await("connected");
    }
    play.await("lost");
    try (FaceUnderTest again = new FaceUnderTest(control, port)) {
      assertThat(again.port()).isEqualTo(port);
      play.await("back");
      play.end();
    }
  }
}
