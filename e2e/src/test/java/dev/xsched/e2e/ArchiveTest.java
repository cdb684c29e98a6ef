package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive that {@code ./xsched dist} makes, on a system without a JDK. */
class ArchiveTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();
  private static final String OLDEST_GLIBC = "2.31";
  private static final long MOST_BYTES = 50_000_000;

  /** What the archive is not complete without. */
  private static final List<String> PARTS =
      List.of(
          "native/target/libxsched.so",
          "native/target/xsched-probe",
          "native/target/hip.table",
          "native/include/xsched.h",
          "python/xsched",
          "native/target/bench/worker",
          "native/target/bench/kernels.cl",
          "bench/cuda/play.py");

  @TempDir private static Path folder = Path.of("");
  private static Path archive = Path.of("");
  private static Path root = Path.of("");
  private static Path control = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    archive = dist();
    var unpacked = Shell.run("tar", "-xzf", archive.toString(), "-C", folder.toString());
    assertThat(unpacked.exitCode()).as(unpacked.text()).isZero();
    root = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    control = Files.createDirectories(folder.resolve("control"));
  }

  private static Path dist() throws Exception {
    Path out = Files.createDirectories(folder.resolve("out"));
    var made = Shell.run(SOURCES.resolve("xsched").toString(), "dist", "--out", out.toString());
    assertThat(made.exitCode()).as(made.text()).isZero();
    try (Stream<Path> files = Files.list(out)) {
      return files.toList().getFirst();
    }
  }

  /** Runs what is in the archive where no JDK can be found. */
  private static Shell.Answer xsched(String... arguments) throws Exception {
    return in("exec " + root.resolve("bin/xsched") + " \"$@\"", arguments);
  }

  private static Shell.Answer in(String script, String... arguments) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of("env", "-i", "PATH=/usr/bin:/bin", "XSCHED_DIR=" + control, "sh", "-c"));
    line.addAll(List.of(script, "sh"));
    line.addAll(List.of(arguments));
    return Shell.run(line.toArray(String[]::new));
  }

  @Test
  void isSmallAndNamedAfterVersionAndMachine() throws IOException {
    assertThat(Files.size(archive)).isLessThan(MOST_BYTES);
    assertThat(archive.getFileName().toString())
        .matches("xsched-\\d+\\.\\d+\\.\\d+-linux-\\w+\\.tar\\.gz");
  }

  @Test
  void holdsWhatIsForProgramsAndExperimentsButNoMicroBenchmarks() throws IOException {
    for (String part : PARTS) {
      String place = part.replaceFirst("native/target", "lib").replaceFirst("native/", "");
      assertThat(root.resolve(place)).exists();
    }
    assertThat(root).isDirectoryContaining("glob:**/{LICENSE,README.md}");
    assertThat(root.resolve("lib/java")).isDirectoryNotContaining("glob:**/jmh*");
    assertThat(root.resolve("completion/xsched.bash")).content().contains("complete");
  }

  @Test
  void aDaemonIsServedAskedAndStopped() throws Exception {
    assertThat(xsched("--version").text()).startsWith("xsched ");
    var served = xsched("serve");
    assertThat(served.exitCode()).as(served.text()).isZero();
    assertThat(xsched("status").text()).startsWith("running: pid ");
    var listed = xsched("list", "--json");
    assertThat(listed.exitCode()).as(listed.text()).isZero();
    assertThat(listed.text()).startsWith("[");
    assertThat(xsched("stop").text()).startsWith("daemon stopped");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "env | grep -v '^_=\\|^XSCHED_AUTO' | sort",
        "for f in /proc/$$/fd/*; do [ -e $f ] && echo ${f##*/}; done",
        "ulimit -a; cat /proc/$$/coredump_filter; pwd",
      })
  void aProgramThatIsRunIsAsItWouldBeWithoutUs(String script) throws Exception {
    // Whatever a shell calls its own variables and files, a user may have such, too.
    String user = "exec 7</dev/null 12</dev/null; file=a xs=b; export file xs; cd /tmp; ";
    String plain = in(user + "exec sh -c \"$1\"", script).text();
    String run =
        in(user + "exec " + root.resolve("bin/xsched") + " run sh -c \"$1\"", script).text();
    assertThat(run).isNotEmpty().isEqualTo(plain);
    xsched("stop");
  }

  @Test
  void isFoundThroughLinksAndFromItsOwnFolder() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), root.resolve("bin/xsched"));
    Path second = Files.createSymbolicLink(folder.resolve("link2"), Path.of("link"));
    assertThat(in("exec " + link + " --version").text()).startsWith("xsched ");
    assertThat(in("cd / && exec " + second + " --version").text()).startsWith("xsched ");
    assertThat(in("cd " + root.resolve("bin") + " && sh xsched --version").text())
        .startsWith("xsched ");
  }

  @Test
  void whatNeedsTheSourcesSaysSo() throws Exception {
    assertThat(xsched("dist").text()).contains("source tree only");
    assertThat(xsched("bench", "micro").text()).contains("source tree only");
  }

  @Test
  void theJavaInItKnowsWhereItsClassesAreAfterTheMove() throws Exception {
    var shared = Shell.run(root.resolve("runtime/bin/java").toString(), "-Xshare:on", "-version");
    assertThat(shared.exitCode()).as(shared.text()).isZero();
  }

  /** A JDK that was built on a newer system makes archives for such systems only. */
  @Test
  void runsWithAnOldCLibrary() throws Exception {
    Path jvm = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
    var jdk = checkGlibc(List.of(jvm));
    assumeTrue(jdk.exitCode() == 0, "this JDK is no good for archives: " + jdk.text());
    try (Stream<Path> files = Files.walk(root)) {
      var checked = checkGlibc(files.filter(ArchiveTest::isBinary).toList());
      assertThat(checked.exitCode()).as(checked.text()).isZero();
      assertThat(checked.text()).contains("libjvm.so: glibc 2.");
    }
  }

  private static boolean isBinary(Path file) {
    String name = file.toString();
    return name.endsWith(".so")
        || name.endsWith("/xsched-probe")
        || name.endsWith("/bench/worker")
        || name.endsWith("/bench/checked")
        || name.endsWith("/bin/java");
  }

  private static Shell.Answer checkGlibc(List<Path> files) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(SOURCES.resolve("scripts/check-glibc.sh").toString());
    line.add(OLDEST_GLIBC);
    files.forEach(file -> line.add(file.toString()));
    return Shell.run(line.toArray(String[]::new));
  }

  @Test
  void theCheckOfTheCLibraryFailsWhereItShould() throws Exception {
    Path jvm = root.resolve("runtime/lib/server/libjvm.so");
    var refused =
        Shell.run(SOURCES.resolve("scripts/check-glibc.sh").toString(), "2.5", jvm.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.text()).contains("libjvm.so needs glibc 2.", "no more than 2.5 is allowed");
  }
}
