package dev.xsched.cli.report.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is known of a figure before anything is measured.
 *
 * @param about what it shows and how to read it
 * @param paper what must be said about the paper's numbers in it, or empty
 */
record FigureKind(String id, String title, Shape shape, String about, String paper) {
  /** How its numbers are best seen. */
  enum Shape {
    /** Axes as the numbers ask for. */
    PLAIN,
    /** The values by ratio. */
    LOG,
    /** Both axes are" + " logarithmic. */
    LOG_LOG,
    /** One chart for all devices, since each has only few bars. */
    TOGETHER,
    /** Bars of different units side by side say nothing: a table does. */
    TABLE
  }

  private static final List<FigureKind> ALL =
      List.of(
          new FigureKind(
              "9-top",
              "Figure 9 (top): a foreground task beside a background task, fixed priority",
              Shape.PLAIN,
              "Share of the foreground's requests that took no longer; further left is better."
                  + " Markers: P50 and P99. The paper published only these two of each run.",
              "MI50: 1.67x in the paper's raw data, 1.30x at most in its text; both are shown."),
          new FigureKind(
              "9-bottom",
              "Figure 9 (bottom): bandwidth partition 75 to 25",
              Shape.PLAIN,
              "Throughput of both sides as a part of what each has alone.",
              ""),
          new FigureKind(
              "10",
              "Figure 10: two devices that share memory bandwidth, HPF against HHPF",
              Shape.PLAIN,
              "HHPF knows that a queue on another device may be in the way, HPF does not.",
              "Paper: P99 1.09x to 1.18x of standalone under HHPF, 1.55x to 1.67x under HPF."),
          new FigureKind(
              "11a",
              "Figure 11a: preemption latency by level",
              Shape.LOG,
              "From the order to stop until the device runs nothing more of the task. Logarithmic.",
              ""),
          new FigureKind(
              "11b",
              "Figure 11b: preemption latency over command time",
              Shape.LOG_LOG,
              "Level 1 waits for what is in flight and grows with the command time; level 3 does"
                  + " not. Both axes are"
                  + " logarithmic.",
              ""),
          new FigureKind(
              "11c",
              "Figure 11c: what a threshold of commands in flight costs",
              Shape.LOG,
              "Runtime overhead falls as more commands may be in flight. The adaptive window is a"
                  + " level line. Logarithmic; what is smaller than the axis, or below zero, lies at"
                  + " its lower end.",
              ""),
          new FigureKind(
              "12a",
              "Figure 12a: runtime overhead of a task alone",
              Shape.TOGETHER,
              "How much longer the same task takes under the scheduler with nothing beside it.",
              ""),
          new FigureKind(
              "12b",
              "Figure 12b: CPU overhead",
              Shape.TOGETHER,
              "Added CPU time of program and daemon, in percent of one core.",
              ""),
          new FigureKind(
              "13-left",
              "Figure 13 (left): harvesting beside training",
              Shape.PLAIN,
              "Speed of the production job and of the opportunistic one, of that alone.",
              "Paper: medians of its raw data; its text says 0.99 and 0.20 for XSched, 0.93 and 0.07"
                  + " for TGS."),
          new FigureKind(
              "13-right",
              "Figure 13 (right): harvesting beside Black-Scholes requests",
              Shape.PLAIN,
              "Latency of the production requests and speed of the opportunistic job, of that alone.",
              "Paper: medians of its raw data; its text says 1.01x for XSched, 1.80x for vCUDA,"
                  + " 1.70x for TGS."),
          new FigureKind(
              "14",
              "Figure 14: a video conference, frames beside speech-to-text",
              Shape.PLAIN,
              "Time between frames. The goal for P99 is 100 ms.",
              "Paper: P99 of 807 ms native and 80 ms with XSched in its raw data; its text says 880"
                  + " and 95."),
          new FigureKind(
              "15a",
              "Figure 15a: two models behind one inference server",
              Shape.PLAIN,
              "Latency of the client with high priority.",
              "Paper: 1.59x, 1.54x and 0.94x of standalone in its raw data (Triton, its priority,"
                  + " with XSched); its text says 1.53x, 1.51x and 1.07x."),
          new FigureKind(
              "15b",
              "Figure 15b: P99 latency over throughput, bursts of requests with deadlines",
              Shape.LOG,
              "Lower and further right is better. Latency is logarithmic. The goal: at 1000 requests/s"
                  + " 1.3 times better than the 400 ms claimed for Paella.",
              "Paella in the paper's raw data: 202 ms at 1005 requests/s."),
          new FigureKind("F.1", "F.1: Bert-base alone, threaded and in turns", Shape.TABLE, "", ""),
          new FigureKind(
              "F.2",
              "F.2: six tasks, three priorities",
              Shape.PLAIN,
              "P99 by priority, and without priorities (flat).",
              ""),
          new FigureKind(
              "F.3", "F.3: two models, light", Shape.TABLE, "Latency of the high one.", ""),
          new FigureKind(
              "F.4", "F.4: two models, heavy", Shape.TABLE, "Latency of the high one.", ""),
          new FigureKind(
              "N.1",
              "N.1: a CUDA graph at 50 requests/s beside batches",
              Shape.PLAIN,
              "Share of the graph's requests that took no longer; further left is better.",
              ""),
          new FigureKind(
              "N.2",
              "N.2: bursts of 100 tiny kernels beside long ones",
              Shape.LOG,
              "A burst without its first kernel, against standalone. Logarithmic.",
              ""),
          new FigureKind(
              "N.3",
              "N.3: preemption as a program feels it",
              Shape.LOG_LOG,
              "What a tiny kernel takes longer than alone, by the length of the other program's"
                  + " kernels. Both axes are logarithmic; what is below zero lies at the lower end.",
              ""),
          new FigureKind(
              "N.4",
              "N.4: three priorities at once",
              Shape.PLAIN,
              "Share of requests that took no longer; who is above must not feel who is below.",
              ""),
          new FigureKind(
              "N.5",
              "N.5: a latency goal beside batches",
              Shape.PLAIN,
              "Share of the requests with the goal that took no longer.",
              ""));

  static final Comparator<String> ORDER =
      Comparator.comparingInt(FigureKind::place).thenComparing(Comparator.naturalOrder());

  /** Of a figure that we do not know, one that says no more than its name. */
  static FigureKind of(String id) {
    return ALL.stream()
        .filter(kind -> kind.id().equals(id))
        .findFirst()
        .orElse(new FigureKind(id, "Figure " + id, Shape.PLAIN, "", ""));
  }

  /** What stands below the figure. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>(List.of(about, paper));
    remarks.removeIf(String::isEmpty);
    return remarks;
  }

  private static int place(String id) {
    for (int i = 0; i < ALL.size(); i++) {
      if (ALL.get(i).id().equals(id)) {
        return i;
      }
    }
    return ALL.size();
  }
}
