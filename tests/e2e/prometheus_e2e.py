#!/usr/bin/env python3
"""Real Prometheus and VictoriaMetrics give the facts that the file gives.

Usage: prometheus_e2e.py DRIVER. Generates telemetry (5-minute and 30-second samples, MIG,
label churn, kube-state-metrics), loads it into the servers where they are installed, and
compares the stored facts. A proxy that answers 503 twice and a server that is killed in the
middle and started again give the same facts too. Exit code 77: no server is installed.
"""
import http.server
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

BEGIN = 1764288000  # 2025-11-28T00:00:00Z
DAYS = 2
WINDOW = ["2025-11-28T00:00:00Z", "2025-11-30T00:00:00Z"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def series(name, labels):
    return name + "{" + ",".join(f'{k}="{v}"' for k, v in labels.items()) + "}"


def generate():
    """{metric: [(series text, [(seconds, value text)])]} with times in order per series."""
    rng = random.Random(20251128)
    metrics = {}

    def put(name, labels, points):
        metrics.setdefault(name, []).append((series(name, labels), points))

    def times(step, begin=0, until=DAYS * 86400):
        return range(BEGIN + begin, BEGIN + until, step)

    for gpu in range(3):  # whole cards: one at 30 s, the others at 5 minutes
        step = 30 if gpu == 0 else 300
        base = {"gpu": gpu, "UUID": f"GPU-{gpu:04d}", "modelName": "NVIDIA H100 80GB HBM3"}
        # The exporter is replaced after 30 hours: other instance and hostname label.
        for instance, host, begin, until in (("10.0.0.1:9400", "Hostname", 0, 108000),
                                             ("10.0.0.9:9400", "hostname", 107700, 172800)):
            labels = dict(base, **{host: "node-a", "instance": instance})
            cut = begin + 6 * 3600
            for lo, hi, pod in ((begin, cut, f"train-{gpu}"), (cut, until, f"serve-{gpu}")):
                held = dict(labels, pod=pod, namespace="team-a")
                busy = [(t, f"{rng.randrange(1000001) / 1e6:.6f}") for t in times(step, lo, hi)]
                put("DCGM_FI_PROF_GR_ENGINE_ACTIVE", held, busy)
                if gpu != 1:
                    put("DCGM_FI_PROF_SM_ACTIVE", held,
                        [(t, f"{float(v) * 0.9:.6f}") for t, v in busy if rng.random() > 0.1])
                put("DCGM_FI_DEV_GPU_UTIL", held, [(t, str(rng.randrange(101))) for t, _ in busy])
                put("DCGM_FI_DEV_POWER_USAGE", held,
                    [(t, f"{rng.uniform(60, 700):.3f}") for t, _ in busy])
                put("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", held,  # reset by a reboot
                    [(t, str((t - BEGIN) * 700000 - (begin and 75390000000))) for t, _ in busy])
                put("DCGM_FI_DEV_FB_USED", held, [(t, str(rng.randrange(81000))) for t, _ in busy])
    mig = {"gpu": 7, "UUID": "GPU-mig", "modelName": "NVIDIA A100-SXM4-80GB", "Hostname": "node-b"}
    put("DCGM_FI_DEV_POWER_USAGE", mig, [(t, "240.1") for t in times(300)])
    put("DCGM_FI_PROF_GR_ENGINE_ACTIVE", mig, [(t, "0.402") for t in times(300)])
    for instance, profile in (("2", "3g.40gb"), ("9", "1g.10gb")):
        labels = dict(mig, GPU_I_ID=instance, GPU_I_PROFILE=profile)
        if instance == "2":
            labels.update(exported_pod="infer-a", exported_namespace="prod", pod="exp-1",
                          namespace="ops")
        else:
            labels.update(pod="exp-1", namespace="ops")
        put("DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels,
            [(t, f"{rng.randrange(1200000) / 1e6:.6f}") for t in times(300)])
        put("DCGM_FI_DEV_POWER_USAGE", labels, [(t, "240.1") for t in times(300)])
    put("DCGM_FI_DEV_XID_ERRORS", mig, [(t, "79" if t > BEGIN + 90000 else "0") for t in times(300)])

    amd = {"gpu_id": 0, "gpu_partition_id": 0, "hostname": "node-c", "namespace": "prod",
           "pod": "vllm-0", "job_id": ""}
    put("gpu_gfx_activity", amd, [(t, str(rng.randrange(101))) for t in times(60)])
    put("gpu_energy_consumed", amd, [(t, f"{(t - BEGIN) * 6e8:.10e}") for t in times(60)])
    put("duty_cycle", {"accelerator_id": "7654321-0", "pod": "jax-0", "namespace": "team-a"},
        [(t, "98" if t % 3600 else "9223372036854775794") for t in times(60)])
    put("duty_cycle", {"pod": "motor-0"}, [(t, "5") for t in times(60)])  # no accelerator's

    for node, kind in (("node-a", "spot"), ("node-b", "on-demand")):
        put("kube_node_labels", {"node": node, "label_karpenter_sh_capacity_type": kind,
                                 "label_nvidia_com_gpu_product": "NVIDIA-H100-80GB-HBM3"},
            [(t, "1") for t in times(60)])
        put("kube_node_status_capacity", {"node": node, "resource": "nvidia_com_gpu",
                                          "unit": "integer"}, [(t, "8") for t in times(60)])
        put("kube_node_created", {"node": node}, [(t, "1764000000") for t in times(60)])
    for i in range(12):
        lo = rng.randrange(0, 150000) // 60 * 60
        hi = min(lo + rng.randrange(3600, 60000), DAYS * 86400)
        pod = {"namespace": "team-a", "pod": f"job-{i}", "uid": f"uid-{i}"}
        at = times(60, lo, hi)
        put("kube_pod_info", dict(pod, node="node-a", created_by_kind="Job"),
            [(t, "1") for t in at])
        put("kube_pod_owner", dict(pod, owner_kind="Job", owner_name=f"job-{i}",
                                   owner_is_controller="true"), [(t, "1") for t in at])
        put("kube_pod_labels", dict(pod, label_team="nlp"), [(t, "1") for t in at])
        put("kube_pod_container_resource_requests",
            dict(pod, container="main", node="node-a", resource="nvidia_com_gpu", unit="integer"),
            [(t, str(1 + i % 8)) for t in at])
        put("kube_pod_status_scheduled_time", pod, [(t, str(BEGIN + lo + 7)) for t in at])
        put("kube_pod_status_phase", dict(pod, phase="Running"), [(t, "1") for t in at])
        if i % 3 == 0:  # completed, and still exported
            put("kube_pod_completion_time", pod, [(t, str(BEGIN + hi - 1800)) for t in at])
    put("kube_pod_info", {"namespace": "team-a", "pod": "queued", "uid": "q", "node": ""},
        [(t, "1") for t in times(60, 100000)])
    return metrics


def merged(points_of):
    """Points of series with one text, in order: a server keeps one sample an instant."""
    by_text = {}
    for text, points in points_of:
        by_text.setdefault(text, {}).update(points)
    return {text: sorted(points.items()) for text, points in by_text.items()}


def write_files(metrics, folder):
    openmetrics = os.path.join(folder, "telemetry.om")
    lines = os.path.join(folder, "telemetry.prom")
    with open(openmetrics, "w") as om, open(lines, "w") as prom:
        for name, points_of in metrics.items():
            om.write(f"# TYPE {name} gauge\n")
            for text, points in merged(points_of).items():
                for t, value in points:
                    om.write(f"{text} {value} {t}\n")
                    prom.write(f"{text} {value} {t}000\n")
        om.write("# EOF\n")
    return openmetrics, lines


class Server:
    def __init__(self, command, port, ready, log):
        self.command, self.port, self.ready, self.log = command, port, ready, log
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)
        for _ in range(600):
            try:
                urllib.request.urlopen(self.url + self.ready, timeout=2).read()
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{self.command[0]} did not start")

    def stop(self, sign=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(sign)
            self.process.wait(timeout=30)


def prometheus(folder, openmetrics, log):
    data = os.path.join(folder, "tsdb")
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", openmetrics, data],
                   check=True, stdout=log, stderr=log)
    config = os.path.join(folder, "prometheus.yml")
    with open(config, "w") as f:
        f.write("global: {}\n")
    port = free_port()
    return Server(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={data}",
                   "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{port}"],
                  port, "/-/ready", log)


