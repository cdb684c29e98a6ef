"""One program, six threads, six streams; with priorities, each stream is an XQueue.

Reads and answers one JSON object per line, as worker.py does:

    {"do": "load", "model": "bert-base", "batch": 8, "parts": 4}
    {"do": "alone", "requests": 20}                           seconds that one request takes
    {"do": "run", "priorities": [3, 3, 2, 2, 1, 1], "requests": 30, "period": 0.05}
"""
import ctypes
import json
import sys
import threading
import time

import torch

from worker import Job


def check(result):
    if result != 0:
        raise RuntimeError(f"XSched says {result}")


class XQueue:
    """An existing stream as an XQueue, by the C interface as it is."""

    def __init__(self, stream, priority):
        self.library = ctypes.CDLL("libxsched.so")
        hardware, self.handle = ctypes.c_uint64(), ctypes.c_uint64()
        check(self.library.CudaQueueCreate(ctypes.byref(hardware), ctypes.c_void_p(stream.cuda_stream)))
        check(self.library.XQueueCreate(ctypes.byref(self.handle), hardware, ctypes.c_int64(1), ctypes.c_int64(0)))
        check(self.library.XHintPriority(self.handle, ctypes.c_int32(priority)))

    def close(self):
        check(self.library.XQueueDestroy(self.handle))


class Task:
    """One of the six: a stream, and a network as a graph. A request replays it several times."""

    def __init__(self, load, parts):
        self.parts = parts
        self.stream = torch.cuda.Stream()
        with torch.cuda.stream(self.stream):
            self.job = Job(graph=True, **load)

    def request(self):
        with torch.cuda.stream(self.stream):
            for _ in range(self.parts):
                self.job.launch()
            self.stream.synchronize()

    def run(self, start, requests, period, latencies, failures):
        try:
            self.serve(start, requests, period, latencies)
        except Exception as failure:  # of a thread: nobody else would hear of it
            failures.append(repr(failure))

    def serve(self, start, requests, period, latencies):
        for i in range(requests):
            time.sleep(max(0, start + i * period - time.perf_counter()))
            begin = time.perf_counter()
            self.request()
            latencies.append(1000 * (time.perf_counter() - begin))


def run(tasks, priorities, requests, period):
    queues = [XQueue(task.stream, priority) for task, priority in zip(tasks, priorities or [])]
    latencies, failures = [[] for _ in tasks], []
    start = time.perf_counter() + 0.05
    threads = [
        threading.Thread(target=task.run, args=(start, requests, period, own, failures))
        for task, own in zip(tasks, latencies)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    for queue in queues:
        queue.close()
    return {"latencies": latencies, "seconds": seconds, "failures": failures}


def main():
    tasks = []
    for line in sys.stdin:
        what = json.loads(line)
        kind = what.pop("do")
        if kind == "load":
            parts = what.pop("parts")
            tasks = [Task(what, parts) for _ in range(6)]
            answer = {}
        elif kind == "alone":
            tasks[0].request()
            begin = time.perf_counter()
            for _ in range(what["requests"]):
                tasks[0].request()
            answer = {"seconds": (time.perf_counter() - begin) / what["requests"]}
        else:
            answer = run(tasks, **what)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
