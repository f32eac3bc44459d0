#!/usr/bin/env python3
"""A real Slurm runs jobs; what Plimsoll makes of them equals what Slurm itself accounts.

Usage: slurm_e2e.py PLIMSOLL DRIVER. Starts slurmdbd, slurmctld and slurmd with 8 fake GPUs
(slurm_cluster.py), submits jobs of every kind, reads them by `sacct -P` and `sacct --json`
into two databases, and compares:

- GPU-hours by job of `allocate` with AllocTRES x (Elapsed + Suspended) of sacct;
- the facts of text and JSON, column by column, and the two databases' answers;
- the cluster's and each account's GPU-seconds with sreport's, after slurmdbd's hourly roll-up.

Exit code 77: not root, or the programs that `tools/deps test` unpacks are missing.
"""
import datetime
import decimal
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from slurm_cluster import SlurmCluster, servers_root

FORMAT = ("JobID,Cluster,Partition,QOS,Account,User,Submit,Eligible,Start,End,Elapsed,Suspended,State,NCPUS,ReqMem,"
          "ReqTRES,AllocTRES,NodeList,WCKey,Comment,AdminComment,Reservation,Reason,NTasks,"
          "TRESUsageInAve,JobName")
PRICES = """
currency: USD
prices:
  - {provider: on-prem, instance_type: g01, amount: 16.00}
attribution:
  fallbacks:
    - {account: nlp, team: nlp}
    - {account: vision, team: vision}
"""

# The jobs that hold GPUs for some time.
RUNS = {"whole|x", "typed", "cancelled", "requeued", "suspended", "array", "node"}


def ok(condition, message):
    if not condition:
        raise SystemExit("FAILED: " + message)
    print("ok: " + message, flush=True)


class Fleet:
    """Submits jobs and waits for them."""

    def __init__(self, cluster):
        self.cluster = cluster

    def submit(self, name, seconds, *options):
        return self.cluster.run("sbatch", "--parsable", "--output=/dev/null", f"--job-name={name}",
                                "--mem=10M", *options, f"--wrap=sleep {seconds}").strip()

    def states(self, job):
        which = [] if job == "all" else [f"--jobs={job}"]
        out = self.cluster.run("squeue", "--noheader", "--format=%T", *which, check=False)
        return set(out.split())

    def wait_running(self, job):
        self.cluster.wait_for(f"job {job} to run", lambda: self.states(job) == {"RUNNING"})

    def run_jobs(self):
        control = lambda *words: self.cluster.run("scontrol", *words)
        self.submit("whole|x", 2, "--gres=gpu:2", "--account=nlp", "--comment=team=nlp")
        self.submit("typed", 3, "--gres=gpu:h100:1", "--account=vision")
        cancelled = self.submit("cancelled", 60, "--gres=gpu:1")
        requeued = self.submit("requeued", 2, "--gres=gpu:2", "--requeue", "--account=vision")
        self.wait_running(cancelled)
        self.wait_running(requeued)
        time.sleep(1)  # a run that ends within its first second accounts nothing
        self.cluster.run("scancel", cancelled)
        control("requeue", requeued)
        suspended = self.submit("suspended", 3, "--gres=gpu:1")
        self.submit("array", 1, "--gres=gpu:1", "--array=0-3%2")
        never = self.submit("never", 1, "--gres=gpu:8", "--hold")
        self.cluster.run("scancel", never)
        self.wait_running(suspended)
        control("suspend", suspended)
        time.sleep(2)
        middle = self.sacct_text()
        control("resume", suspended)
        # A requeued job waits for two minutes, unless it is told to start.
        self.cluster.wait_for("the requeued job to wait again",
                              lambda: self.states(requeued) == {"PENDING"})
        control("update", f"JobId={requeued}", "StartTime=now")
        self.submit("node", 2, "--gres=gpu:8", "--account=vision")
        self.cluster.wait_for("all jobs to end", lambda: not self.states("all"))
        self.cluster.wait_for("accounting of every end", self.all_accounted)
        return middle

    def all_accounted(self):
        """slurmctld tells slurmdbd of a start and of an end with a moment's delay each."""
        text = self.sacct_text()
        ran = seconds_by_job(text)[0]
        return RUNS == ran.keys() and not re.search(r"\|(RUNNING|PENDING|COMPLETING)\|", text)

    def wait_in_line(self):
        """Jobs that wait as no node is free for them."""
        self.cluster.run("scontrol", "update", "NodeName=g01", "State=DRAIN",
                         "Reason=bad fan State=IDLE")
        waiting = [self.submit("line", 1, "--gres=gpu:2", "--array=3-9%2"),
                   self.submit("steps", 1, "--gres=gpu:h100:1", "--array=1-41:5"),
                   self.submit("alone", 1, "--gres=gpu:4", "--comment=project=x")]
        self.cluster.wait_for("waiting jobs in the accounting",
                              lambda: self.sacct_text().count("|PENDING|") == 3)
        return waiting

    def since(self):
        begin = datetime.datetime.utcnow() - datetime.timedelta(hours=2)
        return begin.strftime("%Y-%m-%dT%H:%M:%S")

    def sacct_text(self):
        return self.cluster.run("sacct", "--allusers", "--duplicates", "--parsable2",
                                "--noconvert", f"--starttime={self.since()}", f"--format={FORMAT}")

    def sacct_json(self):
        return self.cluster.run("sacct", "--allusers", "--duplicates", "--json",
                                f"--starttime={self.since()}")


