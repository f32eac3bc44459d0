#!/usr/bin/env python3
"""Runs the commands that README and docs show, in a folder with the demo's files.

Usage: docs_e2e.py PLIMSOLL ROOT. Every line of an unlabelled code block that begins with
`plimsoll` or `build/plimsoll` must end with exit code 0. What a reader replaces by their own
(file names, the week, a team) is replaced here by the demo's; what needs a network, a terminal
or another program is named in LEFT_OUT, and only that is not run.
"""
import gzip
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

OWN = [("--window lastweek", "--window 2026-11-16..2026-11-23"),
       ("--window 7d", "--window 2026-11-16..2026-11-23"),
       ("2026-11-16..2026-11-17", "2026-11-16..2026-11-17"),
       ('team:"nlp"', 'team:"search"'), ("build/plimsoll", "plimsoll")]
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
    (folder / "runs" / "x.jsonl").write_text("".join(
        f'{{"kind":"{kind}","run":"x","at":"2026-11-17T10:0{minute}:00Z","step":{minute},'
        f'"gpus":8,"samples":512}}\n' for minute, kind in enumerate(("start", "step", "stop"))))
    mlflow = folder / "mlruns" / "1" / "r"
    (mlflow / "metrics").mkdir(parents=True)
    (mlflow / "meta.yaml").write_text("run_id: r\nexperiment_id: '1'\nstatus: 3\n"
                                      "start_time: 1795000000000\nend_time: 1795000060000\n")
    (mlflow / "metrics" / "loss").write_text("1795000030000 2.5 1\n")
    requests = [{"request": f"r{i}", "arrival": f"2026-11-16T10:00:{i % 60:02}Z", "model": "llama",
                 "tenant": "nlp", "ttft_ms": 100 + i, "e2e_ms": 2000, "input_tokens": 100,
                 "output_tokens": 20} for i in range(100)]
    (folder / "requests.jsonl").write_text("".join(json.dumps(row) + "\n" for row in requests))
    (folder / "requests.csv").write_text("ts,first_ms,output_tokens\n1763287200000,250,10\n")
    (folder / "lives.csv").write_text("lifetime,evicted\n" + "".join(
        f"{7 * i}m,{'no' if i % 6 == 0 else 'yes'}\n" for i in range(1, 60)))
    (folder / "onprem.yaml").write_text(
        "name: own\nprovider: on-prem\ncurrency: USD\nsource: test\nas_of: 2026-11-01\n"
        "on_prem:\n  - name: '*'\n    capex: '300000'\n    amortization_months: 48\n")


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failed = ran = 0
    with tempfile.TemporaryDirectory(prefix="plimsoll-docs-") as work:
        folder = pathlib.Path(work)
        prepare(program, folder)
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
