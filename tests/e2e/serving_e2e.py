#!/usr/bin/env python3
"""Serving metrics through a real Prometheus: what is stored is what the engines counted.

Usage: serving_e2e.py PROGRAM SERVING_DUMP recorded|live.

recorded: six hours of pages of a vLLM that restarts, is upgraded (metrics and the model are
renamed) and cannot be scraped for a while, of an SGLang with four tensor-parallel ranks and of an
endpoint picker, loaded into Prometheus with promtool; files, halves and repetition give the same.
live: a server with a metrics page that Prometheus scrapes each second, restarted as another model.
Exit code 77: Prometheus is not installed.
"""
import http.server
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

BEGIN = 1764288000  # 2025-11-28T00:00:00Z
STEP = 15
HOURS = 6
WINDOW = "2025-11-28T00:00:00Z/2025-11-28T06:00:00Z"
TTFT = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0]
TPOT = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
E2E = [0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0]


def number(value):
    return repr(float(value))


class Histogram:
    """As prometheus_client keeps one; values are whole milliseconds."""

    def __init__(self, edges):
        self.edges, self.values = edges, []

    def lines(self, name, labels):
        def line(suffix, more, value):
            inside = ",".join(f'{k}="{v}"' for k, v in {**more, **labels}.items())
            return f"{name}{suffix}{{{inside}}} {number(value)}"

        yield f"# HELP {name} Histogram of {name}."
        yield f"# TYPE {name} histogram"
        for edge in self.edges:
            yield line("_bucket", {"le": number(edge)},
                       sum(v <= round(edge * 1000) for v in self.values))
        yield line("_bucket", {"le": "+Inf"}, len(self.values))
        yield line("_count", {}, len(self.values))
        yield f"{line('_sum', {}, 0).rsplit(' ', 1)[0]} {sum(self.values) / 1000!r}"
        yield line("_created", {}, BEGIN + 0.25)


class Vllm:
    """One process of vLLM. `old`: also the names that a later release dropped."""

    def __init__(self, model, old):
        self.model, self.old, self.was_seen = model, old, False
        self.done = {"stop": 0, "length": 0, "abort": 0}
        self.prompt = self.generated = self.cached = 0
        self.ttft, self.tpot, self.itl, self.e2e = (
            Histogram(TTFT), Histogram(TPOT), Histogram(TPOT), Histogram(E2E))

    def serve(self, rng, truth):
        """One request; adds what it counts to `truth`."""
        reason = rng.choice(["stop", "stop", "stop", "length", "abort"])
        prompt, generated = rng.randrange(20, 900), rng.randrange(2, 60)
        ttft, tpot = rng.randrange(1, 400), rng.randrange(5, 120)
        self.done[reason] += 1
        self.prompt += prompt
        self.generated += generated
        self.cached += prompt // 2
        self.ttft.values.append(ttft)
        self.itl.values.extend([tpot] * (generated - 1))
        counts = {"requests_ok": reason != "abort", "requests_aborted": reason == "abort",
                  "tokens_input": prompt, "tokens_output": generated,
                  "tokens_cached": prompt // 2, **buckets("ttft", TTFT, [ttft]),
                  **buckets("itl", TPOT, [tpot] * (generated - 1))}
        if reason != "abort":
            self.tpot.values.append(tpot)
            self.e2e.values.append(ttft + tpot * (generated - 1))
            counts.update(buckets("e2e", E2E, self.e2e.values[-1:]))
            # A metric that the target never had before counts from its second sample.
            if not self.old and self.was_seen:
                counts.update(buckets("tpot", TPOT, [tpot]))
        for quantity, amount in counts.items():
            key = (self.model, *quantity) if isinstance(quantity, tuple) else (
                self.model, quantity, "", "")
            truth[key] = truth.get(key, 0) + amount

    def page(self):
        labels = {"engine": "0", "model_name": self.model}
        text = ",".join(f'{k}="{v}"' for k, v in labels.items())
        yield "# HELP python_gc_objects_collected_total Objects collected during gc"
        yield "# TYPE python_gc_objects_collected_total counter"
        yield 'python_gc_objects_collected_total{generation="0"} 12345.0'

        def plain(name, kind, value, more=""):
            yield f"# HELP {name} {name}."
            yield f"# TYPE {name} {kind}"
            yield f"{name}{{{more}{text}}} {number(value)}"

        yield from plain("vllm:num_requests_running", "gauge", 3)
        yield from plain("vllm:num_requests_waiting", "gauge", 0)
        names = ["vllm:gpu_cache_usage_perc"] if self.old else []
        for name in names + ["vllm:kv_cache_usage_perc"]:
            yield from plain(name, "gauge", 0.25)
        yield from plain("vllm:prompt_tokens_total", "counter", self.prompt)
        yield from plain("vllm:generation_tokens_total", "counter", self.generated)
        yield from plain("vllm:generation_tokens_created", "gauge", BEGIN)
        if self.old:
            yield from plain("vllm:gpu_prefix_cache_hits_total", "counter", self.cached)
        else:
            yield from plain("vllm:prefix_cache_hits_total", "counter", self.cached)
            yield from plain("vllm:prefix_cache_queries_total", "counter", self.prompt)
            yield from plain("vllm:kv_cache_share", "gauge", 0.25)  # of a release yet to come
        for reason, count in self.done.items():
            yield from plain("vllm:request_success_total", "counter", count,
                             f'finished_reason="{reason}",')
        yield from self.ttft.lines("vllm:time_to_first_token_seconds", labels)
        yield from self.itl.lines("vllm:time_per_output_token_seconds", labels)
        if not self.old:
            yield from self.itl.lines("vllm:inter_token_latency_seconds", labels)
            yield from self.tpot.lines("vllm:request_time_per_output_token_seconds", labels)
        yield from self.e2e.lines("vllm:e2e_request_latency_seconds", labels)
        yield (f'vllm:cache_config_info{{block_size="16",engine="0",num_gpu_blocks="2588"}} 1.0')


