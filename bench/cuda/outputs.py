"""PyTorch under XSched says what it says without it."""
from record import Record

LOADS = {
    "resnet18": dict(model="resnet18", batch=8),
    "resnet50": dict(model="resnet50", batch=8),
    "resnet152": dict(model="resnet152", batch=8),
    "resnet50_graph": dict(model="resnet50", batch=8, graph=True),
    "bert_base": dict(model="bert-base", batch=2),
    "bert_base_graph": dict(model="bert-base", batch=2, graph=True),
    "bert_large_graph": dict(model="bert-large", batch=1, graph=True),
    "resnet18_compiled": dict(model="resnet18", batch=8, compiled=True, half=False),
}


def run(machine):
    record = Record(
        "shim-outputs",
        "Unmodified PyTorch programs, with and without XSched: the same bits",
        programs=", ".join(LOADS) + ", resnet18 training with two forked data loaders",
    )
    ways = {"native": machine.native("outputs"), "xsched": machine.scheduled("outputs", 2)}
    hashes = {way: {} for way in ways}
    for name, load in LOADS.items():
        for worker in ways.values():
            worker.tell(do="load", **load)
        for worker in ways.values():
            worker.answer()
        for way, worker in ways.items():
            hashes[way][name] = worker.do(do="output")["hash"]
    for worker in ways.values():
        worker.tell(do="train", steps=8)
    for way, worker in ways.items():
        hashes[way]["training"] = worker.answer()["hash"]
    launched = sum(queue["launched"] for queue in machine.queues("outputs"))
    own = set(ways["native"].end().splitlines())
    errors = [line for line in ways["xsched"].end().splitlines() if line not in own]
    record.results["launches_counted"] = launched
    for name, digest in hashes["native"].items():
        record.results[name] = digest[:16]
        record.criterion(f"{name}: same output", digest[:16], hashes["xsched"][name][:16], digest == hashes["xsched"][name])
    record.criterion("launches that list shows", "> 1000", launched, launched > 1000)
    record.criterion("lines on standard error that are not the program's own", "= 0", len(errors), not errors)
    record.notes += errors
    return record
