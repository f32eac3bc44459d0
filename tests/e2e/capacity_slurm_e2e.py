#!/usr/bin/env python3
"""A real Slurm runs deploy/slurm/capacity.sbatch: shards in an array job and the job that merges
them give the bytes of the answer that one run gives.

Usage: capacity_slurm_e2e.py PLIMSOLL ROOT. Exit code 77: not root, or the programs that
`tools/deps test` unpacks are missing.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import capacity_files
from slurm_cluster import SlurmCluster, servers_root

SHARDS = 5


def ok(condition, message):
    if not condition:
        raise SystemExit("FAILED: " + message)
    print("ok: " + message, flush=True)


def options(folder):
    return ["--cluster", str(folder / "fleet.yaml"), "--jobs", str(folder / "week.csv"),
            "--targets", str(folder / "targets.yaml"), "--grid", "h100=2..6/2",
            "--grid", "burst=0,2", "--replications", "6", "--probes", "10"]


def logs(out):
    return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in sorted(out.glob("*.log")))


def run_on_slurm(cluster, script, plimsoll, folder):
    out = folder / "out"
    env = dict(cluster.env, PLIMSOLL=plimsoll, SBATCH_OPTIONS="--mem=100M")
    said = cluster.run(str(script), str(SHARDS), str(out), *options(folder), env=env)
    ok("the answer will be in" in said, "the jobs are submitted")
    until = time.monotonic() + 180
    while not (out / "answer.json").exists():
        waiting = cluster.run("squeue", "--noheader", "--format=%i %T %r", check=False)
        if time.monotonic() > until or not waiting.strip():
            time.sleep(1)
            if not (out / "answer.json").exists():
                raise SystemExit(f"no answer; still queued: {waiting}\n{logs(out)}")
        time.sleep(0.5)
    return out


def main():
    plimsoll, root = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    servers = servers_root()
    if servers is None:
        print("Slurm's programs are not unpacked: run 'tools/deps test'")
        return 77
    if os.geteuid() != 0:
        print("slurmd runs jobs and needs device files: only as root")
        return 77
    script = pathlib.Path(root) / "deploy" / "slurm" / "capacity.sbatch"
    with tempfile.TemporaryDirectory(prefix="plimsoll-e2e-") as name:
        folder = pathlib.Path(name)
        capacity_files.write(folder)
        whole = subprocess.run(
            [plimsoll, "plan", "training", *options(folder), "--format", "json"],
            capture_output=True, check=True, cwd=folder).stdout
        cluster = SlurmCluster(servers, folder / "slurm")
        try:
            cluster.open()
            out = run_on_slurm(cluster, script, plimsoll, folder)
        finally:
            cluster.stop()
        shards = sorted(out.glob("shard-*.json"))
        ok(len(shards) == SHARDS, f"{SHARDS} shards are written")
        ok((out / "answer.json").read_bytes() == whole,
           f"the merged answer is that of one run, all {len(whole)} bytes")
        ok(json.loads(whole)["fleets_compared"] == 6, "it compares six fleets")
        merges = [word for shard in shards[:-1] for word in ("--merge", str(shard))]
        refused = subprocess.run([plimsoll, "plan", "training", *options(folder), *merges],
                                 capture_output=True, text=True, cwd=folder)
        ok(refused.returncode == 3 and f"{SHARDS}/{SHARDS}" in refused.stderr,
           "without its last shard the merge is refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
