#!/usr/bin/env python3
"""The demo fleet through the program, end to end.

Usage: demo_e2e.py PLIMSOLL truth|explain|servers|kill [ROUNDS]

truth    demo --check finds no difference; reconcile ties to 0.000000000; a second load of the
         same files changes nothing; unit training and unit inference give the figures of
         demo_truth.json, and the report shows them; explanations of many figures add up.
servers  the demo's telemetry read over HTTP from a real Prometheus and a real VictoriaMetrics
         gives the same bytes from allocate as the files. Exit 77: neither is there.
kill     kill -9 at ROUNDS (200) random moments of a load, then the load again: the same bytes
         from allocate as an undisturbed load, every time.
"""
import datetime
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import prometheus_e2e as servers  # noqa: E402

KEYS = "cluster,node,class,attribution,workload_kind,workload,reason,hour"


def run(program, *args, check=True):
    done = subprocess.run([program, *args], capture_output=True, text=True, timeout=1800)
    if check and done.returncode != 0:
        raise SystemExit(f"FAILED: {' '.join(args)}: exit {done.returncode}\n{done.stderr[-3000:]}")
    return done


def allocate(program, folder, database):
    return run(program, "allocate", "--config", f"{folder}/plimsoll.yaml", "--db", database,
               "--by", KEYS, "--format", "csv").stdout


def make(program, work, gpus, days):
    folder = f"{work}/out"
    run(program, "demo", "--gpus", str(gpus), "--days", str(days), "--db", f"{work}/demo.duckdb",
        "--out", folder)
    return folder


def expect(what, holds):
    if not holds:
        raise SystemExit(f"FAILED: {what}")
    print(f"ok: {what}", flush=True)


def truth(program, work):
    database, folder = f"{work}/d.duckdb", f"{work}/out"
    done = run(program, "demo", "--db", database, "--out", folder, "--check")
    expect("demo --check: all equal, exactly", "all equal, exactly" in done.stderr)
    periods = json.loads(run(program, "reconcile", "--db", database, "--format", "json").stdout)
    expect("there are two bills", len(periods["periods"]) == 2)
    for period in periods["periods"]:
        expect(f"{period['issuer']} ties", period["unexplained"] == "0.000000000")
        expect(f"{period['issuer']} has every category",
               list(period["categories"]) == ["Usage", "Purchase", "Tax", "Credit", "Adjustment"])
    before = allocate(program, folder, database)
    again = run(program, "sync", "--config", f"{folder}/plimsoll.yaml", "--db", database)
    expect("the same files again change nothing", allocate(program, folder, database) == before)
    expect("and sync says so", "unchanged" in again.stdout)
    for name in ("weekly.html", "weekly.md", "weekly.json"):
        expect(f"{name} is written", os.path.getsize(f"{folder}/{name}") > 1000)
    produced(program, folder, database)
    waits(folder)


