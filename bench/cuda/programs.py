"""Starts workers in the ways that are compared, and talks to them."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Worker:
    """A worker.py process: plain, under XSched, or as a client of MPS."""

    def __init__(self, command, name, environment=None, script="worker.py"):
        self.name = name
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command + [sys.executable, os.path.join(HERE, script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env={**os.environ, **(environment or {})},
        )

    def tell(self, **task):
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended: {self.end()}")
        return json.loads(line)

    def do(self, **task):
        self.tell(**task)
        return self.answer()

    def end(self):
        """Ends it; returns what it wrote to its standard error."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait()
        self.errors.seek(0)
        return self.errors.read()

    def cpu_of_library(self):
        """Seconds of processor time that the threads of libxsched.so have used."""
        ticks = 0
        folder = f"/proc/{self.process.pid}/task"
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/comm") as comm, open(f"{folder}/{thread}/stat") as stat:
                if comm.read().strip().startswith("xsched"):
                    fields = stat.read().rsplit(")", 1)[1].split()
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


class Machine:
    """The three ways to run a program here."""

    def __init__(self, xsched):
        self.xsched = xsched
        self.mps_folder = None
        self.daemon = None

    def native(self, name, **options):
        return Worker([], name, **options)

    def scheduled(self, name, priority, **options):
        command = [self.xsched, "run", "--priority", str(priority), "--name", name, "--"]
        return Worker(command, name, **options)

    def mps(self, name, **options):
        self.start_mps()
        return Worker([], name, environment=self.mps_environment(), **options)

    def mps_environment(self):
        return {"CUDA_MPS_PIPE_DIRECTORY": self.mps_folder, "CUDA_MPS_LOG_DIRECTORY": self.mps_folder}

    def start_mps(self):
        if self.mps_folder is None:
            self.mps_folder = tempfile.mkdtemp(prefix="mps-")
            environment = {**os.environ, **self.mps_environment()}
            subprocess.run(["nvidia-cuda-mps-control", "-d"], env=environment, check=True)

    def stop_mps(self):
        if self.mps_folder is not None:
            environment = {**os.environ, **self.mps_environment()}
            subprocess.run(["nvidia-cuda-mps-control"], input="quit\n", text=True, env=environment)
            self.mps_folder = None

    def ask(self, command):
        """What a command of xsched says about the daemon, its programs or queues."""
        done = subprocess.run([self.xsched, command, "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def queues(self, name):
        """The queues of a program, as `xsched list` shows them."""
        return [queue for program in self.ask("list") if program["name"] == name for queue in program["queues"]]

    def daemon_cpu(self):
        """Seconds of processor time that the daemon has used."""
        if self.daemon is None:
            self.daemon = self.ask("status")["pid"]
        with open(f"/proc/{self.daemon}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def together(high, low, seconds, rate):
    """Requests at a rate beside a loop, both for the same time."""
    low.tell(do="loop", seconds=seconds)
    served = high.do(do="rate", seconds=seconds, rate=rate)
    return served["latencies"], per_second(low.answer())


def per_second(loop):
    return loop["batches"] / loop["seconds"]