def victoria(folder, lines, log):
    port = free_port()
    server = Server(["victoria-metrics", f"-storageDataPath={folder}/vm", "-retentionPeriod=100y",
                     f"-httpListenAddr=127.0.0.1:{port}"], port, "/health", log).start()
    with open(lines, "rb") as f:
        urllib.request.urlopen(urllib.request.Request(
            server.url + "/api/v1/import/prometheus", data=f.read(), method="POST")).read()
    urllib.request.urlopen(server.url + "/internal/force_flush").read()
    time.sleep(2)
    return server


class Proxy:
    """Passes requests on; `before(number)` may answer a status instead, or act."""

    def __init__(self, target, before):
        proxy = self
        self.count = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                proxy.count += 1
                status = before(proxy.count)
                body = b'{"status":"error","error":"not now"}'
                if status is None:
                    try:
                        body = urllib.request.urlopen(target + self.path, timeout=60).read()
                        status = 200
                    except OSError:
                        status = 503
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def run(driver, database, *source):
    done = subprocess.run([driver, database, *WINDOW, *source], capture_output=True, text=True,
                          timeout=900)
    print(f"  {source[0]}: exit {done.returncode}, {len(done.stdout.splitlines())} facts; "
          + done.stderr.strip().replace("\n", " / "), flush=True)
    return done


