"""F.2: six tasks in one program, on streams with priorities 3, 3, 2, 2, 1 and 1."""
from record import Record, percentile

PRIORITIES = [3, 3, 2, 2, 1, 1]
REQUESTS = 30
ROUNDS = 3
LOAD = 0.92  # of the device, so that it is busy and everybody still gets through


def ask(worker, priorities, period):
    answer = worker.do(do="run", priorities=priorities, requests=REQUESTS, period=period)
    if answer["failures"]:
        raise RuntimeError(f"{answer['failures'][0]}\n{worker.end()[-2000:]}")
    return answer


def run(machine):
    record = Record(
        "F.2",
        "Six XQueues in one program, three priorities",
        task="bert-base fp16, 8 x 384 tokens, as a graph; a request replays it 4 times",
        priorities=PRIORITIES,
        requests=f"{REQUESTS} a task and round, {ROUNDS} rounds, with and without priorities in turns",
        load_percent=100 * LOAD,
        level=1,
    )
    worker = machine.scheduled("six", 0, script="six_worker.py")
    worker.do(do="load", model="bert-base", batch=8, parts=4)
    alone = worker.do(do="alone", requests=20)["seconds"]
    period = 6 * alone / LOAD
    flat, by_priority = [], {3: [], 2: [], 1: []}
    busy = []
    for _ in range(ROUNDS):
        answer = ask(worker, None, period)
        flat += [latency for task in answer["latencies"] for latency in task]
        answer = ask(worker, PRIORITIES, period)
        for priority, task in zip(PRIORITIES, answer["latencies"]):
            by_priority[priority] += task
        busy.append(6 * REQUESTS * alone / answer["seconds"])
    errors = worker.end()
    record.results["request_alone_ms"] = round(1000 * alone, 3)
    record.results["device_busy_percent"] = round(100 * sum(busy) / len(busy), 1)
    record.latencies("flat", flat)
    for priority, samples in by_priority.items():
        record.latencies(f"priority_{priority}", samples)
    p99 = {priority: percentile(samples, 99) for priority, samples in by_priority.items()}
    better = 100 * (1 - p99[3] / percentile(flat, 99))
    record.criterion("device busy, percent", "> 80", record.results["device_busy_percent"], record.results["device_busy_percent"] > 80)
    record.criterion(
        "P99 strictly ordered by priority",
        "3 < 2 < 1",
        " < ".join(f"{p99[priority]:.2f}" for priority in (3, 2, 1)),
        p99[3] < p99[2] < p99[1],
    )
    record.criterion("priority 3, P99 better than flat by percent", ">= 40", round(better, 1), better >= 40)
    record.criterion("lines on standard error", "= 0", len(errors.splitlines()), not errors)
    if errors:
        record.notes.append(errors[-1000:])
    return record
