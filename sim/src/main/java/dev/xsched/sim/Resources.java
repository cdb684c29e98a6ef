package dev.xsched.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The data files that come with this module: models, and the paper's results. */
public final class Resources {
  private Resources() {}

  /** Returns the text of a file, such as {@code models/gv100.toml}. */
  public static String read(String name) {
    try (InputStream in = Resources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no data file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
