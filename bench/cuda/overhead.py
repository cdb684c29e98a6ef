"""What the library costs a program that is alone on the device."""
import time

from programs import per_second
from record import Record, median

ROUNDS = 6
LOADS = {
    "bert_large_graph": (1.0, dict(model="bert-large", batch=1, graph=True)),
    "resnet50_batch64": (1.0, dict(model="resnet50", batch=64)),
    "bert_base_eager": (2.0, dict(model="bert-base", batch=1)),
}


def run(machine, seconds=1.0):
    record = Record(
        "shim-overhead",
        "A program alone, with and without XSched, in turns",
        rounds=ROUNDS,
        seconds=seconds,
    )
    # All at once, because a program needs 20 s until it can begin; they use the device one by one.
    pairs = {name: {"native": machine.native(name), "xsched": machine.scheduled(name, 0)} for name in LOADS}
    for name, (goal, load) in LOADS.items():
        compare(record, machine, name, goal, load, seconds, pairs[name])
    return record


def compare(record, machine, name, goal, load, seconds, workers):
    for worker in workers.values():
        worker.tell(do="load", **load)
    for worker in workers.values():
        worker.answer()
    rates = {way: [] for way in workers}
    cpu, wall = 0.0, 0.0
    for turn in range(ROUNDS):
        # In turns, and who begins changes: the clocks of the device drift.
        for way in ("native", "xsched") if turn % 2 == 0 else ("xsched", "native"):
            before, start = workers["xsched"].cpu_of_library() + machine.daemon_cpu(), time.monotonic()
            rates[way].append(per_second(workers[way].do(do="loop", seconds=seconds)))
            if way == "xsched":
                cpu += workers["xsched"].cpu_of_library() + machine.daemon_cpu() - before
                wall += time.monotonic() - start
    errors = "".join(worker.end() for worker in workers.values())
    overhead = 100 * (1 - median(rates["xsched"]) / median(rates["native"]))
    for way, samples in rates.items():
        record.results[f"{name}_{way}_per_second"] = [round(sample, 3) for sample in samples]
    record.results[f"{name}_runtime_overhead_percent"] = round(overhead, 3)
    record.results[f"{name}_cpu_overhead_percent"] = round(100 * cpu / wall, 3)
    record.criterion(f"{name}: time added", f"< {goal} %", round(overhead, 3), overhead < goal)
    record.criterion(f"{name}: processor time added", "< 2 %", round(100 * cpu / wall, 3), 100 * cpu / wall < 2)
    record.criterion(f"{name}: lines on standard error", "= 0", len(errors.splitlines()), not errors)
