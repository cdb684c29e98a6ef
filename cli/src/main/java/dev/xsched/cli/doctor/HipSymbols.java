package dev.xsched.cli.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which functions of HIP a library provides, of those that we stand in front of. */
final class HipSymbols {
  private static final String NAME = "HIP symbols";
  private static final int MOST_NAMED = 12;

  /** Without these no program of any version of HIP works. */
  private static final Set<String> NEEDED =
      Set.of("hipLaunchKernel", "hipModuleLaunchKernel", "hipMemcpyAsync", "hipStreamSynchronize");

  private HipSymbols() {}

  static Finding check(Path library, Optional<List<HipTable.Function>> table) {
    if (table.isEmpty()) {
      return Finding.warning(
          NAME,
          "not compared: there is no hip.table beside libxsched.so",
          "apt-get install gcc make, then again");
    }
    try {
      return judge(library, ElfSymbols.of(library), table.get());
    } catch (IOException e) {
      return Finding.problem(
          NAME, "%s cannot be read: %s".formatted(library, e.getMessage()), "install ROCm anew");
    }
  }

  private static Finding judge(Path library, ElfSymbols elf, List<HipTable.Function> table) {
    Set<String> missing = new TreeSet<>();
    Map<String, Integer> versions = new TreeMap<>();
    int launches = 0;
    for (HipTable.Function function : table) {
      String version = elf.defined().get(function.name());
      if (version == null) {
        missing.add(function.name());
      } else {
        versions.merge(version.isEmpty() ? "without version" : version, 1, Integer::sum);
        launches += function.launches() ? 1 : 0;
      }
    }
    String found =
        "%s (%s) provides %d of %d that we stand in front of, %d of them launches; versions: %s"
            .formatted(
                library,
                elf.soname().isEmpty() ? "no soname" : elf.soname(),
                table.size() - missing.size(),
                table.size(),
                launches,
                versions.entrySet().stream()
                    .map(entry -> "%s %d".formatted(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining(", ")));
    Set<String> lost = new TreeSet<>(NEEDED);
    lost.removeIf(elf.defined()::containsKey);
    if (!lost.isEmpty()) {
      return Finding.problem(
          NAME,
          "%s; missing what every program needs: %s".formatted(found, String.join(", ", lost)),
          "this is no complete HIP runtime; install ROCm, or name its library in XSCHED_HIP_LIB");
    }
    return missing.isEmpty()
        ? Finding.ok(NAME, found)
        : Finding.ok(
            NAME,
            "%s; not in this version, so no program can call them and nothing is missed: %s"
                .formatted(found, some(missing)));
  }

  private static String some(Set<String> names) {
    List<String> first = new ArrayList<>(names.stream().limit(MOST_NAMED).toList());
    int rest = names.size() - first.size();
    if (rest > 0) {
      first.add("and %d more".formatted(rest));
    }
    return String.join(", ", first);
  }
}
