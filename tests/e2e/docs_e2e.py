#!/usr/bin/env python3
"""Runs the commands that README and docs show, in a folder with the demo's files.

Usage: docs_e2e.py PLIMSOLL ROOT. Every line of an unlabelled code block that begins with
`plimsoll` or `build/plimsoll` must end with exit code 0. What a reader replaces by their own
(file names, the week, a team) is replaced here by the demo's; what needs a network, a terminal
or another program is named in LEFT_OUT, and only that is not run.
"""
import datetime
import csv
import gzip
import itertools
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import capacity_files

OWN = [("--window lastweek", "--window 2026-11-16..2026-11-23"),
       ("--window 7d", "--window 2026-11-16..2026-11-23"),
       ("2026-11-16..2026-11-17", "2026-11-16..2026-11-17"),
       ('team:"nlp"', 'team:"search"'), ("build/plimsoll", "plimsoll"),
       ("--block-begin 2026-12-08",  # within eight weeks from now
        f"--block-begin {datetime.date.today() + datetime.timedelta(days=8)}")]
LEFT_OUT = ["http://", "https://", "|", "<(", "man -l", "prometheus metrics.txt"]


def commands(root):
    pages = [root / "README.md", *sorted((root / "docs" / "guides").glob("*.md")),
             *sorted((root / "docs" / "formats").glob("*.md"))]
    for page in pages:
        for block in re.findall(r"^```\n(.*?)^```", page.read_text(), re.S | re.M):
            for line in block.splitlines():
                line = re.sub(r"\s+#.*$", "", line.strip()).removeprefix("$ ")
                if line.startswith(("plimsoll ", "build/plimsoll ")):
                    yield page.relative_to(root), line


