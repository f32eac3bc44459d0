"""Small clusters as real files, and what plimsoll says of them: for gpu_cases_e2e.py.

A Fleet collects nodes and pods as the API server gives them, writes them with a plimsoll.yaml
into a folder and asks `plimsoll allocate` for lines. Times are hours after BEGIN.
"""
import datetime
import decimal
import json
import pathlib
import subprocess

BEGIN = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
INSTANCE_TYPE = "case-node"
IDLE = ("waste", "stranded", "unavailable")  # classes of time that no pod holds


def at(hours):
    time = BEGIN + datetime.timedelta(seconds=round(float(hours) * 3600))
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def window(hours):
    return f"{at(0)}/{at(hours)}"


def prices(amount, per="hour", instance_type=INSTANCE_TYPE):
    """The `prices` of a plimsoll.yaml: what one node costs."""
    return ("prices:\n  - {provider: on-prem, purchase: owned, instance_type: "
            f"{instance_type}, amount: {amount}, per: {per}}}\n")


def split(gpu, cpu, memory):
    return f"split: {{gpu: {gpu}, cpu: {cpu}, memory: {memory}}}\n"


class Fleet:
    """One case's cluster. `hours` is the time that the case is about."""

    def __init__(self, program, folder, hours=1):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.hours = hours
        self.items = []
        self.sources = []

    def node(self, name="n1", capacity=None, labels=None):
        labels = {"node.kubernetes.io/instance-type": INSTANCE_TYPE, **(labels or {})}
        capacity = {resource: str(count) for resource, count in (capacity or {}).items()}
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady",
                 "lastTransitionTime": at(0), "lastHeartbeatTime": at(self.hours)}
        self.items.append({
            "apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "uid": f"node-{name}", "creationTimestamp": at(0),
                         "labels": labels},
            "spec": {},
            "status": {"capacity": capacity, "allocatable": capacity, "conditions": [ready]}})
        return self

    def pod(self, name, requests, begin=0, until=None, **more):
        """`ready` is when its container started (begin if not given), `namespace` its own,
        `claims` the volume claims that it mounts."""
        until = self.hours if until is None else until
        requests = {resource: str(count) for resource, count in requests.items()}
        scheduled = {"type": "PodScheduled", "status": "True", "lastTransitionTime": at(begin)}
        ended = {"exitCode": 0, "reason": "Completed",
                 "startedAt": at(more.get("ready", begin)), "finishedAt": at(until)}
        self.items.append({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": more.get("namespace", "case"),
                         "uid": f"pod-{name}", "creationTimestamp": at(begin)},
            "spec": {"nodeName": more.get("node", "n1"), "containers": [
                {"name": "main", "resources": {"requests": requests, "limits": requests}}],
                "volumes": [{"name": claim, "persistentVolumeClaim": {"claimName": claim}}
                            for claim in more.get("claims", [])]},
            "status": {"phase": "Succeeded", "startTime": at(begin), "conditions": [scheduled],
                       "containerStatuses": [{"name": "main", "ready": False, "restartCount": 0,
                                              "state": {"terminated": ended}}]}})
        return self

    def claim(self, name, gib, storage_class, begin=0):
        """A volume claim; pods mount it by `claims=[name]`."""
        self.items.append({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": "case", "uid": f"claim-{name}",
                         "creationTimestamp": at(begin)},
            "spec": {"storageClassName": storage_class,
                     "resources": {"requests": {"storage": f"{gib}Gi"}}},
            "status": {"phase": "Bound", "capacity": {"storage": f"{gib}Gi"}}})
        return self

    def telemetry(self, text, name="telemetry.om"):
        path = self.folder / name
        path.write_text(text)
        self.sources += ["--from", f"prometheus={path}"]
        return self

    def allocate(self, config, by, form="json"):
        """The answer's text; a failure of the program fails the case."""
        return self.ask(config, by, form).stdout

    def notes(self, config):
        """What is said beside a table."""
        return self.ask(config, "workload,class", "table").stderr

    def ask(self, config, by, form):
        self.folder.mkdir(parents=True, exist_ok=True)
        yaml = self.folder / "plimsoll.yaml"
        yaml.write_text(config)
        sources = list(self.sources)
        if self.items:
            objects = self.folder / "objects.json"
            objects.write_text(json.dumps({"apiVersion": "v1", "kind": "List",
                                           "items": self.items}))
            sources += ["--from", f"kubernetes={objects}"]
        done = run(self.program, "allocate", "--config", yaml, *sources, "--window",
                   window(self.hours), "--by", by, "--format", form)
        if done.returncode != 0:
            raise AssertionError(f"plimsoll allocate: exit {done.returncode}: {done.stderr}")
        return done

    def lines(self, config, by="workload,class"):
        return Lines(json.loads(self.allocate(config, by)))


def run(*args):
    return subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=300)


class Lines:
    """Rows of an answer, added up as exact decimals."""

    def __init__(self, rows):
        self.rows = rows

    def sum(self, column="gpu_cost", **wanted):
        """Of the rows whose keys are as wanted; a tuple stands for any of its values."""
        def fits(row, key, value):
            return row[key] in value if isinstance(value, tuple) else row[key] == value
        return sum((decimal.Decimal(row[column]) for row in self.rows
                    if all(fits(row, key, value) for key, value in wanted.items())),
                   decimal.Decimal(0))

    def of_pod(self, name, column="gpu_cost"):
        return self.sum(column, workload=name)

    def idle(self, column="gpu_cost"):
        return self.sum(column, workload="", **{"class": IDLE})


def samples(metric, labels, values):
    """OpenMetrics lines of one series: (minute, value) pairs."""
    text = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return [f"{metric}{{{text}}} {value} {int(BEGIN.timestamp()) + minute * 60}"
            for minute, value in values]


def open_metrics(series):
    """A file of (metric, lines): one block a metric, as the format wants it."""
    blocks = {}
    for metric, lines in series:
        blocks.setdefault(metric, []).extend(lines)
    text = ""
    for metric, lines in blocks.items():
        text += f"# TYPE {metric} gauge\n" + "".join(line + "\n" for line in lines)
    return text + "# EOF\n"
