"""Bert-large as one graph at 50 requests per second beside ResNet-50 without end."""
from programs import per_second, together
from record import Record, percentile

RATE = 50
ROUNDS = 3


def run(machine, seconds=4, batches=(64, 1024)):
    record = Record(
        "shim-priority",
        "A service beside a batch job: alone, native, MPS and XSched at level 1",
        high="bert-large fp16, 1 x 384 tokens, one CUDA graph, 50 requests/s, priority 10",
        low="resnet50 fp16, eager, continuous, priority 0",
        seconds=seconds,
        rounds=ROUNDS,
        level=1,
    )
    ways = {
        "native": (machine.native("high"), machine.native("low")),
        "mps": (machine.mps("high"), machine.mps("low")),
        "xsched": (machine.scheduled("high", 10), machine.scheduled("low", 0)),
    }
    for high, _ in ways.values():
        high.tell(do="load", model="bert-large", batch=1, graph=True)
    for high, _ in ways.values():
        high.answer()
    try:
        for batch in batches:
            beside(record, machine, ways, batch, seconds)
    finally:
        errors = "".join(worker.end() for way in ways.values() for worker in way)
        machine.stop_mps()
    record.criterion("lines on standard error", "= 0", len(errors.splitlines()), not errors)
    return record


def waits(machine):
    """How often and how long the low one's launches have waited at the gate."""
    queues = machine.queues("low")
    return sum(queue["gate_waits"] for queue in queues), sum(queue["gate_wait_nanos"] for queue in queues)


def note_waits(record, batch, before, after, requests):
    record.results[f"b{batch}_low_gate_waits_per_request"] = round((after[0] - before[0]) / requests, 3)
    record.results[f"b{batch}_low_gate_ms_per_request"] = round((after[1] - before[1]) / requests / 1e6, 4)


def beside(record, machine, ways, batch, seconds):
    for _, low in ways.values():
        low.tell(do="load", model="resnet50", batch=batch)
    for _, low in ways.values():
        low.answer()
    alone, low_alone = [], []
    latencies = {way: [] for way in ways}
    rates = {way: [] for way in ways}
    for _ in range(ROUNDS):
        alone += ways["native"][0].do(do="rate", seconds=seconds, rate=RATE)["latencies"]
        low_alone.append(per_second(ways["native"][1].do(do="loop", seconds=2)))
        for way, (high, low) in ways.items():
            before = waits(machine) if way == "xsched" else None
            some, rate = together(high, low, seconds, RATE)
            if before:
                note_waits(record, batch, before, waits(machine), len(some))
            latencies[way] += some
            rates[way].append(rate)
    record.latencies(f"b{batch}_high_standalone", alone)
    standalone = sum(low_alone) / len(low_alone)
    # What the service leaves: the share of time in which it has nothing on the device.
    left = 1 - RATE * percentile(alone, 50) / 1000
    record.results[f"b{batch}_low_standalone_per_second"] = round(standalone, 3)
    record.results[f"b{batch}_left_for_low_percent"] = round(100 * left, 2)
    for way in ways:
        record.latencies(f"b{batch}_high_{way}", latencies[way])
        rate = sum(rates[way]) / len(rates[way])
        record.results[f"b{batch}_low_{way}_per_second"] = round(rate, 3)
        record.results[f"b{batch}_low_{way}_percent_of_left"] = round(100 * rate / standalone / left, 2)
        record.results[f"b{batch}_high_{way}_p99_ratio"] = round(
            percentile(latencies[way], 99) / percentile(alone, 99), 4
        )
    ratio = record.results[f"b{batch}_high_xsched_p99_ratio"]
    share = record.results[f"b{batch}_low_xsched_percent_of_left"]
    contended = record.results[f"b{batch}_high_native_p99_ratio"]
    record.criterion(f"batch {batch}: native P99, contention proven", "> 1.2", contended, contended > 1.2)
    if batch == 64:
        record.criterion("batch 64: high P99 against standalone", "<= 1.10", ratio, ratio <= 1.10)
        record.criterion("batch 64: low, percent of what is left", ">= 88", share, share >= 88)
        record.criterion("batch 64: goal for high P99", "<= 1.05", ratio, ratio <= 1.05, goal_only=True)
        record.criterion("batch 64: goal for low", ">= 95", share, share >= 95, goal_only=True)
    else:
        record.notes.append(
            f"batch {batch}: high P99 {ratio}x standalone, low {share} % of what is left; "
            "level 1 waits for kernels of up to a millisecond and is not expected to be enough"
        )
