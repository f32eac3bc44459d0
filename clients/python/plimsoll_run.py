"""Writes the event log of a training run (format plimsoll-run/1, one JSON object a line).

    run = plimsoll_run.start("runs/x.jsonl", run="x", gpus=8)
    run.step(step, samples=512, tokens=1048576)
    with run.checkpoint(step): ...

Nothing here makes training fail: an error is warned about once and the log goes on without
it. A line is one write to a file opened for appending, so that a killed process loses at most
the line at hand; what must not be lost (checkpoints, failures, stops) is synced to the disk.
"""
import contextlib
import datetime
import functools
import json
import math
import os
import socket
import threading
import time
import warnings

__all__ = ["FORMAT", "Run", "start"]
__version__ = "0.1.0"

FORMAT = "plimsoll-run/1"
_TAIL_BYTES = 256 * 1024
_RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
_NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"
_SYNCED = ("checkpoint_end", "failure", "stop")


def start(path, run=None, gpus=None, experiment=None, name=None, model=None, labels=None,
          rank=None, environ=None, clock=time.time):
    """Begins the next attempt of a run and returns its Run.

    `path` is the log, appended to; `run` is the run's id (the file's name without its ending
    if not given), `gpus` what the attempt holds from now on. `experiment` names the runs that
    are compared, `labels` is a dict of texts. `rank` and `environ` stand in for the process's
    own.
    """
    log = Run(clock)
    log._open(path, run, gpus, experiment, name, model, labels, rank,
              os.environ if environ is None else environ)
    return log


def _safe(method):
    """What goes wrong in the log is the log's trouble: it is warned about once."""
    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        try:
            return method(self, *args, **kwargs)
        except Exception as failure:  # noqa: BLE001: training goes on whatever it is
            self._warn(failure)
            return None
    return wrapper


class Run:
    """One attempt at a run; made by start(). Safe from several threads."""

    def __init__(self, clock=time.time):
        self._clock = clock
        self._lock = threading.Lock()
        self._file = None
        self._pid = os.getpid()
        self._seq = 0
        self._warned = False
        self.run = None
        self.attempt = 0

    @_safe
    def _open(self, path, run, gpus, experiment, name, model, labels, rank, environ):
        if _rank(rank, environ) != 0:
            return
        path = os.fspath(path)
        self.run = str(run) if run else os.path.splitext(os.path.basename(path))[0]
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        self.attempt, is_cut = _next_attempt(path, self.run)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        if is_cut:  # a killed attempt's last line: what follows begins a line of its own
            os.write(self._file, b"\n")
        fields = {"gpus": _gpus(gpus, environ), "experiment": experiment, "run_name": name,
                  "model": model, "labels": labels}
        fields.update(_place(environ))
        self._write("start", format=FORMAT, **fields)

    @_safe
    def step(self, step, samples=None, tokens=None, metrics=None):
        """`step` is done, with what was trained on since this attempt's step before."""
        self._write("step", step=int(step), samples=_count(samples), tokens=_count(tokens))
        for name, value in (metrics or {}).items():
            self._write("metric", step=int(step), name=str(name), value=_number(value))

    @_safe
    def metric(self, name, value, step=None):
        """Metric `name` has `value` as of `step`."""
        self._write("metric", step=_count(step), name=str(name), value=_number(value))

    @_safe
    def resume(self, step):
        """Work goes on from `step`, which a checkpoint restored (0: from scratch)."""
        self._write("resume", step=int(step))

    @contextlib.contextmanager
    def checkpoint(self, step):
        """Around saving `step`. If the block is left by an error, nothing was saved."""
        self.checkpoint_begin(step)
        yield self
        self.checkpoint_end(step)

    @_safe
    def checkpoint_begin(self, step):
        self._write("checkpoint_begin", step=int(step))

    @_safe
    def checkpoint_end(self, step):
        """What was saved of `step` is durable: a restart can begin from it."""
        self._write("checkpoint_end", step=int(step))

    @contextlib.contextmanager
    def stall(self, name="data"):
        """Around a wait in which no GPU works."""
        self._stall("stall_begin", name)
        try:
            yield self
        finally:
            self._stall("stall_end", name)

    @_safe
    def _stall(self, kind, name):
        self._write(kind, name=str(name))

    @_safe
    def failed(self, reason=""):
        """The attempt failed: nothing more is written of it."""
        self._write("failure", reason=str(reason))
        self._close()

    @_safe
    def stop(self, reason="completed"):
        """The attempt gives its GPUs back: completed, cancelled or preempted."""
        self._write("stop", reason=str(reason))
        self._close()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.stop()
        elif issubclass(kind, KeyboardInterrupt):
            self.stop("cancelled")
        elif not (issubclass(kind, SystemExit) and getattr(error, "code", None) in (None, 0)):
            self.failed("%s: %s" % (kind.__name__, error))
        else:
            self.stop()
        return False

    def _write(self, kind, **fields):
        with self._lock:
            # A forked data loader has the file too, but is not the run.
            if self._file is None or os.getpid() != self._pid:
                return
            line = {"kind": kind, "run": self.run, "attempt": self.attempt,
                    "at": _time(self._clock()), "seq": self._seq}
            line.update((key, value) for key, value in fields.items() if value is not None)
            data = (json.dumps(line, separators=(",", ":"), default=str) + "\n").encode("utf-8")
            self._seq += 1
            while data:
                data = data[os.write(self._file, data):]
            if kind in _SYNCED:
                os.fsync(self._file)

    def _close(self):
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _warn(self, failure):
        if not self._warned:
            self._warned = True
            with contextlib.suppress(Exception):  # also where warnings are errors
                warnings.warn("plimsoll_run: the log of run %s misses events: %s"
                              % (self.run, failure), RuntimeWarning, stacklevel=3)


