package dev.xsched.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar from outside brings a policy, without a line changed here. */
class OutsidePolicyTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "policy", "src");
  private static final String SERVICE = "META-INF/services/dev.xsched.policy.Policy";

  @TempDir Path temp;

  @Test
  void theExampleIsFoundAfterThoseThatComeWithXsched() throws IOException {
    try (URLClassLoader loader = loader(exampleJar())) {
      List<Policy> policies = Policies.available(loader);
      assertThat(policies).extracting(Policy::name).startsWith("HPF").endsWith("FCFS").hasSize(13);
    }
  }

  @Test
  void theExampleIsFoundByNameWhereTheThreadCanSeeIt() throws IOException {
    assertThatThrownBy(() -> Policies.named("FCFS"))
        .hasMessageContaining("unknown policy 'FCFS'; choose one of HPF,");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = loader(exampleJar())) {
      thread.setContextClassLoader(loader);
      assertThat(Policies.named("fcfs").name()).isEqualTo("FCFS");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void theExampleRunsTheQueueThatHasWaitedTheLongest() throws IOException {
    try (URLClassLoader loader = loader(exampleJar())) {
      Policy fcfs = Policies.available(loader).getLast();
      ProcessView process = new ProcessView(1, 0, 1, 0);
      List<QueueView> queues =
          Stream.of(30L, 10L, 20L)
              .map(
                  since ->
                      new QueueView(
                          since,
                          0,
                          process,
                          true,
                          since,
                          true,
                          0,
                          40,
                          0,
                          0,
                          false,
                          Hints.DEFAULT,
                          null))
              .toList();
      Decision decision =
          fcfs.decide(new Snapshot(40, queues, 1, 1, Hints.DEFAULT, new BitSet(), null));
      assertThat(List.of(decision.runs(0), decision.runs(1), decision.runs(2)))
          .containsExactly(false, true, false);
    }
  }

  @Test
  void aBrokenJarDoesNotHideTheOthers() throws IOException {
    Path broken = temp.resolve("broken.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(broken))) {
      put(jar, SERVICE, "org.example.Missing\n".getBytes(UTF_8));
    }
    try (URLClassLoader loader = loader(broken, exampleJar())) {
      assertThat(Policies.available(loader))
          .extracting(Policy::name)
          .startsWith("HPF")
          .endsWith("FCFS")
          .hasSize(13);
    }
  }

  private Path exampleJar() throws IOException {
    Path source = EXAMPLE.resolve("org/example/FirstComeFirstServed.java");
    Path classes = Files.createDirectories(temp.resolve("classes"));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                OutputStream.nullOutputStream(),
                null,
                "-Xlint:all",
                "-Werror",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(failed).isZero();
    Path file = temp.resolve("fcfs.jar");
    String name = "org/example/FirstComeFirstServed.class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      put(jar, name, Files.readAllBytes(classes.resolve(name)));
      put(jar, SERVICE, Files.readAllBytes(EXAMPLE.resolve(SERVICE)));
    }
    return file;
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  private static URLClassLoader loader(Path... jars) throws IOException {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    return new URLClassLoader(urls, Policy.class.getClassLoader());
  }
}
