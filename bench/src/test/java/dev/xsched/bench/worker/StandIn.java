package dev.xsched.bench.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker that plays nothing: it says always the same, or misbehaves if a queue of that name is to
 * play. What it hears lies beside it, one file for each process.
 */
final class StandIn {
  private static final String SCRIPT =
      """
      #!/bin/sh
      while read -r line; do
        echo "$line" >> "$0.$$"
        case $line in
          play*queues=crash*) echo 'out of memory' >&2; exit 9 ;;
          play*queues=nonsense*) echo 'Segmentation fault' ;;
          play*queues=liar*) echo '{"queues":{"liar":{"offered":1,"arrived":[0],"done":[999999999999],\
      "wants":[]}},"cpu_ns":1}' ;;
          play*) echo '{"queues":{"a":{"offered":3,"arrived":[-1000000,20000000],\
      "done":[10000000,50000000],"wants":[0,60000000]},\
      "b":{"offered":0,"arrived":[],"done":[],"wants":[40000000,100000000]}},"cpu_ns":25000000}' ;;
          load*) echo '{"describe":"a stand-in","rounds":7}' ;;
          *) echo '{"error":"no such verb"}' ;;
        esac
      done
      """;

  private final Path script;

  private StandIn(Path script) {
    this.script = script;
  }

  static StandIn in(Path folder) throws IOException {
    Path script = folder.resolve("worker");
    Files.writeString(script, SCRIPT);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return new StandIn(script);
  }

  Installation installation() {
    return new Installation(Path.of("/no/such/xsched"), script, Path.of("/no/such/play.py"));
  }

  /** What each of its processes has heard. */
  List<List<String>> heard() throws IOException {
    try (var files = Files.list(script.resolveSibling(""))) {
      List<Path> logs =
          files.filter(f -> f.getFileName().toString().startsWith("worker.")).sorted().toList();
      List<List<String>> all = new ArrayList<>();
      for (Path log : logs) {
        all.add(Files.readAllLines(log));
      }
      return all;
    }
  }
}