def _time(seconds):
    at = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _count(value):
    return None if value is None else int(value)


def _number(value):
    """A number as JSON has it; JSON has no word for these, so that they are texts."""
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _rank(rank, environ):
    if rank is not None:
        return int(rank)
    for name in _RANKS:
        if environ.get(name, "").isdigit():
            return int(environ[name])
    return 0


def _whole(environ, name):
    text = environ.get(name, "")
    return int(text) if text.isdigit() else None


def _gpus(gpus, environ):
    if gpus is not None:
        return int(gpus)
    for name in ("PLIMSOLL_GPUS", "SLURM_GPUS"):
        if _whole(environ, name) is not None:
            return _whole(environ, name)
    on_node, nodes = _whole(environ, "SLURM_GPUS_ON_NODE"), _whole(environ, "SLURM_JOB_NUM_NODES")
    if on_node is not None:
        return on_node * (nodes or 1)
    return _whole(environ, "WORLD_SIZE")


def _place(environ):
    """What joins the run to what its job or pod cost."""
    array, task = environ.get("SLURM_ARRAY_JOB_ID"), environ.get("SLURM_ARRAY_TASK_ID")
    place = {
        "job": "%s_%s" % (array, task) if array and task else environ.get("SLURM_JOB_ID"),
        "cluster": environ.get("PLIMSOLL_CLUSTER") or environ.get("SLURM_CLUSTER_NAME"),
        "workload": environ.get("PLIMSOLL_WORKLOAD") or environ.get("JOBSET_NAME"),
        "pod": environ.get("POD_NAME"),
        "namespace": environ.get("POD_NAMESPACE"),
    }
    if environ.get("KUBERNETES_SERVICE_HOST"):
        place["pod"] = place["pod"] or environ.get("HOSTNAME") or socket.gethostname()
        if not place["namespace"]:
            with contextlib.suppress(OSError), open(_NAMESPACE_FILE, encoding="utf-8") as text:
                place["namespace"] = text.read().strip()
    return {key: value for key, value in place.items() if value}


def _attempt_of(line, run):
    """The attempt that a line tells of, or -1 if it is another run's or broken."""
    try:
        event = json.loads(line.decode("utf-8"))
        return int(event.get("attempt", 0)) if event.get("run") == run else -1
    except (ValueError, TypeError, AttributeError):
        return -1


def _next_attempt(path, run):
    """The number of the next attempt, and whether the file ends within a line."""
    try:
        size = os.path.getsize(path)
    except OSError:
        return 0, False
    if size == 0:
        return 0, False
    with open(path, "rb") as log:
        log.seek(size - 1)
        is_cut = log.read(1) != b"\n"
        # The run's last line is nearly always among the last ones.
        for begin in (max(0, size - _TAIL_BYTES), 0):
            log.seek(begin)
            if begin > 0:
                log.readline()
            last = max((_attempt_of(line, run) for line in log), default=-1)
            if last >= 0:
                return last + 1, is_cut
    return 0, is_cut