def buckets(quantity, edges, values):
    counts = {(quantity, "bucket", str(round(edge * 1e9))):
              sum(v <= round(edge * 1000) for v in values) for edge in edges}
    counts[(quantity, "bucket", "inf")] = len(values)
    counts[(quantity, "sum", "")] = sum(values) * 1000000
    return counts


def series(page, labels):
    """(series text with the target's labels, value) of each sample of a page."""
    extra = ",".join(f'{k}="{v}"' for k, v in labels.items())
    for line in page:
        if line.startswith("#"):
            continue
        text, value = line.rsplit(" ", 1)
        name, _, inside = text.partition("{")
        inside = inside.rstrip("}")
        yield name, name + "{" + inside + ("," if inside else "") + extra + "}", value


# ---- recorded ----------------------------------------------------------------------------

POD = {"namespace": "prod", "pod": "llm-0", "instance": "10.0.0.1:8000", "job": "vllm"}
SGLANG = {"namespace": "prod", "pod": "sg-0", "instance": "10.0.0.2:30000", "job": "sglang"}
EPP = {"namespace": "gateway", "pod": "epp-0", "instance": "10.0.0.3:9090", "job": "epp"}


def record():
    """({metric: {series: [(seconds, value)]}}, truth): what is scraped, and what was counted."""
    rng = random.Random(20251128)
    metrics, truth, lost = {}, {}, {}
    engine = Vllm("llama-8b", old=True)
    sglang = picked = 0

    def scrape(at, page, labels):
        for name, text, value in series(page, labels):
            metrics.setdefault(name, {}).setdefault(text, []).append((at, value))

    def add(key, amount):
        truth[key] = truth.get(key, 0) + amount

    for at in range(BEGIN, BEGIN + HOURS * 3600, STEP):
        since = at - BEGIN
        if since == 2 * 3600 + 600:  # crashes and is back within the hold
            engine = Vllm("llama-8b", old=True)
        if since == 4 * 3600:  # upgraded, and serves another model
            engine = Vllm("llama-8b-v2", old=False)
        down = any(begin <= since < begin + 45 for begin in (2 * 3600 + 600, 4 * 3600))
        unseen = 3 * 3600 <= since < 3 * 3600 + 1200  # nobody scrapes for 20 minutes
        if since > 0 and not down:
            for _ in range(rng.randrange(3)):
                # What is counted between two scrapes that are too far apart is not known.
                gap = 3 * 3600 - STEP < since <= 3 * 3600 + 1200
                engine.serve(rng, lost if gap else truth)
        if not down and not unseen:
            scrape(at, engine.page(), POD)
            engine.was_seen = True
        tokens = rng.randrange(40)
        sglang += tokens
        requests = rng.randrange(4)
        picked += requests
        if since > 0:
            add(("qwen", "tokens_output", "", ""), tokens)
            add(("qwen-front", "requests_all", "", ""), requests)
        for rank in range(4):
            scrape(at, [f'sglang:generation_tokens_total{{engine_type="unified",'
                        f'model_name="qwen",pp_rank="0",tp_rank="{rank}"}} {number(sglang)}'],
                   SGLANG)
        scrape(at, [f'inference_objective_request_total{{model_name="qwen-front",'
                    f'target_model_name="qwen"}} {picked}'], EPP)
        if since % 300 == 0:
            scrape(at, ['DCGM_FI_DEV_GPU_UTIL{UUID="GPU-1",gpu="0"} 50'], {"job": "dcgm"})
    return metrics, truth


