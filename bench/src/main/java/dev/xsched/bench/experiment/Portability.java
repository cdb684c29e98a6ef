package dev.xsched.bench.experiment;

import dev.xsched.bench.NativeProgram;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * 7.1.1: what it takes to support a platform, in lines, and that a program runs under the scheduler
 * at little cost.
 */
final class Portability implements Experiment {
  private static final int PLATFORM = 0;
  private static final int TABLE = 1;
  private static final int CODE = 2;

  /** Where the original's number of lines begins, such as 204 + 350. */
  private static final int ORIGINAL = 3;

  @Override
  public String id() {
    return "7.1.1";
  }

  @Override
  public String title() {
    return "Portability: lines per platform, and a program that runs";
  }

  @Override
  public String figure() {
    return "";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.peak().multipliedBy(3L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    putLines(findings, NativeProgram.folder().resolve("lines.txt"));
    RuntimeOverhead.judge(RuntimeOverhead.play(director), "at most 3.4 %", findings);
  }

  /** Lines by hand for each platform, as the build has counted them. */
  static void putLines(Findings findings, Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException _) {
      findings.note("lines per platform are not known: build them by make -C native");
      return;
    }
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length <= ORIGINAL || words[TABLE].equals("-")) {
        continue;
      }
      int sum = Integer.parseInt(words[TABLE]) + Integer.parseInt(words[CODE]);
      String original = String.join(" ", List.of(words).subList(ORIGINAL, words.length));
      int originalSum =
          Arrays.stream(original.split(" \\+ ", -1)).mapToInt(Integer::parseInt).sum();
      findings.put("lines_table_" + words[PLATFORM], Integer.parseInt(words[TABLE]));
      findings.put("lines_code_" + words[PLATFORM], Integer.parseInt(words[CODE]));
      findings.goalBelow(
          "lines for " + words[PLATFORM],
          Measure.exactly(sum),
          originalSum,
          "lines",
          "shim and adapter " + original);
    }
  }
}