def prepare(program, folder):
    subprocess.run([program, "demo", "--out", str(folder)],
                   check=True, capture_output=True, cwd=folder)
    (folder / "bills").mkdir()
    bill = (folder / "focus_aws.csv").read_bytes()
    for name in ("bill.csv", "focus.csv", "bills/2026-10.csv", "bills/2026-11.csv"):
        (folder / name).write_bytes(bill)
        with gzip.open(folder / (name + ".gz"), "wb") as packed:
            packed.write(bill)
    for source, names in {"slurm_sacct.psv": ["jobs.psv"], "slurm_nodes.txt": ["nodes.txt"],
                          "kubernetes.json": ["cluster.json", "state.json", "k8s.json"],
                          "telemetry.om": ["metrics.om", "gpu.om"]}.items():
        for name in names:
            shutil.copy(folder / source, folder / name)
    (folder / "runs").mkdir()
    logs = (folder / "training_runs.jsonl").read_text().splitlines(keepends=True)
    (folder / "runs" / "x.jsonl").write_text("".join(
        line.replace('"run":"pretrain-a-3"', '"run":"x"') for line in logs
        if '"run":"pretrain-a-3"' in line))
    mlflow = folder / "mlruns" / "1" / "r"
    (mlflow / "metrics").mkdir(parents=True)
    (mlflow / "meta.yaml").write_text("run_id: r\nexperiment_id: '1'\nstatus: 3\n"
                                      "start_time: 1795000000000\nend_time: 1795000060000\n")
    (mlflow / "metrics" / "loss").write_text("1795000030000 2.5 1\n")
    with open(folder / "chat_requests.csv", newline="") as log:
        requests = [row | {"service": "chat", "model": "llama"}
                    for row in itertools.islice(csv.DictReader(log), 1000)]
    (folder / "requests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in requests))
    (folder / "requests.csv").write_text("ts,first_ms,output_tokens\n1763287200000,250,10\n")
    (folder / "lives.csv").write_text("lifetime,evicted\n" + "".join(
        f"{7 * i}m,{'no' if i % 6 == 0 else 'yes'}\n" for i in range(1, 60)))
    spot_files(folder)
    capacity_files.write(folder)
    subprocess.run([program, "unit", "spot", "--lifetimes", "own.csv"],
                   check=True, capture_output=True, cwd=folder)
    (folder / "models.yaml").write_text(
        "models:\n  - {name: chat, memory_gib: 30, replicas: 2}\n"
        "  - {name: embed, memory_gib: 8, replicas: 5}\n")
    (folder / "measured.csv").write_text(
        "model,precision,gpu,gpus,tensor_parallel,input_tokens,output_tokens,"
        "output_tokens_per_second,source,as_of,ttft_ms,tpot_ms,latency_of\n"
        "llama-3.1-8b,fp8,L4,1,1,500,200,640,own load test,2026-11-20,410,38,p99\n")
    (folder / "onprem.yaml").write_text(
        "name: own\nprovider: on-prem\ncurrency: USD\nsource: test\nas_of: 2026-11-01\n"
        "on_prem:\n  - name: '*'\n    capex: '300000'\n    amortization_months: 48\n")


def spot_files(folder):
    for name, hours_up in (("us-west-2a_v100_1", 9), ("us-west-2b_v100_1", 17)):
        ticks = [int(i % 144 < hours_up * 6 or i % 5 == 0) for i in range(144 * 6)]
        (folder / f"{name}.json").write_text(
            json.dumps({"metadata": {"gap_seconds": 600}, "data": ticks}))
    (folder / "traces").mkdir()
    shutil.copy(folder / "us-west-2a_v100_1.json", folder / "traces" / "us-west-2a_v100_1.json")
    (folder / "zone.csv").write_text("time,available,price\n" + "".join(
        f"{i * 600},{int(i % 7 > 0)},{0.918 if i % 7 else ''}\n" for i in range(100)))
    (folder / "lifetimes.csv").write_text("cloud,gpu,ngpu,zone,start,end,preempted\n" + "".join(
        f"aws,v100,1,us-west-2a,2026-11-{i:02}T00:00:00Z,2026-11-{i:02}T0{i % 9}:30:00Z,{i % 4 > 0:d}\n"
        for i in range(1, 29)))
    (folder / "spot-advisor-data.json").write_text(json.dumps({"spot_advisor": {
        "us-east-1": {"Linux": {"p5.48xlarge": {"s": 52, "r": 4}}},
        "ca-central-1": {"Linux": {"p5.48xlarge": {"s": -62, "r": 0}}}}}))


def prepare_plans(folder):
    """Files of `plimsoll plan`: two weeks of hourly use, offers, a fleet's activity."""
    hours = [(day, hour) for day in range(1, 29) for hour in range(24)]
    at = "2026-11-{:02}T{:02}:00:00Z"
    (folder / "hourly.csv").write_text("hour,flavor,usage\n" + "".join(
        f"{at.format(day, hour)},H100,{40 if hour < 8 else 64}\n" for day, hour in hours))
    (folder / "offers.yaml").write_text(
        "on_demand:\n  - {flavor: H100, price: 3.93}\noffers:\n"
        "  - {name: 1y, rate: 2.87}\n  - {name: 3y, term: 3y, rate: 2.16}\n"
        "  - name: plan\n    kind: savings-plan\n    rates: [{flavor: H100, rate: 2.95}]\n")
    (folder / "existing.csv").write_text(
        "name,flavor,units,rate,expires\nold,H100,8,2.9,2099-03-01\n")
    (folder / "activity.csv").write_text("instance,hour,activity\n" + "".join(
        f"dev,{at.format(day, hour)},{'0.8' if 9 <= hour < 17 else '0'}\n" for day, hour in hours))


def prepare_mix(folder):
    """Files of `plimsoll plan mix`: the workloads of docs/guides/plan-mix.md and their prices."""
    guide = pathlib.Path(sys.argv[2]) / "docs" / "guides" / "plan-mix.md"
    blocks = re.findall(r"^```yaml\n(.*?)^```", guide.read_text(), re.S | re.M)
    (folder / "workloads.yaml").write_text(blocks[0])
    (folder / "gpu-offers.yaml").write_text(blocks[1])
    (folder / "workloads.csv").write_text(
        "name,kind,flavor,demand,work,restart,checkpoint_write,profile\n"
        "queue,batch,g5.2xlarge,4,,2m,,\ntune,training,g5.2xlarge,,30h,5m,1m,\n"
        "chat,inference,g5.2xlarge,,,,,chat-hours.csv\n")
    (folder / "chat-hours.csv").write_text("hour,usage\n" + "".join(
        f"2026-11-{2 + h // 24:02}T{h % 24:02}:00:00Z,{3 if h % 24 < 8 else 7}\n"
        for h in range(168)))
    (folder / "flavors.csv").write_text(
        "name,on_demand,spot,mtbf,lifetime,wait\ng5.2xlarge,1.21,0.48,12h,weibull:k=0.6,5m\n")


def prepare_training(folder):
    """Files of `plimsoll plan training`: a small cluster and a mix of pods."""
    (folder / "nodes.csv").write_text("sn,cpu_milli,memory_mib,gpu,model\n" + "".join(
        f"n{i},{96000 if i < 12 else 32000},393216,8,{'H100' if i < 12 else 'A10'}\n"
        for i in range(16)))
    (folder / "pods.csv").write_text(
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
        "train,16000,65536,1,1000,\nserve,6000,12288,1,460,\nwide,64000,262144,8,1000,H100\n"
        "etl,8000,30517,0,0,\n")


def prepare_cluster(folder):
    """Files of capacity: the jobs and the cluster of docs/formats/, and more of the former."""
    formats = pathlib.Path(sys.argv[2]) / "docs" / "formats"
    jobs = re.findall(r"^```csv\n(.*?)^```", (formats / "jobs-csv.md").read_text(), re.S | re.M)[0]
    header, *rows = jobs.splitlines()
    later = [row.replace("2026-11-02", f"2026-11-{day:02}") for day in range(3, 30) for row in rows]
    (folder / "jobs.csv").write_text("\n".join([header, *rows, *later]) + "\n")
    cluster = re.findall(r"^```yaml\n(.*?)^```", (formats / "cluster-yaml.md").read_text(),
                         re.S | re.M)[0]
    (folder / "cluster.yaml").write_text(
        cluster.replace("H100-SXM-80GB", "H100").replace("A100-SXM-80GB", "A100"))


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failed = ran = 0
    with tempfile.TemporaryDirectory(prefix="plimsoll-docs-") as work:
        folder = pathlib.Path(work)
        prepare(program, folder)
        prepare_plans(folder)
        prepare_mix(folder)
        prepare_training(folder)
        prepare_cluster(folder)
        for page, line in commands(root):
            shown = line
            for theirs, ours in OWN:
                line = line.replace(theirs, ours)
            words = shlex.split(line)[1:]
            if any(text in line for text in LEFT_OUT) or words[0] in ("init", "demo"):
                continue
            missing = [w for w in words if re.search(r"\.(csv|gz|json|jsonl|psv|txt|om|prom|yaml|parquet)$",
                                                     re.split("[=:]", w)[-1])
                       and not (folder / re.split("[=:]", w)[-1]).exists()]
            if missing:  # a name of the reader's that stands for a file of theirs
                continue
            done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
            ran += 1
            if done.returncode != 0:
                failed += 1
                print(f"FAILED {page}: {shown}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    print(f"{ran - failed} passed, {failed} failed")
    return 1 if failed or ran < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
