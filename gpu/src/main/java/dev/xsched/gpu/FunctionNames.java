package dev.xsched.gpu;

import java.util.Map;

/**
 * What a platform calls functions that another one has as well: a prefix before the usual name, and
 * some exceptions.
 */
public record FunctionNames(String prefix, Map<String, String> exceptions) {
  /** In the library. */
  String inLibrary(String usual) {
    return exceptions.getOrDefault(usual, prefix + usual);
  }

  /** As programs write it: which version of it is in use is of no interest to them. */
  String inPrograms(String usual) {
    return inLibrary(usual).replaceFirst("_v\\d+$", "");
  }
}
