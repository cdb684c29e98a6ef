package dev.xsched.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** Makes the jar of somebody who knows nothing of this project but its Policy interface. */
final class OutsiderJar {
  private static final String SERVICE = "META-INF/services/dev.xsched.policy.Policy";
  private static final String SOURCE =
      """
      package outsider;

      public final class OutsiderPolicy implements dev.xsched.policy.Policy {
        public String name() {
          return "OUTSIDER";
        }

        public String summary() {
          return "never asked for more";
        }

        public dev.xsched.policy.Decision decide(dev.xsched.policy.Snapshot snapshot) {
          throw new UnsupportedOperationException();
        }
      }
      """;

  private OutsiderJar() {}

  static void write(Path jar) throws IOException {
    Path folder = Files.createTempDirectory("outsider");
    Path source = Files.writeString(folder.resolve("OutsiderPolicy.java"), SOURCE);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", folder.toString(), source.toString());
    if (code != 0) {
      throw new IllegalStateException("the outsider's policy does not compile");
    }
    byte[] compiled = Files.readAllBytes(folder.resolve("outsider/OutsiderPolicy.class"));
    write(
        jar,
        Map.of(
            "outsider/OutsiderPolicy.class",
            compiled,
            SERVICE,
            "outsider.OutsiderPolicy\n".getBytes(UTF_8)));
  }

  /** Makes a jar that promises a class which is not in it. */
  static void writeBroken(Path jar) throws IOException {
    write(jar, Map.of(SERVICE, "no.such.Policy\n".getBytes(UTF_8)));
  }

  private static void write(Path jar, Map<String, byte[]> entries) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (var entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
  }
}
