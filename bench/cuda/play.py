"""Plays networks on a GPU for `xsched bench run --device cuda`, or hip, which PyTorch calls cuda, too.

A worker in the sense of WorkerProcess.java, whose documentation has the protocol: one line of words in,
one line of JSON out. It knows nothing of scheduling, but for queues that are to be XQueues.
Weights are random, from a fixed seed, so that nothing has to be downloaded and results can be compared.
"""
import ctypes
import json
import math
import mmap
import os
import random
import struct
import sys
import threading
import time

import torch

import networks

SPIN_NANOS = 150_000
PR_SET_TIMERSLACK = 29
IN_FLIGHT = 2  # of a queue without pauses, as programs have it that prepare one batch while another runs
KEPT_NANOS = 100_000_000  # of a throttle: what a pause leaves to be used later
WHOLE = 1_000_000
PROCESSORS = 4  # for what a network does there: several programs share the machine


def wait_until(nanos):
    while True:
        left = nanos - time.monotonic_ns()
        if left <= 0:
            return
        time.sleep(max(0, left - SPIN_NANOS) / 1e9)


class Throttle:
    """A token bucket over device time; its share is set by whoever started us, in a file."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 16)
        self.tokens = 0
        self.last = time.monotonic_ns()

    def used(self, nanos):
        (count,) = struct.unpack_from("<Q", self.memory, 0)
        struct.pack_into("<Q", self.memory, 0, count + 1)
        self.tokens -= nanos

    def wait(self):
        while True:
            (share,) = struct.unpack_from("<Q", self.memory, 8)
            now = time.monotonic_ns()
            self.tokens = min(KEPT_NANOS, self.tokens + (now - self.last) * share // WHOLE)
            self.last = now
            if self.tokens >= 0 or share >= WHOLE:
                return
            time.sleep(0.0005)


class Queue:
    """A stream, and what is done on it again and again."""

    def __init__(self, workload, xqueue, priority):
        self.workload = workload
        self.times = 1
        self.stream = torch.cuda.Stream()
        self.xqueue = None
        if xqueue:
            import xsched

            self.xqueue = xsched.queue(self.stream, priority=priority)
        with torch.cuda.stream(self.stream):
            self.job = networks.job(workload)
        self.events = [torch.cuda.Event() for _ in range(IN_FLIGHT)]

    def begin(self, number):
        with torch.cuda.stream(self.stream):
            for _ in range(self.times):
                self.job.launch()
            self.events[number % IN_FLIGHT].record()

    def end(self, number):
        self.events[number % IN_FLIGHT].synchronize()
        return time.monotonic_ns()

    def close(self):
        torch.cuda.synchronize()
        if self.xqueue is not None:
            self.xqueue.close()
        self.job = None
        torch.cuda.empty_cache()  # other workers need the memory


class Part:
    """What one queue does in a scene, and what became of it."""

    def __init__(self, queue, options, start, measured_from, end, seed):
        self.queue = queue
        self.start, self.measured_from, self.last = start, measured_from, end
        self.pattern = options["pattern"]
        self.period = int(options.get("period_ns", 0))
        self.spacing, self.spread = options.get("spacing", "even"), float(options.get("spread", 0))
        self.drops = options.get("when_busy") == "drop"
        self.throttle = Throttle(options["throttle"]) if "throttle" in options else None
        self.random = random.Random(seed)
        self.offered = 0
        self.arrived, self.done, self.wants = [], [], []
        self.error = None

    def run(self):
        try:
            torch.cuda.set_device(0)
            wait_until(self.start)
            if self.pattern == "continuous":
                self.without_pauses()
            else:
                self.by_the_clock()
            torch.cuda.synchronize()
        except Exception as error:
            self.error = error

    def ended(self, arrived, done):
        if self.measured_from <= done < self.last:
            self.arrived.append(arrived - self.measured_from)
            self.done.append(done - self.measured_from)
        begin, end = max(arrived, self.measured_from), min(done, self.last)
        if begin < end:
            begin, end = begin - self.measured_from, end - self.measured_from
            if self.wants and begin <= self.wants[-1]:
                self.wants[-1] = max(end, self.wants[-1])
            else:
                self.wants += [begin, end]

    def came(self, when):
        self.offered += self.measured_from <= when < self.last

    def without_pauses(self):
        in_flight, last_done, number = [], self.start, 0
        while True:
            if self.throttle:
                self.throttle.wait()
            now = time.monotonic_ns()
            if now >= self.last:
                break
            self.came(now)
            self.queue.begin(number)
            in_flight.append((number, now))
            number += 1
            # Who pays for each request by its time cannot begin the next before it knows that.
            while len(in_flight) >= (1 if self.throttle else IN_FLIGHT):
                last_done = self.finish(in_flight.pop(0), last_done)
        for request in in_flight:
            last_done = self.finish(request, last_done)

    def finish(self, request, last_done):
        number, began = request
        done = self.queue.end(number)
        arrived = max(began, last_done)
        self.ended(arrived, done)
        if self.throttle:
            self.throttle.used(done - arrived)
        return done

    def interval(self):
        if self.spacing == "around":
            return self.period * self.random.uniform(1 - self.spread, 1 + self.spread)
        if self.spacing == "lognormal":
            return self.random.lognormvariate(math.log(self.period) - self.spread**2 / 2, self.spread)
        return self.period

    def by_the_clock(self):
        arrival = self.start if self.spacing == "even" else self.start + self.interval()
        number, done = 0, self.start
        while arrival < self.last:
            self.came(arrival)
            if not (self.drops and done > arrival):
                arrived = arrival
                if time.monotonic_ns() < arrival:
                    wait_until(arrival)
                    arrived = time.monotonic_ns()  # how late a program wakes up is not the device's doing
                if self.throttle:
                    self.throttle.wait()
                began = time.monotonic_ns()
                self.queue.begin(number)
                done = self.queue.end(number)
                number += 1
                self.ended(arrived, done)
                if self.throttle:
                    self.throttle.used(done - began)
                if done >= self.last:
                    break
            arrival += self.interval()

    def result(self):
        if self.error is not None:
            raise self.error
        return {"offered": self.offered, "arrived": self.arrived, "done": self.done, "wants": self.wants}


class Worker:
    def __init__(self):
        self.queues = {}

    def load(self, queue, workload, times="1", xqueue="0", priority="0", fresh="0"):
        loaded = self.take(workload) if fresh == "1" and xqueue == "0" else None
        if fresh == "1":
            while self.queues:
                self.queues.popitem()[1].close()
        if queue in self.queues:
            self.queues.pop(queue).close()
        if loaded is None:
            loaded = Queue(workload, xqueue == "1", int(priority))
        loaded.times = int(times)
        for number in range(3):
            loaded.begin(number)
            loaded.end(number)
        torch.cuda.synchronize()
        self.queues[queue] = loaded
        return {"describe": networks.describe(workload)}

    def take(self, workload):
        """One that is there: the same network a different number of times is nothing to load anew."""
        for name, queue in self.queues.items():
            if queue.workload == workload and queue.xqueue is None:
                return self.queues.pop(name)
        return None

    def play(self, start_ns, warmup_ns, measured_ns, seed, queues, **options):
        start = int(start_ns)
        measured_from = start + int(warmup_ns)
        end = measured_from + int(measured_ns)
        parts = {}
        for position, name in enumerate(queues.split(",")):
            own = {key[len(name) + 1 :]: value for key, value in options.items() if key.startswith(name + ".")}
            parts[name] = Part(self.queues[name], own, start, measured_from, end, 1000 * int(seed) + position)
        threads = [threading.Thread(target=part.run) for part in parts.values()]
        for thread in threads:
            thread.start()
        wait_until(measured_from)
        cpu = time.process_time_ns()
        wait_until(end)
        cpu = time.process_time_ns() - cpu
        for thread in threads:
            thread.join()
        return {"queues": {name: part.result() for name, part in parts.items()}, "cpu_ns": cpu}

    def output(self, queue):
        return {"hash": self.queues[queue].job.output()}


def main():
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1)  # threads inherit it, and wake up in time
    torch.backends.cudnn.deterministic = True
    torch.set_num_threads(PROCESSORS)
    worker = Worker()
    verbs = {"load": worker.load, "play": worker.play, "output": worker.output}
    for line in sys.stdin:
        verb, *words = line.split()
        try:
            answer = verbs[verb](**dict(word.split("=", 1) for word in words))
        except Exception as error:
            text = str(error).splitlines()
            answer = {"error": f"{verb}: {type(error).__name__} {text[0] if text else ''}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
