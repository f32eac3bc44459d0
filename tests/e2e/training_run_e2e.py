#!/usr/bin/env python3
"""A real training run, killed twice and resumed, from its loop to what Plimsoll says of it.

Usage: training_run_e2e.py PLIMSOLL FLEET_DUMP ROOT

A linear model is trained on the CPU (numpy if it is there, else plain Python) with the helper
of clients/python. The first attempt is killed behind step 47 (checkpoint at 40), the second in
the middle of saving step 80 (checkpoint at 60), and the third ends. The loop counts for itself
what it did, in a file of its own; the event log, what `ingest runs` keeps of it, and, if the
program has it, `unit training` must agree with that. Exit 1 if anything differs.
"""
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from decimal import Decimal

STEPS, BATCH, EVERY, WIDTH, GPUS = 120, 32, 20, 16, 4
TOKENS = BATCH * WIDTH  # "tokens" of a batch: its numbers


class Model:
    """y = x.w by gradient descent on fresh batches; the same with numpy and without."""

    def __init__(self, weights):
        self.weights = weights
        try:
            import numpy
            self.numpy = numpy
        except ImportError:
            self.numpy = None

    def train(self, step):
        draw = random.Random(step)
        xs = [[draw.gauss(0, 1) for _ in range(WIDTH)] for _ in range(BATCH)]
        ys = [sum((i + 1) * x[i] for i in range(WIDTH)) for x in xs]
        if self.numpy:
            x, y = self.numpy.array(xs), self.numpy.array(ys)
            error = x @ self.numpy.array(self.weights) - y
            slope = (2 / BATCH * (x.T @ error)).tolist()
            loss = float((error ** 2).mean())
        else:
            error = [sum(w * v for w, v in zip(self.weights, x)) - y for x, y in zip(xs, ys)]
            slope = [2 / BATCH * sum(e * x[i] for e, x in zip(error, xs)) for i in range(WIDTH)]
            loss = sum(e * e for e in error) / BATCH
        self.weights = [w - 0.05 * s for w, s in zip(self.weights, slope)]
        return loss


def train(folder, kill_behind, kill_saving):
    """One attempt; ends by SIGKILL at the given place, if that is not 0."""
    import plimsoll_run
    checkpoint, own = folder / "checkpoint.json", open(folder / "own.txt", "a", buffering=1)
    run = plimsoll_run.start(folder / "x.jsonl", run="x", gpus=GPUS, experiment="linear")
    state = {"step": 0, "weights": [0.0] * WIDTH}
    if checkpoint.exists():
        state = json.loads(checkpoint.read_text())
        run.resume(state["step"])
    model = Model(state["weights"])
    for step in range(state["step"] + 1, STEPS + 1):
        if step % 30 == 0:
            with run.stall("data"):
                time.sleep(0.02)
        time.sleep(0.002)
        loss = model.train(step)
        own.write(f"{step} {BATCH}\n")
        run.step(step, samples=BATCH, tokens=TOKENS)
        if step == kill_behind:
            os.kill(os.getpid(), signal.SIGKILL)
        if step % EVERY == 0:
            run.metric("loss", loss, step)
            with run.checkpoint(step):
                draft = folder / "checkpoint.tmp"
                draft.write_text(json.dumps({"step": step, "weights": model.weights}))
                if step == kill_saving:
                    os.kill(os.getpid(), signal.SIGKILL)
                draft.rename(checkpoint)
    run.stop()


def same(what, got, expected):
    if got != expected:
        print(f"FAILED {what}: {got}, expected {expected}")
        sys.exit(1)
    print(f"{what}: {got}")


def attempt(folder, root, kill_behind=0, kill_saving=0):
    done = subprocess.run(
        [sys.executable, __file__, "--train", str(folder), str(kill_behind), str(kill_saving)],
        env={**os.environ, "PYTHONPATH": str(root / "clients" / "python"), "RANK": "0",
             "PYTHONDONTWRITEBYTECODE": "1"})
    return done.returncode


def own_counters(folder):
    """What the loop itself knows: steps it did, and those that it did again."""
    steps = [int(line.split()[0]) for line in (folder / "own.txt").read_text().splitlines()]
    return {"steps": len(steps), "kept": len(set(steps)), "again": len(steps) - len(set(steps)),
            "samples": len(steps) * BATCH}