def write_files(metrics, folder):
    openmetrics, text = os.path.join(folder, "pages.om"), os.path.join(folder, "pages.prom")
    with open(openmetrics, "w") as om, open(text, "w") as prom:
        for name, all_series in metrics.items():
            om.write(f"# TYPE {name} gauge\n")
            for labels, points in all_series.items():
                for at, value in points:
                    om.write(f"{labels} {value} {at}\n")
                    prom.write(f"{labels} {value} {at}000\n")
        om.write("# EOF\n")
    return openmetrics, text


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Prometheus:
    def __init__(self, folder, config, log):
        self.port = free_port()
        path = os.path.join(folder, "prometheus.yml")
        with open(path, "w") as f:
            f.write(config)
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={path}", f"--storage.tsdb.path={folder}/tsdb",
             "--storage.tsdb.retention.time=100y",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log)
        self.url = f"http://127.0.0.1:{self.port}"
        for _ in range(600):
            try:
                urllib.request.urlopen(self.url + "/-/ready", timeout=2).read()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("prometheus did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def ingest(program, database, *args):
    done = subprocess.run([program, "ingest", "prometheus", *args, "--db", database,
                           "--cluster", "e2e", "--format", "json"],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: {args}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def dump(tool, database):
    done = subprocess.run([tool, database], capture_output=True, text=True, check=True)
    return done.stdout


def totals(text, skip=()):
    """{(model, quantity, part, le): amount}, and covered ms of each."""
    amounts, covered = {}, {}
    for line in text.splitlines():
        _, _, model, quantity, part, le, _, ms, amount, _ = line.split("|")
        if quantity in skip:
            continue
        key = (model, quantity, part, le)
        amounts[key] = amounts.get(key, 0) + int(amount)
        covered[key] = covered.get(key, 0) + int(ms)
    return amounts, covered


def compare(name, wanted, got):
    wanted = {key: int(amount) for key, amount in wanted.items()}
    if wanted != got:
        for key in sorted(set(wanted) | set(got)):
            if wanted.get(key) != got.get(key):
                print(f"  {key}: counted {wanted.get(key)}, stored {got.get(key)}")
        raise SystemExit(f"FAILED: {name}")
    print(f"ok: {name} ({len(got)} sums)", flush=True)


def same(name, wanted, got):
    if wanted != got:
        a, b = wanted.splitlines(), got.splitlines()
        for line in [x for x in a if x not in set(b)][:5]:
            print("  missing:", line)
        for line in [x for x in b if x not in set(a)][:5]:
            print("  instead:", line)
        raise SystemExit(f"FAILED: {name}")
    print(f"ok: {name}", flush=True)


LEVELS = ("running", "waiting", "kv_cache_used")


def recorded(program, tool, folder, log):
    metrics, truth = record()
    openmetrics, text = write_files(metrics, folder)
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", openmetrics,
                    f"{folder}/tsdb"], check=True, stdout=log, stderr=log)
    server = Prometheus(folder, "global: {}\n", log)
    try:
        first = f"{folder}/a.duckdb"
        report = ingest(program, first, server.url, "--window", WINDOW)
        stored = dump(tool, first)
        amounts, covered = totals(stored, LEVELS)
        compare("the increments are what the engines counted", truth, amounts)
        old = covered[("llama-8b", "tokens_output", "", "")]
        new = covered[("llama-8b-v2", "tokens_output", "", "")]
        # All of 6 hours but 20 minutes of gap and the last step; the upgrade is the new one's.
        wanted = (4 * 3600 - 1200 - 2 * STEP, 2 * 3600)
        if (old, new) != (wanted[0] * 1000, wanted[1] * 1000):
            raise SystemExit(f"FAILED: covered {old}, {new} ms, not {wanted} s")
        print("ok: the gap is uncovered time")
        refused = [(r["field"], r["reason"]) for r in report["rejections"]]
        if len(refused) != 1 or refused[0][0] != "vllm:kv_cache_share" \
                or "vllm:kv_cache_usage_perc (vllm 0.9 and later" not in refused[0][1]:
            raise SystemExit(f"FAILED: the unknown name is not refused: {refused}")
        print("ok: a name that no known version has is refused with the nearest one")
        if not any(load["scope"].startswith("usage") and load["rows"] > 0
                   for load in report["loads"]):
            raise SystemExit("FAILED: GPU usage was not read with it")

        again = ingest(program, first, server.url, "--window", WINDOW, "--refresh")
        if any(load["outcome"] != "unchanged" for load in again["loads"]):
            raise SystemExit(f"FAILED: the same again is not unchanged: {again['loads']}")
        same("the same again changes nothing", stored, dump(tool, first))
        ingest(program, f"{folder}/b.duckdb", text, "--window", WINDOW)
        same("the file gives the server's facts", stored, dump(tool, f"{folder}/b.duckdb"))
        for hours in (("03:30", "06:00"), ("00:00", "01:00"), ("01:00", "03:30")):
            begin, until = (f"2025-11-28T{at}:00Z" for at in hours)
            ingest(program, f"{folder}/c.duckdb", server.url, "--window", f"{begin}/{until}",
                   "--refresh")
        same("parts in any order give the whole", stored, dump(tool, f"{folder}/c.duckdb"))
    finally:
        server.stop()