class Database:
    """One throw-away Plimsoll database in its own folder."""

    def __init__(self, plimsoll, folder):
        self.plimsoll, self.folder = plimsoll, folder
        folder.mkdir()
        (folder / "plimsoll.yaml").write_text(PRICES)

    def run(self, *words):
        done = subprocess.run([self.plimsoll, *words, "--format", "json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, LC_ALL="C.UTF-8"))
        if done.returncode != 0:
            raise SystemExit(f"plimsoll {' '.join(words)}: exit {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def ingest(self, *texts, at=None):
        paths = []
        for name, text in texts:
            (self.folder / name).write_text(text)
            paths.append(name)
        report = self.run("ingest", "slurm", *paths, "--cluster", "hpc",
                          *(["--at", at] if at else []))
        if report["rejected"] or report["rejections"]:
            raise SystemExit(f"FAILED: {paths} were not taken whole: {report}")
        return report

    def allocate(self, window, by):
        return self.run("allocate", "--window", window, "--by", by)


def seconds_of(text):
    days, _, clock = text.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + seconds


def seconds_by_job(text):
    """GPU-seconds by job name and by account, from sacct's rows alone."""
    by_name, by_account = {}, {}
    header, *rows = text.splitlines()
    columns = header.split("|")
    for row in rows:
        job = dict(zip(columns, row.split("|", len(columns) - 1)))
        if "." in job["JobID"]:
            continue
        gpus = re.search(r"gres/gpu=(\d+)", job["AllocTRES"])
        # A suspended job keeps its GPUs: Slurm gives them to nobody else, and counts them.
        held = int(gpus[1] if gpus else 0) * (seconds_of(job["Elapsed"])
                                              + seconds_of(job["Suspended"]))
        if held:
            by_name[job["JobName"]] = by_name.get(job["JobName"], 0) + held
            by_account[job["Account"]] = by_account.get(job["Account"], 0) + held
    return by_name, by_account


def hours_by(rows, key):
    hours = {}
    for row in rows:
        if row[key]:
            hours[row[key]] = hours.get(row[key], 0) + decimal.Decimal(row["gpu_hours"])
    return hours


def same_hours(hours, seconds):
    """Decimal hours of at most nine places are those seconds, each row rounded on its own."""
    return hours.keys() == seconds.keys() and all(
        abs(hours[key] * 3600 - seconds[key]) < decimal.Decimal("0.001") for key in seconds)


def sreport(cluster, driver, env, unit, *report):
    # The roll-up is by hours of Slurm's clock: two before now and two after hold every job.
    out = cluster.run("sreport", "--parsable2", "-t", unit, "-T", "gres/gpu", "cluster", *report,
                      "Start=now-2hours", "End=now+2hours", env=env)
    done = subprocess.run([driver, "sreport"], input=out, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return []
    return [line.split("\t") for line in done.stdout.splitlines()]


def rolled_up(cluster, driver):
    """sreport's figures: {"cluster"|account: GPU-seconds}, and the cluster's in minutes."""
    # slurmdbd sums an hour up once it is over. Started an hour and a bit ahead it does so now.
    cluster.end(cluster.dbd)
    ahead = dict(cluster.env, LD_PRELOAD=str(cluster.faketime), FAKETIME="+3700s")
    cluster.dbd = cluster.start_accounting(env=ahead)
    rows = []

    def summed():
        rows[:] = sreport(cluster, driver, ahead, "Seconds", "Utilization")
        return any(row[4] == "Allocated" and row[5] != "0" for row in rows)
    cluster.wait_for("slurmdbd's roll-up", summed)
    seconds = {"cluster": int(next(row[5] for row in rows if row[4] == "Allocated"))}
    for _, account, login, _, _, value in sreport(cluster, driver, ahead, "Seconds",
                                                  "AccountUtilizationByUser"):
        if not login and account != "root":
            seconds[account] = int(value)
    minutes = sreport(cluster, driver, ahead, "Minutes", "Utilization")
    return seconds, int(next(row[5] for row in minutes if row[4] == "Allocated"))


def compare(cluster, driver, plimsoll, folder, printed):
    middle, text, document, nodes = printed
    now = datetime.datetime.utcnow()
    hour = datetime.timedelta(hours=1)
    window = f"{now - hour:%Y-%m-%dT%H:00Z}/{now + hour:%Y-%m-%dT%H:00Z}"
    of_text, of_json = Database(plimsoll, folder / "text"), Database(plimsoll, folder / "json")
    of_text.ingest(("middle.psv", middle))
    of_text.ingest(("jobs.psv", text), ("nodes.txt", nodes))
    of_json.ingest(("jobs.json", document), ("nodes.txt", nodes))

    by_name, by_account = seconds_by_job(text)
    ok(RUNS == by_name.keys(), f"sacct accounts every job that ran: {by_name}")
    ok(re.search(r"\|00:00:0[1-9]\|COMPLETED\|.*\|suspended$", text, re.M),
       "a job was suspended, and sacct says for how long")
    jobs = hours_by(of_text.allocate(window, "workload"), "workload")
    ok(same_hours(jobs, by_name), "GPU-hours by job are AllocTRES x (Elapsed + Suspended)")
    accounts = hours_by(of_text.allocate(window, "account"), "account")
    ok(same_hours(accounts, by_account), f"GPU-hours by account are: {by_account}")
    by = "workload,account,user,queue,team,class,node,hour"
    ok(of_text.allocate(window, by) == of_json.allocate(window, by),
       "sacct -P (also seen in the middle) and sacct --json give the same allocation")
    total = of_text.allocate(window, "node")
    ok(any(decimal.Decimal(row["cost"]) > 0 for row in total), "the node has its price")

    seconds, minutes = rolled_up(cluster, driver)
    print(f"  sreport: {seconds} seconds, {minutes} minutes", flush=True)
    ok(seconds.pop("cluster") == sum(by_name.values()), "the cluster's total is sreport's")
    ok(same_hours(accounts, seconds), "so is each account's")
    ok(abs(sum(jobs.values()) * 60 - minutes) <= 1, "in minutes too, within its rounding")


def facts(driver, path, text):
    path.write_text(text)
    done = subprocess.run([driver, "facts", path], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: {path}: {done.stderr}")
    return done.stdout.splitlines()


def check_facts(fleet, driver, folder):
    """Text and JSON of one moment say the same in every column."""
    of_text = facts(driver, folder / "facts.psv", fleet.sacct_text())
    of_json = facts(driver, folder / "facts.json", fleet.sacct_json())
    for line in sorted(set(of_text) ^ set(of_json)):
        print("  only in", "text:" if line in of_text else "JSON:", line)
    ok(of_text == of_json, f"text and JSON give the same {len(of_text)} rows")
    pending = [row for row in of_text if row.startswith("pending")]
    devices = sorted(re.search(r"\tdevices=(\d+)\tqueued", row)[1] for row in pending)
    ok(devices == ["14", "4", "9"], f"waiting arrays want the GPUs of all their tasks: {devices}")


def check_conditions(cluster, plimsoll, folder):
    """Nodes that drain, a reservation and a partition are read as this Slurm prints them."""
    cluster.run("scontrol", "create", "reservation", "ReservationName=r1", "StartTime=now",
                "Duration=10", "Accounts=nlp", "Nodes=g01", "Flags=IGNORE_JOBS")
    show = {name: cluster.run("scontrol", "show", name)
            for name in ("node", "reservation", "partition")}
    ok("DRAIN" in show["node"] and "[root@" in show["node"], "scontrol shows the drain")
    database = Database(plimsoll, folder / "conditions")
    report = database.ingest(*((name + ".txt", text) for name, text in show.items()))
    ok(report["accepted"] == 2, "node and reservation are taken")
    ok(len(report["warnings"]) == 1 and "gres/gpu weighs nothing" in report["warnings"][0],
       "billing without GPUs is warned about: " + "; ".join(report["warnings"]))
    ok(any("Mem=0.25G" in text for text in report["ignored"]), "its weights are shown")


def main():
    plimsoll, driver = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    root = servers_root()
    if root is None:
        print("Slurm's programs are not unpacked: run 'tools/deps test'")
        return 77
    if os.geteuid() != 0:
        print("slurmd runs jobs and needs device files: only as root")
        return 77
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="plimsoll-e2e-") as name:
        folder = pathlib.Path(name)
        cluster = SlurmCluster(root, folder / "slurm")
        try:
            cluster.open()
            print(f"Slurm runs after {time.monotonic() - begin:.1f} s", flush=True)
            fleet = Fleet(cluster)
            middle = fleet.run_jobs()
            print(f"jobs ended after {time.monotonic() - begin:.1f} s", flush=True)
            text, document = fleet.sacct_text(), fleet.sacct_json()
            nodes = cluster.run("scontrol", "show", "node")
            waiting = fleet.wait_in_line()
            check_facts(fleet, driver, folder)
            check_conditions(cluster, plimsoll, folder)
            cluster.run("scancel", *waiting)
            compare(cluster, driver, plimsoll, folder, (middle, text, document, nodes))
        finally:
            cluster.stop()
    print(f"done in {time.monotonic() - begin:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
