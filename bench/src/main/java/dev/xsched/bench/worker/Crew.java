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
  private final boolean atOnce;
  private final SequencedMap<Recipe, Worker> kept = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new HashMap<>();
  private int started;

  /**
   * Makes an empty one.
   *
   * @param folder for what workers say on their standard error
   * @param atOnce whether several may load at once; not where loading measures the device
   */
  Crew(Path folder, boolean atOnce) {
    this.folder = folder;
    this.atOnce = atOnce;
  }

  /** What a worker said that stands for a workload, by the workload as the protocol has it. */
  String description(String workload) {
    return descriptions.getOrDefault(workload, "not known: no worker has loaded it");
  }

  /** Sees that all of these run and have loaded what they play; of too many, the first ones. */
  void prepare(List<Recipe> recipes) throws StageException, InterruptedException {
    SequencedSet<Recipe> wanted = new LinkedHashSet<>();
    recipes.stream().distinct().limit(MOST).forEach(wanted::add);
    for (Recipe recipe : List.copyOf(kept.sequencedKeySet())) {
      Worker worker = kept.get(recipe);
      if (worker != null && !worker.alive()) {
        dismiss(recipe);
      }
    }
    List<Recipe> missing = wanted.stream().filter(r -> !kept.containsKey(r)).toList();
    makeRoom(missing.size(), wanted);
    for (Recipe recipe : wanted) {
      Worker worker = kept.get(recipe);
      if (worker != null) {
        kept.putLast(recipe, worker);
      }
    }
    try {
      Map<Recipe, Worker> fresh = new LinkedHashMap<>();
      for (Recipe recipe : missing) {
        Worker worker = start(recipe);
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
  Worker get(Recipe recipe) throws StageException, InterruptedException {
    prepare(List.of(recipe));
    Worker worker = kept.get(recipe);
    if (worker == null) {
      throw new StageException("the worker %s is gone".formatted(recipe.name()));
    }
    return worker;
  }

  /** Ends a worker whose state is not known any more. */
  void dismiss(Recipe recipe) {
    Worker worker = kept.remove(recipe);
    if (worker != null) {
      worker.close();
    }
  }

  private void makeRoom(int needed, SequencedSet<Recipe> wanted) {
    for (Recipe recipe : List.copyOf(kept.sequencedKeySet())) {
      if (kept.size() + needed > MOST && !wanted.contains(recipe)) {
        dismiss(recipe);
      }
    }
  }

  private Worker start(Recipe recipe) throws StageException {
    Path errors = folder.resolve("%d-%s.err".formatted(++started, PlayLine.plain(recipe.name())));
    return Worker.start(recipe.name(), recipe.command(), recipe.environment(), errors);
  }

  private void load(Map<Recipe, Worker> fresh) throws StageException, InterruptedException {
    int most = fresh.keySet().stream().mapToInt(r -> r.loads().size()).max().orElse(0);
    for (int i = 0; i < most; i++) {
      for (var entry : fresh.entrySet()) {
        if (i < entry.getKey().loads().size()) {
          entry.getValue().send(entry.getKey().loads().get(i));
          if (!atOnce) {
            loaded(entry.getKey().loads().get(i), entry.getValue());
          }
        }
      }
      for (var entry : fresh.entrySet()) {
        if (atOnce && i < entry.getKey().loads().size()) {
          loaded(entry.getKey().loads().get(i), entry.getValue());
        }
      }
    }
  }

  private void loaded(String line, Worker worker) throws StageException, InterruptedException {
    String said = worker.answer(LOADING).path("describe").asString("");
    descriptions.put(
        line.replaceFirst("load queue=\\S+ ", "").replaceFirst(" xqueue=.*", ""), said);
  }

  @Override
  public void close() {
    List.copyOf(kept.sequencedKeySet()).forEach(this::dismiss);
  }
}
