package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * The workers that are there. They are kept from scene to scene, because one with PyTorch takes
 * half a minute to start; those that were not needed for longest go when there are too many.
 */
final class Crew implements AutoCloseable {
  /** An experiment has at most nine; each keeps its memory on the device. */
  static final int MOST = 10;

  /** With PyTorch, several at once on a slow disk. */
  private static final Duration LOADING = Duration.ofMinutes(3);

  private final Path folder;
  private final SequencedMap<Recipe, WorkerProcess> kept = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new HashMap<>();
  private int started;

  /**
   * Makes an empty one.
   *
   * @param folder for what workers say on their standard error
   */
  Crew(Path folder) {
    this.folder = folder;
  }

  /** What a worker said that stands for a workload. */
  String description(String label) {
    return descriptions.getOrDefault(label, "not known: no worker has loaded it");
  }

  /** Sees that all of these run and have loaded what they play; of too many, the first ones. */
  void prepare(List<Recipe> recipes) throws StageException, InterruptedException {
    SequencedSet<Recipe> wanted = new LinkedHashSet<>();
    recipes.stream().distinct().limit(MOST).forEach(wanted::add);
    for (Recipe recipe : List.copyOf(kept.sequencedKeySet())) {
      WorkerProcess worker = kept.get(recipe);
      if (worker != null && !worker.alive()) {
        dismiss(recipe);
      }
    }
    List<Recipe> missing = wanted.stream().filter(r -> !kept.containsKey(r)).toList();
    for (Recipe recipe : wanted) {
      WorkerProcess worker = kept.get(recipe);
      if (worker != null) {
        kept.putLast(recipe, worker);
      }
    }
    try {
      Map<Recipe, WorkerProcess> fresh = new LinkedHashMap<>();
      for (Recipe recipe : missing) {
        WorkerProcess worker = takeOver(recipe, wanted);
        kept.putLast(recipe, worker);
        fresh.put(recipe, worker);
      }
      load(fresh);
    } catch (StageException | InterruptedException e) {
      missing.forEach(this::dismiss);
      throw e;
    }
  }

  /** Returns a worker, which is prepared if it is not there. */
  WorkerProcess get(Recipe recipe) throws StageException, InterruptedException {
    prepare(List.of(recipe));
    WorkerProcess worker = kept.get(recipe);
    if (worker == null) {
      throw new StageException("the worker %s is gone".formatted(recipe.name()));
    }
    return worker;
  }

  /** Ends a worker whose state is not known any more. */
  void dismiss(Recipe recipe) {
    WorkerProcess worker = kept.remove(recipe);
    if (worker != null) {
      worker.close();
    }
  }

  /** Ends what else the daemon knows: beside others, also idle ones, no program is alone. */
  void dismissAllBut(List<Recipe> needed) {
    dismissAll(
        kept.sequencedKeySet().stream()
            .filter(recipe -> !recipe.priorities().isEmpty() && !needed.contains(recipe))
            .toList());
  }

  /** Tells all before it waits for any: with PyTorch each takes a second to end. */
  private void dismissAll(List<Recipe> recipes) {
    for (Recipe recipe : recipes) {
      WorkerProcess worker = kept.get(recipe);
      if (worker != null) {
        worker.endInput();
      }
    }
    recipes.forEach(this::dismiss);
  }

  /** One that is there and not needed, if it has only to load anew; else it is started. */
  private WorkerProcess takeOver(Recipe recipe, SequencedSet<Recipe> wanted) throws StageException {
    List<Recipe> others = kept.sequencedKeySet().stream().filter(r -> !wanted.contains(r)).toList();
    for (Recipe other : others) {
      if (other.canBecome(recipe)) {
        WorkerProcess worker = kept.remove(other);
        if (worker != null) {
          worker.rename(recipe.name());
          return worker;
        }
      }
    }
    if (kept.size() >= MOST && !others.isEmpty()) {
      dismiss(others.getFirst());
    }
    return start(recipe);
  }

  private WorkerProcess start(Recipe recipe) throws StageException {
    Path errors = folder.resolve("%d-%s.err".formatted(++started, PlayLine.plain(recipe.name())));
    return WorkerProcess.start(recipe.name(), recipe.command(), recipe.environment(), errors);
  }

  /** All at once: each takes long, and none measures. */
  private void load(Map<Recipe, WorkerProcess> fresh) throws StageException, InterruptedException {
    int most = fresh.keySet().stream().mapToInt(r -> r.loads().size()).max().orElse(0);
    for (int i = 0; i < most; i++) {
      for (var entry : fresh.entrySet()) {
        if (i < entry.getKey().loads().size()) {
          // Who played in another scene before forgets what that was.
          entry.getValue().send(entry.getKey().loads().get(i) + (i == 0 ? " fresh=1" : ""));
        }
      }
      for (var entry : fresh.entrySet()) {
        if (i < entry.getKey().loads().size()) {
          String said = entry.getValue().answer(LOADING).path("describe").asString("");
          descriptions.put(workload(entry.getKey().loads().get(i)), said);
        }
      }
    }
  }

  private static String workload(String load) {
    return load.replaceFirst(".* workload=(\\S+).*", "$1");
  }

  @Override
  public void close() {
    dismissAll(List.copyOf(kept.sequencedKeySet()));
  }
}