# ---- live --------------------------------------------------------------------------------

class Page:
    """Serves the page of an engine that can be replaced; counts how often it was read."""

    def __init__(self):
        self.engine, self.lock, self.reads = None, threading.Lock(), 0
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with page.lock:
                    body = None
                    if page.engine is not None:
                        body = ("\n".join(page.engine.page()) + "\n").encode()
                        page.reads += 1
                self.send_response(200 if body else 503)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for_reads(self, count):
        wanted = self.reads + count
        for _ in range(600):
            if self.reads >= wanted:
                return
            time.sleep(0.05)
        raise SystemExit("prometheus did not scrape")


def live(program, tool, folder, log):
    rng = random.Random(1)
    truth = {}
    page = Page()
    config = ("global: {scrape_interval: 1s, scrape_timeout: 900ms}\nscrape_configs:\n"
              "- job_name: vllm\n  static_configs:\n"
              f"  - targets: ['127.0.0.1:{page.port}']\n"
              "    labels: {namespace: prod, pod: llm-0}\n")
    with page.lock:
        page.engine = Vllm("llama-8b", old=False)
        page.engine.was_seen = True
        for _ in range(5):  # before anybody looks: not to be counted
            page.engine.serve(rng, {})
    server = Prometheus(folder, config, log)
    try:
        def traffic(seconds):
            for _ in range(seconds * 4):
                with page.lock:
                    page.engine.serve(rng, truth)
                time.sleep(0.25)
            page.wait_for_reads(2)

        page.wait_for_reads(2)
        traffic(6)
        for model in ("llama-8b", "llama-8b-v2"):  # a restart, then a restart as another model
            with page.lock:
                page.engine = None
            time.sleep(2)
            with page.lock:
                page.engine = Vllm(model, old=False)
                page.engine.was_seen = True
            traffic(5)
        page.wait_for_reads(2)
        time.sleep(0.5)
        now = int(time.time())
        window = "/".join(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
                          for at in (now - 300, now + 60))
        ingest(program, f"{folder}/live.duckdb", server.url, "--window", window, "--hold", "10s")
        stored = dump(tool, f"{folder}/live.duckdb")
        amounts, _ = totals(stored, LEVELS)
        compare("each request is counted once over a restart and a rename", truth,
                {key: amount for key, amount in amounts.items() if amount or key in truth})
        if "reset" not in stored:
            raise SystemExit("FAILED: the restart is not marked")
    finally:
        server.stop()
        page.server.shutdown()


def main():
    program, tool, what = sys.argv[1:]
    if not (shutil.which("prometheus") and shutil.which("promtool")):
        print("prometheus is not installed")
        return 77
    folder = tempfile.mkdtemp(prefix="plimsoll-serving-")
    try:
        with open(os.path.join(folder, "log"), "w") as log:
            {"recorded": recorded, "live": live}[what](program, tool, folder, log)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
