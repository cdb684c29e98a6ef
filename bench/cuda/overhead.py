"""What the library costs a program that is alone on the device."""
import time

from programs import per_second
from record import Record, median

SECONDS = 0.6
# The goal in percent, rounds, and the load. What is bound by the processor that launches it is noisy.
LOADS = {
    "bert_large_graph": (1.0, 10, dict(model="bert-large", batch=1, graph=True)),
    "resnet50_batch64": (1.0, 10, dict(model="resnet50", batch=64)),
    "bert_base_eager": (2.0, 30, dict(model="bert-base", batch=1)),
}


def run(machine):
    record = Record(
        "shim-overhead",
        "A program alone, with and without XSched, in turns",
        rounds=", ".join(f"{name} {rounds}" for name, (_, rounds, _) in LOADS.items()),
        seconds=SECONDS,
        overhead="median over the rounds of the ratio within a round",
    )
    # All at once, because a program needs 20 s until it can begin; they use the device one by one.
    pairs = {name: {"native": machine.native(name), "xsched": machine.scheduled(name, 0)} for name in LOADS}
    for name, (goal, rounds, load) in LOADS.items():
        compare(record, machine, name, goal, rounds, load, pairs[name])
    return record


class Cpu:
    """Processor time of what is ours, while the program under it runs."""

    def __init__(self, machine, worker):
        self.clocks = {"library": worker.cpu_of_library, "daemon": machine.daemon_cpu}
        self.used = dict.fromkeys(self.clocks, 0.0)
        self.wall = 0.0

    def during(self, action):
        before = {name: clock() for name, clock in self.clocks.items()}
        start = time.monotonic()
        result = action()
        self.wall += time.monotonic() - start
        for name, clock in self.clocks.items():
            self.used[name] += clock() - before[name]
        return result

    def percent(self, name):
        return round(100 * self.used[name] / self.wall, 3)


def compare(record, machine, name, goal, rounds, load, workers):
    for worker in workers.values():
        worker.tell(do="load", **load)
    for worker in workers.values():
        worker.answer()
    rates = {way: [] for way in workers}
    cpu = Cpu(machine, workers["xsched"])
    for turn in range(rounds):
        # In turns, and who begins changes: the clocks of the device drift.
        for way in ("native", "xsched") if turn % 2 == 0 else ("xsched", "native"):
            loop = lambda: per_second(workers[way].do(do="loop", seconds=SECONDS))
            rates[way].append(cpu.during(loop) if way == "xsched" else loop())
    errors = "".join(worker.end() for worker in workers.values())
    ratios = [ours / plain for ours, plain in zip(rates["xsched"], rates["native"])]
    overhead = round(100 * (1 - median(ratios)), 3)
    for way, samples in rates.items():
        record.results[f"{name}_{way}_per_second"] = [round(sample, 3) for sample in samples]
    record.results[f"{name}_runtime_overhead_percent"] = overhead
    for part in cpu.clocks:
        record.results[f"{name}_cpu_of_{part}_percent"] = cpu.percent(part)
    added = round(cpu.percent("library") + cpu.percent("daemon"), 3)
    record.criterion(f"{name}: time added", f"< {goal} %", overhead, overhead < goal)
    record.criterion(f"{name}: processor time added", "< 2 %", added, added < 2)
    record.criterion(f"{name}: lines on standard error", "= 0", len(errors.splitlines()), not errors)