def ingest(program, folder, name):
    done = subprocess.run([program, "ingest", "runs", name, "--db", "runs.duckdb",
                           "--format", "json"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"FAILED ingest runs {name}: exit {done.returncode}: {done.stderr}")
        sys.exit(1)
    return json.loads(done.stdout)


def stored(dump, folder):
    """The events in the database: lists of attempt, kind, time, step, tokens, samples, name."""
    text = subprocess.run([dump, "runs.duckdb"], cwd=folder, check=True, capture_output=True,
                          text=True).stdout
    events = []
    for line in text.splitlines():
        if line.startswith("run_event|"):
            (_, _, _, number, kind, at, seq, _, step, tokens, samples, name, value) = line.split("|")
            events.append((int(number), int(seq), kind, at, step, tokens, samples, name, value))
    return sorted(events)


def check_facts(events, own):
    steps = [event for event in events if event[2] == "step"]
    same("steps told", len(steps), own["steps"])
    same("samples told", sum(int(event[6]) for event in steps), own["samples"])
    same("tokens told", sum(int(event[5]) for event in steps), own["steps"] * TOKENS)
    same("steps kept", len({event[4] for event in steps}), own["kept"])
    attempts = {event[0] for event in events}
    ended = {event[0] for event in events if event[2] in ("stop", "failure")}
    same("attempts", len(attempts), 3)
    same("attempts that end without a word", len(attempts - ended), 2)
    same("resumed from", [event[4] for event in events if event[2] == "resume"], ["40", "60"])
    durable = [(event[0], event[4]) for event in events if event[2] == "checkpoint_end"]
    same("durable checkpoints", durable,
         [(0, "20"), (0, "40"), (1, "60"), (2, "80"), (2, "100"), (2, "120")])
    same("checkpoints begun", sum(event[2] == "checkpoint_begin" for event in events), 7)


def held_hours(events):
    """GPU-hours of the attempts by their first and last events; nothing ended them but a kill."""
    millis = 0
    for number in {event[0] for event in events}:
        times = [datetime.datetime.fromisoformat(event[3].replace("Z", "+00:00"))
                 for event in events if event[0] == number]
        millis += (max(times) - min(times)) // datetime.timedelta(milliseconds=1) * GPUS
    return Decimal(millis) / 3_600_000


def check_economics(program, folder, own, events):
    """`unit training` of the same file against the loop's own counters."""
    help_text = subprocess.run([program, "unit", "training", "--help"], capture_output=True,
                               text=True)
    if help_text.returncode != 0 or "--runs" not in help_text.stdout:
        print("unit training is not in this program: its figures are not compared")
        return
    done = subprocess.run([program, "unit", "training", "--runs", "x.jsonl", "--gpu-price", "2.00",
                           "--format", "json"], cwd=folder, capture_output=True, text=True)
    same("exit of unit training " + done.stderr.strip(), done.returncode, 0)
    answer = json.loads(done.stdout, parse_float=Decimal)
    run = next(row for row in answer["runs"] if row["run"] == "x")
    number = {key: Decimal(str(value)) for key, value in run.items()
              if isinstance(value, (int, Decimal)) or str(value).replace(".", "", 1).isdigit()}
    same("failures", number["failures"], 2)
    same("samples kept", number["samples"], own["kept"] * BATCH)
    same("samples repeated", number["samples_repeated"], own["again"] * BATCH)
    same("hours allocated are those from start to last word",
         abs(number["gpu_hours_allocated"] - held_hours(events)) <= Decimal("0.000000001"), True)
    lost = sum(Decimal(str(value)) for value in run["losses"].values())
    same("effective and lost hours less those allocated",
         number["gpu_hours_effective"] + lost - number["gpu_hours_allocated"], 0)
    same("recomputation is a loss", Decimal(str(run["losses"]["recomputation"])) > 0, True)
    same("failures cost something", number["failure_loss"] > 0, True)
    per_million = number["cost"] / number["samples"] * 1_000_000
    same("cost per million samples is cost by samples",
         abs(per_million - number["cost_per_million_samples"]) <= Decimal("0.000001"), True)


def main():
    program, dump = str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[2]).resolve())
    root = pathlib.Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory(prefix="plimsoll-run-") as work:
        folder = pathlib.Path(work)
        same("first attempt", attempt(folder, root, kill_behind=47), -signal.SIGKILL)
        partial = ingest(program, folder, "x.jsonl")
        same("loads while the run goes on", partial["rejected"], 0)
        with open(folder / "x.jsonl", "a") as log:  # as a kill in the middle of a write leaves it
            log.write('{"kind":"step","run":"x","atte')
        same("second attempt", attempt(folder, root, kill_saving=80), -signal.SIGKILL)
        same("third attempt", attempt(folder, root), 0)
        own = own_counters(folder)
        same("the loop's own counters", own,
             {"steps": 147, "kept": 120, "again": 27, "samples": 147 * BATCH})
        whole = ingest(program, folder, "x.jsonl")
        same("refused lines", (whole["rejected"], whole["duplicates"]), (0, 0))
        same("notes of cut lines", sum("breaks off" in note for note in whole["ignored"]), 1)
        lines = (folder / "x.jsonl").read_text().splitlines()
        same("events kept", whole["accepted"], len(lines) - 1)
        events = stored(dump, folder)
        check_facts(events, own)
        for part, text in (("b.jsonl", lines[60:]), ("a.jsonl", lines[:60])):
            (folder / part).write_text("\n".join(text) + "\n")
            same("a part again", ingest(program, folder, part)["loads"][0]["outcome"], "unchanged")
        same("rows after all", stored(dump, folder) == events, True)
        check_economics(program, folder, own, events)


if __name__ == "__main__":
    if sys.argv[1] == "--train":
        train(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
