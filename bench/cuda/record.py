"""Writes the record of an experiment: what was measured, on what, and whether it meets its goals."""
import datetime
import json
import os
import platform
import subprocess
import sys


def percentile(samples, percent):
    """The smallest sample that so many percent of all do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def median(samples):
    return percentile(samples, 50)


def smi(field):
    done = subprocess.run(
        ["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader"], capture_output=True, text=True
    )
    return done.stdout.splitlines()[0].strip() if done.stdout else "unknown"


class Record:
    def __init__(self, test_id, test_name, **configuration):
        self.fields = {"test_id": test_id, "test_name": test_name}
        self.configuration = configuration
        self.results = {}
        self.criteria = []
        self.notes = []

    def criterion(self, name, goal, value, passed, goal_only=False):
        """What was asked for; a goal that was only hoped for does not decide whether all is well."""
        criterion = {"name": name, "goal": goal, "value": value, "pass": bool(passed)}
        self.criteria.append({**criterion, "goal_only": True} if goal_only else criterion)

    def latencies(self, name, samples):
        self.results[name + "_p50_ms"] = round(percentile(samples, 50), 4)
        self.results[name + "_p99_ms"] = round(percentile(samples, 99), 4)
        self.results[name + "_max_ms"] = round(max(samples), 4)
        self.results[name + "_samples"] = len(samples)

    def write(self, folder, xsched):
        import torch

        version = subprocess.run([xsched, "--version"], capture_output=True, text=True).stdout.split()
        record = {
            **self.fields,
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "hardware": {
                "gpu": smi("name"),
                "cores": str(os.cpu_count()),
                "architecture": platform.machine(),
            },
            "runtime": {
                "driver": smi("driver_version"),
                "cuda": torch.version.cuda,
                "torch": torch.__version__,
                "python": platform.python_version(),
                "os": f"{platform.system()} {platform.release()}",
            },
            "xsched_version": version[1] if len(version) > 1 else "unknown",
            "commit": os.environ.get("XSCHED_COMMIT", "unknown"),
            "command": "python3 " + " ".join(sys.argv),
            "simulated": False,
            "configuration": {name: str(value) for name, value in self.configuration.items()},
            "results": self.results,
            "criteria": self.criteria,
            "pass": all(criterion["pass"] or criterion.get("goal_only") for criterion in self.criteria),
            "notes": self.notes,
        }
        stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
        path = os.path.join(folder, f"{record['test_id']}-{stamp}.json")
        with open(path, "w") as file:
            json.dump(record, file, indent=2)
            file.write("\n")
        verdict = "pass" if record["pass"] else "MISSED"
        print(f"{record['test_id']}: {verdict}, {path}", flush=True)
        for criterion in self.criteria:
            print("   ", "ok    " if criterion["pass"] else "MISSED", criterion["name"], criterion["value"], flush=True)
