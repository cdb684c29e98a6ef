package dev.xsched.bench.worker;

import dev.xsched.bench.NativeProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the programs are that experiments start.
 *
 * @param xsched the command, as users have it
 * @param worker the worker in C
 * @param pytorch the worker in Python, for networks on CUDA
 */
public record Installation(Path xsched, Path worker, Path pytorch) {
  /** The program whose results are known. */
  Path checked() {
    return worker.resolveSibling("checked");
  }

  /** What {@code xsched run} loads into programs. */
  Path library() {
    return worker.resolveSibling("..").resolve("libxsched.so").normalize();
  }

  /**
   * Finds them: in the sources they are {@code xsched}, {@code native/target/bench/worker} and
   * {@code bench/cuda/play.py}, in an archive {@code bin/xsched}, {@code lib/bench/worker} and
   * {@code bench/cuda/play.py}. The launcher tells where native parts are.
   */
  public static Installation here() {
    String told = System.getProperty("xsched.native", "");
    Path natives = (told.isEmpty() ? NativeProgram.folder() : Path.of(told)).toAbsolutePath();
    for (@Nullable Path home = natives; home != null; home = home.getParent()) {
      for (String command : List.of("bin/xsched", "xsched")) {
        if (Files.isRegularFile(home.resolve(command))) {
          return new Installation(
              home.resolve(command),
              natives.resolve("bench/worker"),
              home.resolve("bench/cuda/play.py"));
        }
      }
    }
    throw new IllegalStateException(
        "there is no xsched command above %s; start this by ./xsched or bin/xsched"
            .formatted(natives));
  }
}
