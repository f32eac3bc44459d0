#!/usr/bin/env python3
"""Public sample files through the program. Usage: shared_e2e.py PLIMSOLL ROOT

focus: the FOCUS 1.0 sample's exact totals equal Python's decimal sums, and a second load changes
nothing. slurm: each job's GPU-hours equal AllocTRES GPUs x Elapsed. inference: every figure of
the real vLLM runs. Exit 77: no ../shared.
"""
import csv
import decimal
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

decimal.getcontext().prec = 60


def run(*args):
    done = subprocess.run([str(a) for a in args], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: {args}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def focus(program, shared, work):
    path = shared / "data/focus/focus_1.0_sample_1000.csv"
    sums = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            total = sums.setdefault((row["ProviderName"], row["BillingCurrency"]), [0, 0, 0])
            total[0] += 1
            total[1] += decimal.Decimal(row["BilledCost"])
            total[2] += decimal.Decimal(row["EffectiveCost"])
    report = json.loads(run(program, "ingest", "focus", path, "--db", f"{work}/f.duckdb",
                            "--format", "json"))
    assert report["accepted"] == 1000 and report["rejected"] == 0, report
    got = {(t["provider"], t["currency"]): [t["rows"], decimal.Decimal(t["billed"]),
                                            decimal.Decimal(t["effective"])]
           for t in report["totals"]}
    assert got == sums, (got, sums)
    again = json.loads(run(program, "ingest", "focus", path, "--db", f"{work}/f.duckdb",
                           "--format", "json"))
    assert {load["outcome"] for load in again["loads"]} == {"unchanged"}, again["loads"]
    periods = json.loads(run(program, "reconcile", "--db", f"{work}/f.duckdb", "--format",
                             "json"))["periods"]
    assert len(periods) == 6 and all(p["unexplained"] == "0.000000000" for p in periods), periods
    print("ok: 1,000 rows, totals exact, second load unchanged, all periods tie")


def seconds(elapsed):
    days, _, clock = elapsed.rpartition("-")
    h, m, s = (int(x) for x in clock.split(":"))
    return int(days or 0) * 86400 + h * 3600 + m * 60 + s


def slurm(program, shared):
    path = shared / "data/slurm/hb_jobinfo/sacct_gpu_jobs_real.psv"
    wanted = {}
    jobs = set()
    rows = path.read_text().splitlines()
    names = rows[0].split("|")
    for line in rows[1:]:
        row = dict(zip(names, line.split("|")))
        if "." in row["JobID"]:
            continue  # a step is part of its job
        jobs.add(row["JobID"])
        gpus = re.search(r"gres/gpu=(\d+)", row["AllocTRES"])
        if gpus and row["Elapsed"] != "00:00:00":
            wanted[row["JobName"]] = wanted.get(row["JobName"], 0) + int(gpus[1]) * seconds(row["Elapsed"]) * 1000
    text = run(program, "allocate", "--from", f"slurm:hb={path}", "--by", "workload", "--filter",
               'workload!:""', "--format", "csv")
    got = {}
    for row in csv.DictReader(io.StringIO(text)):
        hours = decimal.Decimal(row["gpu_hours"])
        got[row["workload"]] = int((hours * 3600000).to_integral_value())
    assert len(jobs) == 11, jobs
    assert got == wanted, (got, wanted)
    print(f"ok: {len(jobs)} jobs, GPU-hours = GPUs x Elapsed for the {len(got)} that ran")


def inference(program, shared, work):
    folder = shared / "data/loadtest"
    runs = json.loads((folder / "expected.json").read_text())["real_vllm_runs"]
    assert len(runs) == 2, runs.keys()
    for name, want in runs.items():
        path = folder / "llmservingsim_bench" / name / "vllm/requests.jsonl"
        slo = f"ttft={want['slo_ttft_s']:g}s,tpot={want['slo_tpot_s'] * 1000:g}ms"
        got = json.loads(run(program, "unit", "inference", "--requests", path, "--gpus", 1,
                             "--gpu-price", "2.00", "--slo", slo, "--by", "outcome",
                             "--percentiles", "--format", "json", "--db", f"{work}/none"))
        for key, wanted in {
                "requests_total": want["n"], "requests_good": want["good"],
                "tokens_input": want["input_tokens"], "tokens_output": want["output_tokens"],
                "tokens_input_good": want["good_input_tokens"],
                "tokens_output_good": want["good_output_tokens"],
                "window_seconds": want["duration_s"], "cost": want["window_cost_usd"],
                "cost_per_million_output_tokens": want["usd_per_1M_output_all"],
                "cost_per_million_output_tokens_good": want["usd_per_1M_output_in_slo"],
                "goodput_rps": want["goodput_rps"],
                "throughput_rps": want["throughput_rps"]}.items():
            assert abs(float(got[key]) - wanted) < 2e-8, (name, key, got[key], wanted)
        cost = decimal.Decimal(got["cost"])
        assert sum(decimal.Decimal(g["cost"]) for g in got["groups"]) == cost, got["groups"]
        assert sum(decimal.Decimal(t["cost"]) for t in got["tokens"]) == cost, got["tokens"]
        ttft, tpot, _ = got["latencies"]
        for row, key in ((ttft, "ttft_p50_p90_p99"), (tpot, "tpot_p50_p90_p99")):
            for label, wanted in zip(("p50", "p90", "p99"), want[key]):
                assert abs(row[label] - wanted) < 2e-9, (name, key, row, wanted)
        print(f"ok: {name}: {got['requests_good']} of {got['requests_total']} good, "
              f"{got['cost_per_million_output_tokens_good']:.5f} per million good output tokens")


def main():
    program = sys.argv[1]
    shared = pathlib.Path(os.environ.get("PLIMSOLL_SHARED",
                                         pathlib.Path(sys.argv[2]).parent / "shared"))
    if not shared.exists():
        print(f"no {shared}: public samples are not here")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="plimsoll-shared-") as work:
        focus(program, shared, work)
        slurm(program, shared)
        inference(program, shared, work)


if __name__ == "__main__":
    main()