def check(name, wanted, done):
    if done.returncode != 0 or done.stdout != wanted:
        a, b = wanted.splitlines(), done.stdout.splitlines()
        for line in [x for x in a if x not in set(b)][:5]:
            print("  only in the file:  ", line[:300])
        for line in [x for x in b if x not in set(a)][:5]:
            print("  only in the server:", line[:300])
        raise SystemExit(f"FAILED: {name}")
    print(f"ok: {name}", flush=True)


def test_server(driver, server, wanted, folder):
    name = os.path.basename(server.command[0])
    check(f"{name} gives the file's facts", wanted, run(driver, "memory", "url", server.url))
    flaky = Proxy(server.url, lambda n: 503 if n in (2, 3) else None)
    check(f"{name} after 503 twice", wanted, run(driver, "memory", "url", flaky.url))

    database = os.path.join(folder, name + ".duckdb")
    half = Proxy(server.url, lambda n: server.stop(signal.SIGKILL) if n == 640 else None)
    stopped = run(driver, database, "url", half.url)
    if stopped.returncode != 4 or "run the import again" not in stopped.stderr:
        raise SystemExit(f"FAILED: {name} killed in the middle was not noticed")
    server.start()
    after = Proxy(server.url, lambda n: None)
    check(f"{name} killed in the middle, then resumed", wanted,
          run(driver, database, "url", after.url))
    if after.count > half.count:
        raise SystemExit(f"FAILED: {name}: the resumed import began from the start")
    check(f"{name} imported again", wanted, run(driver, database, "url", server.url))


def main():
    driver = sys.argv[1]
    if not (shutil.which("prometheus") and shutil.which("promtool")) \
            and not shutil.which("victoria-metrics"):
        print("neither prometheus nor victoria-metrics is installed")
        return 77
    folder = tempfile.mkdtemp(prefix="plimsoll-prometheus-")
    servers = []
    try:
        openmetrics, lines = write_files(generate(), folder)
        wanted = run(driver, "memory", "file", openmetrics)
        check("OpenMetrics and 0.0.4 files give the same facts", wanted.stdout,
              run(driver, "memory", "file", lines))
        with open(os.path.join(folder, "log"), "w") as log:
            if shutil.which("prometheus") and shutil.which("promtool"):
                servers.append(prometheus(folder, openmetrics, log).start())
            if shutil.which("victoria-metrics"):
                servers.append(victoria(folder, lines, log))
            for server in servers:
                test_server(driver, server, wanted.stdout, folder)
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
