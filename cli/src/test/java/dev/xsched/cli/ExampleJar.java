package dev.xsched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** Makes the jar of a policy the way examples/policy/README.md tells its readers to. */
final class ExampleJar {
  private static final String SOURCES = "../examples/policy/src/";
  private static final String SERVICE = "META-INF/services/dev.xsched.policy.Policy";

  private ExampleJar() {}

  static void write(Path folder) throws IOException {
    Path content = Files.createDirectories(folder.resolve("content/META-INF/services"));
    Files.copy(Path.of(SOURCES + SERVICE), content.resolve("dev.xsched.policy.Policy"));
    String classPath = System.getProperty("java.class.path");
    String source = SOURCES + "org/example/FirstComeFirstServed.java";
    tool("javac", "-proc:none", "-cp", classPath, "-d", folder.resolve("content"), source);
    pack(folder);
  }

  /** Makes a jar that promises a class which is not in it. */
  static void writeBroken(Path folder) throws IOException {
    Path service = folder.resolve("content").resolve(SERVICE);
    Files.createDirectories(folder.resolve("content/META-INF/services"));
    Files.writeString(service, "no.such.Policy\n");
    pack(folder);
  }

  private static void pack(Path folder) {
    tool(
        "jar", "--create", "--file", folder.resolve("a.jar"), "-C", folder.resolve("content"), ".");
  }

  private static void tool(String name, Object... args) {
    String[] words = java.util.Arrays.stream(args).map(Object::toString).toArray(String[]::new);
    assertThat(ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, words))
        .isZero();
  }
}
