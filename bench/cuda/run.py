"""Runs experiments with PyTorch on an NVIDIA GPU and writes a record of each.

    python3 bench/cuda/run.py --xsched ./xsched --out results [outputs overhead priority six_queues]
"""
import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time
import traceback

from programs import Machine

EXPERIMENTS = ["outputs", "overhead", "priority", "six_queues"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--xsched", default="xsched", help="the command, or a path to it")
    parser.add_argument("--out", default="results", help="where the records go")
    parser.add_argument("experiment", nargs="*", help=f"any of {', '.join(EXPERIMENTS)}; all if none is given")
    arguments = parser.parse_args()
    unknown = set(arguments.experiment) - set(EXPERIMENTS)
    if unknown:
        parser.error(f"no such experiment: {', '.join(unknown)}; there are {', '.join(EXPERIMENTS)}")
    os.environ["XSCHED_DIR"] = tempfile.mkdtemp(prefix="xsched-bench-")
    os.makedirs(arguments.out, exist_ok=True)
    failed = False
    for name in arguments.experiment or EXPERIMENTS:
        print(f"{name} ...", flush=True)
        start = time.monotonic()
        subprocess.run([arguments.xsched, "serve"], check=True, stdout=subprocess.DEVNULL)
        try:
            record = importlib.import_module(name).run(Machine(arguments.xsched))
            record.write(arguments.out, arguments.xsched)
        except Exception:
            traceback.print_exc()
            failed = True
        finally:
            subprocess.run([arguments.xsched, "stop"], stdout=subprocess.DEVNULL)
        print(f"{name} took {time.monotonic() - start:.0f} s", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