def waits(folder):
    """The report's waits, and idle GPUs of the Slurm nodes, against sacct's own lines."""
    with open(f"{folder}/slurm_sacct.psv") as f:
        header, *lines = f.read().splitlines()
    rows = [dict(zip(header.split("|"), line.split("|"))) for line in lines]
    jobs = [row for row in rows if "." not in row["JobID"]]

    def when(text):
        return datetime.datetime.fromisoformat(text + "+00:00").timestamp()

    def gpus(row):
        return int(re.search(r"gres/gpu=(\d+)", row["ReqTRES"])[1])

    begin, until = when("2026-11-16T00:00:00"), when("2026-11-23T00:00:00")
    ran = [row for row in jobs if row["Start"] != "Unknown"]
    times = sorted(when(row["Start"]) - when(row["Eligible"]) for row in ran)
    waited = sum(gpus(row) * ((until if row["Start"] == "Unknown" else when(row["Start"]))
                              - max(when(row["Eligible"]), begin)) for row in jobs)
    held = sum(gpus(row) * ((until if row["End"] == "Unknown" else when(row["End"]))
                            - when(row["Start"])) for row in ran)
    with open(f"{folder}/weekly.json") as f:
        tables = json.load(f)["dimensions"]["capacity"]["tables"]
    queue = next(row for row in tables["waits_by_queue"] if row["cluster"] == "hpc")
    expect("waits of Slurm jobs are those of sacct's lines",
           (queue["started"], queue["waiting"], queue["unknown"])
           == (len(ran), len(jobs) - len(ran), 0)
           and [queue[f"wait_p{p}"] for p in (50, 90, 95)]
           == [times[-(-p * len(times) // 100) - 1] for p in (50, 90, 95)]
           and queue["wait_max"] == times[-1])
    expect("and so are the GPU-hours that they waited",
           abs(float(queue["gpu_hours_waited"]) - waited / 3600) < 1e-6)
    pool = next(row for row in tables["idle_pools"] if row["cluster"] == "hpc")
    mean = pool["gpus"] - held / (until - begin)
    expect(f"idle GPUs of the Slurm nodes are {mean:.2f} on average",
           abs(float(pool["idle_mean"]) - mean) <= 0.051)
    for cluster in ("demo", "hpc"):
        causes = sum(float(row["gpu_hours_waited"]) for row in tables["wait_causes"]
                     if row["cluster"] == cluster)
        queues = sum(float(row["gpu_hours_waited"]) for row in tables["waits_by_queue"]
                     if row["cluster"] == cluster)
        expect(f"causes of waits in {cluster} add up to them", abs(causes - queues) < 1e-6)


def hours(milliseconds):
    return round(milliseconds / 3_600_000, 6)


def produced(program, folder, database):
    """What runs and services produced: the commands and the report against the truth's file."""
    with open(f"{folder}/demo_truth.json") as f:
        known = json.load(f)
    with open(f"{folder}/weekly.json") as f:
        report = json.load(f)["dimensions"]
    common = ("--config", f"{folder}/plimsoll.yaml", "--db", database, "--format", "json")
    runs = {one["run"]: one
            for one in json.loads(run(program, "unit", "training", *common).stdout)["runs"]}
    expect(f"every run is known ({len(runs)})", set(runs) == {one["run"] for one in known["runs"]})
    for one in known["runs"]:
        answer = runs[one["run"]]
        same = (answer["failures"] == one["failures"] and answer["samples"] == one["samples"]
                and round(float(answer["gpu_hours_effective"]), 6)
                == hours(one["effective_milliseconds"]))
        for cause, lost in answer["losses"].items():
            # Printed parts add up to the printed whole: the last of nine places may give way.
            same = same and abs(float(lost) - one[f"{cause}_milliseconds"] / 3.6e6) < 1e-8
        expect(f"{one['run']} went into what the simulation says", same)
    reached = {one["experiment"] for one in runs.values() if one["target_step"] is not None}
    expect("three experiments reach their target, fp8 never",
           reached == {"data-mix", "long-context", "fold"})
    training = report["training"]["tables"]
    expect("the report has runs, causes and experiments",
           all(training[name] for name in ("run_economics", "run_time", "experiments")))
    service = known["services"][0]
    answer = json.loads(run(program, "unit", "inference", "--window", "2026-11-16..2026-11-23",
                            *common).stdout)
    expect("requests and good tokens are the simulation's",
           (answer["requests_total"], answer["requests_good"], answer["tokens_output"],
            answer["tokens_output_good"])
           == (service["requests"], service["good"], service["output_tokens"],
               service["good_output_tokens"]))
    lines = json.loads(run(program, "allocate", "--window", "2026-11-16..2026-11-23", "--by",
                           "workload", "--filter", 'workload:"chat-70b"', *common).stdout)
    expect("its cost is that of its pods", lines[0]["cost"] == answer["cost"])
    shown = report["inference"]["tables"]["service_economics"][0]
    expect("and the report shows it", (shown["service"], shown["requests"], shown["cost"])
           == (service["service"], service["requests"], answer["cost"]))


def figures(node):
    """Every figure id in the JSON report."""
    if isinstance(node, dict):
        if isinstance(node.get("figure"), str) and node["figure"]:
            yield node["figure"]
        for value in node.values():
            yield from figures(value)
    elif isinstance(node, list):
        for value in node:
            yield from figures(value)


def explain(program, work):
    folder = make(program, work, 64, 7)
    with open(f"{folder}/weekly.json") as f:
        ids = sorted(set(figures(json.load(f))))
    expect(f"the report has figures ({len(ids)})", len(ids) > 50)
    explained = 0
    for figure in ids[:: max(1, len(ids) // 60)]:
        done = run(program, "explain", figure, "--config", f"{folder}/plimsoll.yaml", "--db",
                   f"{work}/demo.duckdb", "--format", "json", check=False)
        if "no cost line" in done.stderr:
            continue  # a figure of nothing: its value is 0
        if done.returncode != 0:
            raise SystemExit(f"FAILED: explain {figure}: {done.stderr[-500:]}")
        answer = json.loads(done.stdout)
        expect(f"explained: {figure}", answer["bases"] and answer["rules"] and answer["snapshots"]
               and all(check["holds"] == "yes" for check in answer["checks"]))
        explained += 1
    expect(f"{explained} figures explained", explained > 30)


def with_milliseconds(path, target):
    """OpenMetrics text (seconds) as exposition lines (milliseconds), for VictoriaMetrics."""
    with open(path) as source, open(target, "w") as out:
        for line in source:
            if line.startswith("#") or not line.strip():
                continue
            head, seconds = line.rstrip("\n").rsplit(" ", 1)
            out.write(f"{head} {round(float(seconds) * 1000)}\n")


def from_server(program, folder, database, clusters):
    """Everything but telemetry from the files, telemetry from the servers."""
    run(program, "ingest", "focus", f"{folder}/focus_aws.csv", f"{folder}/focus_gcp.csv", "--db",
        database)
    run(program, "ingest", "kubernetes", f"{folder}/kubernetes.json", "--cluster", "demo", "--db",
        database)
    run(program, "ingest", "slurm", f"{folder}/slurm_nodes.txt", f"{folder}/slurm_sacct.psv",
        "--cluster", "hpc", "--db", database)
    for cluster, url in clusters.items():
        run(program, "ingest", "prometheus", url, "--cluster", cluster, "--window",
            "2026-11-16..2026-11-23", "--db", database)
    return allocate(program, folder, database)


def real_servers(program, work):
    have_prometheus = shutil.which("prometheus") and shutil.which("promtool")
    have_victoria = shutil.which("victoria-metrics")
    if not have_prometheus and not have_victoria:
        print("neither prometheus nor victoria-metrics is installed: tools/deps test unpacks them")
        raise SystemExit(77)
    folder = make(program, work, 64, 7)
    wanted = allocate(program, folder, f"{work}/demo.duckdb")
    files = {"demo": f"{folder}/telemetry.om", "hpc": f"{folder}/telemetry_hpc.om"}
    with open(f"{work}/servers.log", "w") as log:
        for kind in ["prometheus"] * bool(have_prometheus) + ["victoria"] * bool(have_victoria):
            started = {}
            try:
                for cluster, path in files.items():
                    home = f"{work}/{kind}-{cluster}"
                    os.makedirs(home)
                    if kind == "prometheus":
                        started[cluster] = servers.prometheus(home, path, log).start()
                    else:
                        with_milliseconds(path, f"{home}/lines.prom")
                        started[cluster] = servers.victoria(home, f"{home}/lines.prom", log)
                got = from_server(program, folder, f"{work}/{kind}.duckdb",
                                  {cluster: server.url for cluster, server in started.items()})
                if got != wanted:
                    for line in sorted(set(wanted.splitlines()) ^ set(got.splitlines()))[:6]:
                        print("  differs:", line)
                expect(f"{kind} over HTTP = files ({len(wanted.splitlines())} rows)",
                       got == wanted)
            finally:
                for server in started.values():
                    server.stop()


def kill(program, work, rounds):
    folder = make(program, work, 16, 1)
    config = f"{folder}/plimsoll.yaml"
    seed = 20261129
    print(f"seed {seed}")
    rng = random.Random(seed)

    def load(database):
        return [program, "sync", "--config", config, "--db", database, "--quiet"]

    undisturbed = f"{work}/undisturbed.duckdb"
    begin = time.monotonic()
    subprocess.run(load(undisturbed), check=True, stdout=subprocess.DEVNULL)
    duration = time.monotonic() - begin
    wanted = allocate(program, folder, undisturbed)
    killed = tried = 0
    while killed < rounds and tried < 5 * rounds:
        tried += 1
        database = f"{work}/k.duckdb"
        for ending in ("", ".wal"):
            if os.path.exists(database + ending):
                os.remove(database + ending)
        begin = time.monotonic()
        process = subprocess.Popen(load(database), stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=rng.uniform(0, duration))
            if process.returncode != 0:
                raise SystemExit(f"FAILED: a load that was not killed failed (round {tried})")
            duration = time.monotonic() - begin  # it was done before: the machine is faster now
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
        subprocess.run(load(database), check=True, stdout=subprocess.DEVNULL)
        if allocate(program, folder, database) != wanted:
            raise SystemExit(f"FAILED: other bytes after kill -9 (round {tried})")
    expect(f"{killed} loads killed; the same bytes every time", killed == rounds)


def main():
    program, test = sys.argv[1], sys.argv[2]
    work = tempfile.mkdtemp(prefix="plimsoll-demo-")
    try:
        if test == "kill":
            kill(program, work, int(sys.argv[3]) if len(sys.argv) > 3 else 200)
        else:
            {"truth": truth, "explain": explain, "servers": real_servers}[test](program, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
