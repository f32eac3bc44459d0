#!/usr/bin/env python3
"""Published GPU cost cases through the program: every case gives its `expected`.

Usage: gpu_cases_e2e.py PLIMSOLL CONFORMANCE ROOT

Each case of ../shared/data/opencost/gpu_cases.json becomes files (objects of the API server,
telemetry, plimsoll.yaml) and is asked of PLIMSOLL; the cases about sharing idle and shared cost
become a file for CONFORMANCE (allocation_conformance). A case that no function here knows fails,
and so does a function without its case. Prints a line a case and "N shown, N not shown, N failed";
exit 1 if one failed, 77 without ../shared.
"""
import decimal
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gpu_cases_fleet import (BEGIN, Fleet, at, open_metrics, prices, run, samples,  # noqa: E402
                             split)

Decimal = decimal.Decimal
GPU_ONLY = {"nvidia.com/gpu.count": "1"}


class NotShown(Exception):
    """The product cannot give the expected figure yet; the message says why."""


class Context:
    def __init__(self, program, conformance, folder):
        self.program, self.conformance = program, conformance
        self.folder = pathlib.Path(folder)

    def fleet(self, name="fleet", hours=1):
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return Fleet(self.program, folder, hours)


def expect(what, got, expected, tolerance=Decimal(0)):
    if abs(Decimal(got) - Decimal(expected)) > tolerance:
        raise AssertionError(f"{what}: got {got}, expected {expected} (within {tolerance})")


def printed(expected):
    """Half a unit of the last digit that `expected` is printed with."""
    return Decimal(5).scaleb(Decimal(expected).as_tuple().exponent - 1)


def pods_of(case):
    """(name, requests, hours): some cases give the number of replicas alone."""
    for pod in case["input"]["pods"]:
        requests = pod["requests"]
        if not isinstance(requests, dict):
            requests = {"nvidia.com/gpu": requests}
        yield pod["name"], requests, pod["hours"]


# --- One card and those who share it ---


def card_lines(context, case, capacity, labels):
    node = case["input"]["node"]
    fleet = context.fleet().node(capacity=capacity, labels=labels)
    for name, requests, hours in pods_of(case):
        fleet.pod(name, requests, until=hours)
    return fleet.lines(prices(node["usd_per_gpu_hour"]))


def expect_pods(case, lines):
    """per_pod, total, idle or the pods by name, exactly; and nothing else of the card."""
    expected = case["expected"]
    names = [name for name, _, _ in pods_of(case)]
    for name in names:
        expect(name, lines.of_pod(name), expected.get("per_pod", expected.get(name)))
    expect("idle", lines.idle(), expected["idle"])
    node = case["input"]["node"]
    asset = Decimal(node["usd_per_gpu_hour"]) * node["physical_gpus"]
    expect("pods and idle", lines.sum("cost"), asset)
    expect("total", sum(lines.of_pod(name) for name in names),
           expected.get("total", asset - Decimal(expected["idle"])))


def time_sliced(context, case):
    node = case["input"]["node"]
    replicas = node.get("replicas", 4)
    labels = node.get("labels", {"nvidia.com/gpu.replicas": str(replicas),
                                 "nvidia.com/gpu.count": str(node["physical_gpus"])})
    capacity = node.get("capacity", {"nvidia.com/gpu": replicas})
    expect_pods(case, card_lines(context, case, capacity, labels))


def mig(context, case):
    node = case["input"]["node"]
    slices = node["slices"]
    product = "NVIDIA-A100-SXM4-40GB"
    if node["mig_strategy"] == "single":
        labels = {"nvidia.com/gpu.product": f"{product}-MIG-{slices[0]}",
                  "nvidia.com/gpu.count": str(len(slices))}
        capacity = {"nvidia.com/gpu": len(slices)}
    else:
        labels = {"nvidia.com/gpu.product": product, **GPU_ONLY}
        capacity = {f"nvidia.com/mig-{one}": slices.count(one) for one in slices}
    labels["nvidia.com/mig.strategy"] = node["mig_strategy"]
    expect_pods(case, card_lines(context, case, capacity, labels))


def hami_quarter(context, case):
    # HAMi offers each card ten times; what a pod holds is its percentage of the cores.
    lines = card_lines(context, case, {"nvidia.com/gpu": 10}, GPU_ONLY)
    expected = case["expected"]
    for name, _, _ in pods_of(case):
        expect(name, lines.of_pod(name, "gpu_hours"), expected["per_pod_gpu_hours"])
    expect("total", lines.sum("gpu_hours"), expected["total_gpu_hours"])


def koku_mig(context, case):
    given, expected = case["input"], case["expected"]
    profiles = {4: "4g.20gb", 2: "2g.10gb", 1: "1g.5gb"}
    fleet = context.fleet(hours=given["day_hours"])
    fleet.node(capacity={f"nvidia.com/mig-{one}": 1 for one in profiles.values()},
               labels={"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB", **GPU_ONLY})
    for index, pod in enumerate(given["pods"]):
        resource = f"nvidia.com/mig-{profiles[pod['slices']]}"
        fleet.pod(f"p{index}", {resource: 1}, until=pod["hours"])
    lines = fleet.lines(prices(given["rate_usd_per_gpu_hour"]))
    for index, cost in enumerate(expected["pods"]):
        expect(f"p{index}", lines.of_pod(f"p{index}"), cost, printed(cost))
    held = sum(lines.of_pod(f"p{index}") for index in range(len(given["pods"])))
    expect("total", held, expected["total"], printed(expected["total"]))
    expect("unallocated", lines.idle(), expected["unallocated"], printed(expected["unallocated"]))
    expect("the day", lines.sum("cost"), given["rate_usd_per_gpu_hour"] * given["day_hours"])


# The product as GPU feature discovery labels it, and the smallest slice.
SMALLEST_SLICES = {
    "A100": ("NVIDIA-A100-SXM4-40GB", "1g.5gb"),
    "H100": ("NVIDIA-H100-80GB-HBM3", "1g.10gb"),
    "H200": ("NVIDIA-H200", "1g.18gb"),
    "B200": ("NVIDIA-B200", "1g.23gb"),
    "A30": ("NVIDIA-A30", "1g.6gb"),
    "RTX PRO 6000": ("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "1g.24gb"),
    "RTX PRO 5000": ("NVIDIA-RTX-PRO-5000-Blackwell", "1g.24gb"),
}


def max_slices(context, case):
    """One smallest slice of a card that costs as much as it has slices costs 1."""
    missing = []
    for model, slices in case["expected"].items():
        product, profile = SMALLEST_SLICES[model]
        fleet = context.fleet(product).node(
            capacity={f"nvidia.com/mig-{profile}": slices},
            labels={"nvidia.com/gpu.product": product, "nvidia.com/mig.strategy": "mixed",
                    **GPU_ONLY})
        fleet.pod("p0", {f"nvidia.com/mig-{profile}": 1})
        cost = fleet.lines(prices(slices)).of_pod("p0")
        # Cards that the catalog does not have are taken for sevenths.
        if "RTX PRO" in model and cost == (Decimal(slices) / 7).quantize(Decimal("1e-9")):
            missing.append(model)
            continue
        expect(f"a slice of {model}", cost, 1)
    if missing:
        raise NotShown(f"the other models are right; slices of {', '.join(missing)} are taken for "
                       "sevenths, as the catalog does not have them")


# --- How a node's price splits ---


def split_g5(context, case):
    given, expected = case["input"], case["expected"]
    base = {name: Decimal(value) * 1_000_000 for name, value in given["base"].items()}
    weights = split(int(base["gpu"]), int(base["cpu"]), int(base["ram_gib"]))
    fleet = context.fleet().node(capacity={"cpu": given["vcpu"], "memory": f"{given['ram_kib']}Ki",
                                           "nvidia.com/gpu": given["gpus"]})
    lines = fleet.lines(weights + prices(given["node_usd_per_hour"]))
    near = Decimal("1e-5")  # the thread's own rounding
    gib = Decimal(given["ram_kib"]) / 1024 / 1024
    expect("cpu", lines.sum("cpu_cost") / given["vcpu"], expected["cpu_per_core"], near)
    expect("memory", lines.sum("memory_cost") / gib, expected["ram_per_gib"], near)
    expect("gpu", lines.sum("gpu_cost"), expected["gpu"], near)
    expect("sum", lines.sum("cost"), expected["sum"])


def split_spec(context, case):
    """A month is 730 hours; each hour of it is rounded once, to a billionth."""
    base, expected = case["input"]["base"], case["expected"]
    fleet = context.fleet(hours=730)
    fleet.node(capacity={"cpu": 1, "memory": "1Gi", "nvidia.com/gpu": 1})
    lines = fleet.lines(split(base["gpu"], base["cpu"], base["ram"]) +
                        prices(case["input"]["node_usd_per_month"], per="month"))
    for column, name in (("gpu_cost", "gpu"), ("cpu_cost", "cpu"), ("memory_cost", "ram")):
        expect(name, lines.sum(column), expected[name], Decimal("1e-6"))


def scad(context, case):
    given, expected = case["input"], case["expected"]
    weights = given["weights"]
    capacity = {"cpu": given["vcpu"], "memory": f"{given['ram_gb']}Gi"}
    if "gpus" in given:
        capacity["nvidia.com/gpu"] = given["gpus"]
    fleet = context.fleet().node(capacity=capacity)
    lines = fleet.lines(split(weights.get("gpu", 9), weights["cpu"], weights["ram"]) +
                        prices(given["node_usd_per_hour"]))
    got = {"vcpu": lines.sum("cpu_cost") / given["vcpu"],
           "gb": lines.sum("memory_cost") / given["ram_gb"]}
    if "gpus" in given:
        got["gpu"] = lines.sum("gpu_cost") / given["gpus"]
        got["unit"] = got["gpu"] / weights["gpu"]
    for name, value in expected.items():
        expect(name, got[name], value, printed(value))
    expect("the node", lines.sum("cost"), given["node_usd_per_hour"])


def price_unit(context, case):
    """A monthly price says so; what is no unit of time is refused, with the line."""
    given, expected = case["input"]["helm_monthly"], case["expected"]
    fleet = context.fleet().node(capacity={"cpu": 1, "memory": "1Gi", "nvidia.com/gpu": 1})
    weights = split(given["gpu"], given["cpu"], given["ram_gib"])
    monthly = sum(given.values())
    lines = fleet.lines(weights + prices(monthly, per="month"))
    for column, name in (("gpu_cost", "gpu"), ("cpu_cost", "cpu"), ("memory_cost", "ram_gib")):
        expect(name, lines.sum(column), expected[name])
    try:
        fleet.allocate(weights + prices(monthly, per="helm"), "class")
    except AssertionError as refused:
        if not re.search(r"plimsoll\.yaml:\d+: prices\[0\]\.per", str(refused)):
            raise AssertionError(f"a wrong unit is refused without its place: {refused}")
    else:
        raise AssertionError("a price whose unit is not known was taken")


# --- How much of what is held is used ---


def busy(fleet, device, value):
    labels = {"gpu": device, "UUID": f"GPU-{device}", "Hostname": "n1",
              "exported_namespace": "case", "exported_pod": "p0"}
    minutes = range(fleet.hours * 60 + 1)
    metric = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
    return metric, samples(metric, labels, [(minute, value) for minute in minutes])


def eight_gpus(context, case):
    usage = case["input"]["per_device_usage"]
    fleet = context.fleet()
    fleet.node(capacity={"nvidia.com/gpu": len(usage)},
               labels={"nvidia.com/gpu.count": str(len(usage))})
    fleet.pod("p0", {"nvidia.com/gpu": case["input"]["gpuRequestAverage"]})
    fleet.telemetry(open_metrics([busy(fleet, i, value) for i, value in enumerate(usage)]))
    lines = fleet.lines(prices(8), "workload")
    efficiency = lines.of_pod("p0", "gpu_hours_used") / lines.of_pod("p0", "gpu_hours")
    expect("efficiency", efficiency, case["expected"]["gpuEfficiency"])


def usage_lines(context, case, name, util):
    given = case["input"]
    fleet = context.fleet(name, hours=int(given["hours"]))
    fleet.node(capacity={"nvidia.com/gpu": given["gpus"]}, labels=GPU_ONLY)
    fleet.pod("p0", {"nvidia.com/gpu": given["gpus"]})
    if util is not None:
        fleet.telemetry(open_metrics([busy(fleet, 0, util)]))
    return fleet.lines(prices(given["usd_per_gpu_hour"]))


def usage_basis(context, case):
    expected = case["expected"]
    lines = usage_lines(context, case, "as-given", case["input"]["util"])
    expect("allocation", lines.of_pod("p0"), expected["allocation"])
    expect("usage", lines.sum(**{"class": "used"}), expected["usage"])
    expect("workload idle", lines.sum(**{"class": "unused"}), expected["workload_idle"])
    # The note: clamped to 1, and what is missing is not 0.
    lines = usage_lines(context, case, "above-1", "1.4")
    expect("clamped", lines.sum(**{"class": "used"}), expected["allocation"])
    lines = usage_lines(context, case, "missing", None)
    expect("unknown", lines.sum(**{"class": "usage_unknown"}), expected["allocation"])
    expect("used of unknown", len([row for row in lines.rows if row["gpu_hours_used"]]), 0)


# --- Time, repetition, signs ---


def pending_gpu(context, case):
    given, expected = case["input"], case["expected"]
    held, ran = given["pod"]["scheduled_hours"], given["pod"]["running_hours"]
    fleet = context.fleet(hours=held)
    fleet.node(capacity={"nvidia.com/gpu": 1}, labels=GPU_ONLY)
    fleet.pod("p0", {"nvidia.com/gpu": given["pod"]["request"]}, ready=held - ran)
    lines = fleet.lines(prices(given["gpu_usd_per_hour"]))
    expect("pod", lines.of_pod("p0"), expected["pod"])
    expect("start-up", lines.sum(workload="p0", **{"class": "startup"}),
           expected["of_which_startup_wait"])


GPU_POD = {"name": "p0", "requests": {"nvidia_com_gpu": 1}}


def state_metrics(scraper, capacity, pods):
    """kube-state-metrics over an hour as one of its instances is scraped; then the pods are done.
    Amounts are integers by sanitized resource."""
    began = int(BEGIN.timestamp())

    def series(metric, value, **labels):
        labels = {"job": "kube-state-metrics", "instance": scraper, **labels}
        minutes = (60, 61) if metric == "kube_pod_completion_time" else range(0, 62)
        return metric, samples(metric, labels, [(minute, value) for minute in minutes])
    out = [series("kube_node_info", 1, node="n1"),
           series("kube_node_created", began, node="n1"),
           series("kube_node_labels", 1, node="n1",
                  label_node_kubernetes_io_instance_type="case-node")]
    for resource, amount in capacity.items():
        out.append(series("kube_node_status_capacity", amount, node="n1", resource=resource))
    for one in pods:
        pod = {"namespace": "case", "pod": one["name"], "uid": "pod-" + one["name"]}
        out += [series("kube_pod_info", 1, node="n1", **pod),
                series("kube_pod_created", began, **pod),
                series("kube_pod_status_scheduled_time", began, **pod),
                series("kube_pod_completion_time", began + 3600, **pod)]
        for resource, amount in one["requests"].items():
            out.append(series("kube_pod_container_resource_requests", amount, node="n1",
                              container="main", resource=resource, **pod))
    return out


def duplicate_ksm(context, case):
    """Scraped twice, the pod costs what it costs once, and the import says what was double."""
    scrapes = case["input"]["kube_state_metrics_scraped"]
    cost = {}
    for count in (1, scrapes):
        fleet = context.fleet(f"scraped-{count}")
        series = [one for i in range(count)
                  for one in state_metrics(f"10.0.0.{i}:8080", {"nvidia_com_gpu": 2}, [GPU_POD])]
        fleet.telemetry(open_metrics(series))
        cost[count] = fleet.lines(prices(4)).of_pod("p0")
    expect("one scrape", cost[1], 2)
    expect("multiplier", cost[scrapes] / cost[1], case["expected"]["cost_multiplier"])
    done = run(context.program, "ingest", "prometheus",
               context.folder / f"scraped-{scrapes}/telemetry.om", "--db",
               context.folder / "ksm.duckdb", "--format", "json")
    report = json.loads(done.stdout)
    if not any(case["expected"]["warning"] in warning for warning in report["warnings"]):
        raise AssertionError(f"the import does not say what is double: {report['warnings']}")
    once = run(context.program, "ingest", "prometheus",
               context.folder / "scraped-1/telemetry.om", "--db", context.folder / "once.duckdb",
               "--format", "json")
    if any("duplicate" in warning for warning in json.loads(once.stdout)["warnings"]):
        raise AssertionError("one scrape is called double")


def negative_zero(context, case):
    """What is left of a node that is all held is 0, in every format."""
    given = case["input"]
    fleet = context.fleet().node(capacity={"cpu": 10})
    for index, cost in enumerate(given["allocations"]):
        cpu = int(Decimal(cost) / Decimal(given["asset"]) * 10_000)
        fleet.pod(f"p{index}", {"cpu": f"{cpu}m"})
    config = prices(given["asset"])
    lines = fleet.lines(config)
    for index, cost in enumerate(given["allocations"]):
        expect(f"p{index}", lines.of_pod(f"p{index}", "cost"), cost)
    expect("idle", lines.sum("cost", workload=""), case["expected"]["idle"])
    for form in ("json", "csv", "table"):
        text = fleet.allocate(config, "workload,class", form)
        if re.search(r"(?<![\w.])-0(\.0*)?(?![\d.])|\de-\d", text):
            raise AssertionError(f"a negative zero or an exponent in {form}: {text}")


def negative_idle(context, case):
    """The greater of request and use of each; together more than the node has."""
    given, expected = case["input"], case["expected"]
    pods, used = [], []
    for index, one in enumerate(given["containers"]):
        name = f"p{index}"
        pods.append({"name": name, "requests": {"memory": one["req"] << 30} if one["req"] else {}})
        labels = {"job": "kubelet", "namespace": "case", "pod": name, "container": "main"}
        metric = "container_memory_working_set_bytes"
        used.append((metric, samples(metric, labels, [(minute, one["use"] << 30)
                                                      for minute in range(0, 60)])))
    fleet = context.fleet()
    capacity = {"memory": given["node_gb"] << 30}
    fleet.telemetry(open_metrics(state_metrics("10.0.0.1:8080", capacity, pods) + used))
    config = split(9, 0, 1) + prices(given["node_gb"])
    lines = fleet.lines(config)
    expect("idle", lines.sum("memory_cost", workload=""), expected["idle_gb"])
    held = [max(one["req"], one["use"]) for one in given["containers"]]
    for index, gib in enumerate(held):
        share = Decimal(given["node_gb"]) * gib / sum(held)
        expect(f"p{index}", lines.of_pod(f"p{index}", "memory_cost"), share, Decimal("1e-9"))
    expect("containers and idle", lines.sum("cost"), given["node_gb"])
    if any(row["cost"].startswith("-") for row in lines.rows):
        raise AssertionError(f"a negative cost: {lines.rows}")
    notes = fleet.notes(config)
    over = re.search(r"node n1 is over-committed by ([0-9.]+) GiB of memory", notes)
    if not over:
        raise AssertionError(f"over-commit is not said: {notes}")
    expect("over-commit", over[1], expected["over_commit_gb"])


def pvc_shared_time(context, case):
    """A claim at a price for each hour: alone its pod pays all, two at once half each."""
    given, expected = case["input"], case["expected"]
    march = 744  # hours; the price is of a month
    fleet = context.fleet(hours=3).node(capacity={"cpu": 1})
    fleet.claim("data", 1, "fast")
    for pod in given["pods"]:
        fleet.pod(pod["name"], {}, begin=pod["start"], until=pod["end"], claims=["data"])
    price = given["pvc_usd_per_hour"] * march
    lines = fleet.lines(prices(1) + "volume_prices:\n"
                        f"  - {{storage_class: fast, per_gib_month: {price}}}\n")
    for name, cost in expected.items():
        expect(name, lines.of_pod(name, "storage_cost"), cost)
    first = min(pod["start"] for pod in given["pods"])
    expect("the claim's own", lines.of_pod("data", "storage_cost"),
           given["pvc_usd_per_hour"] * first)
    expect("all", lines.sum("storage_cost"), given["pvc_usd_per_hour"] * 3)


# --- Sharing: asked of the program that runs files of allocation cases ---


def conformance(context, name, case_file):
    if not os.path.exists(context.conformance):
        raise NotShown("needs allocation_conformance")
    path = context.folder / f"{name}.json"
    path.write_text(json.dumps(case_file, default=float))
    done = run(context.conformance, path)
    wanted = f"{len(case_file['cases'])} passed, 0 failed"
    if done.returncode != 0 or wanted not in done.stdout:
        raise AssertionError(f"{name}: {done.stdout} {done.stderr}")


def allocation(namespace, node="n1", **costs):
    return {"cluster": "c1", "node": node, "namespace": namespace, "pod": namespace, **costs}


def idle_pool(node="n1", **costs):
    return {"cluster": "c1", "node": node, **costs}


def share_case(name, expected, **more):
    return {"id": name, "aggregate": ["namespace"], "expectedTotalCost": expected, **more}


def idle_no_users(context, case):
    """A node's idle GPU without a GPU workload on it stays idle; nothing is lost."""
    idle = case["input"]["node_idle_gpu_usd"]
    conformance(context, "no-users", {
        "allocations": [allocation("web", cpuCost=5)],
        "idle_by_cluster": [{"cluster": "c1", "gpuCost": idle}],
        "idle_by_node": [idle_pool(gpuCost=idle)],
        "cases": [share_case(f"by node {by_node}", {"web": 5, "__idle__": idle},
                             shareIdle="weighted", idleByNode=by_node, setTotal=5 + idle)
                  for by_node in (False, True)]})


def undistributable(context, case):
    """Kind by kind, as a total could hide that one kind pays for another."""
    given, expected = case["input"], case["expected"]
    kinds = {"cpu": "cpuCost", "gpu": "gpuCost", "ram": "ramCost"}
    for names in (["cpu"], ["gpu"], ["ram"], list(kinds)):
        def costs(of):
            return {kinds[name]: of[name] for name in names}
        totals = {"kubecost": sum(expected["kubecost"][name] for name in names),
                  "__idle__": sum(expected["idle"][name] for name in names)}
        if totals["__idle__"] == 0:
            del totals["__idle__"]
        conformance(context, "undistributable-" + "-".join(names), {
            "allocations": [allocation("kubecost", **costs(given["kubecost"]))],
            "idle_by_cluster": [{"cluster": "c1", **costs(given["idle"])}],
            "cases": [share_case("idle", totals, shareIdle="weighted")]})


def filter_after_share(context, case):
    given, expected = case["input"], case["expected"]
    share = "|".join(f'namespace:"{name}"' for name in given["share"])
    keep = "|".join(f'namespace:"{name}"' for name in given["filter"])
    rest = {name: expected["yellow"] for name in given["allocs"] if name not in given["share"]}
    conformance(context, "filter-after-share", {
        "allocations": [allocation(name, cpuCost=cost) for name, cost in given["allocs"].items()],
        "cases": [share_case("all", rest, share=share, split=given["split"]),
                  share_case("filtered", expected, share=share, split=given["split"],
                             filter=keep)]})


def notebook_idle(context, case):
    """The idle of the notebook's own node is the notebook's; no other namespace pays for it."""
    notebook, idle = case["input"]["notebook_usd"], case["input"]["idle_usd"]
    conformance(context, "notebook-idle", {
        "allocations": [allocation("alice", node="gpu", gpuCost=notebook),
                        allocation("bob", node="cpu", cpuCost=5)],
        "idle_by_node": [idle_pool("gpu", gpuCost=idle)],
        "cases": [share_case("by node", {"alice": notebook + idle, "bob": 5},
                             shareIdle="weighted", idleByNode=True, setTotal=notebook + idle + 5)]})


def build_or_buy(context, case):
    """A million output tokens in an hour that costs what they cost in all, busy for the part
    that the usage basis is of it."""
    given = case["input"]
    hour = Decimal(given["selfhost_allocation_usd_per_m"])
    busy_ms = int(3_600_000 * Decimal(given["usage_basis_usd_per_m"]) / hour)
    log = context.folder / "requests.csv"
    log.write_text("request,arrival,model,ttft_ms,e2e_ms,input_tokens,output_tokens,status\n"
                   f"a,2026-11-16T10:00:00Z,m,100,{busy_ms},10,1000000,ok\n")
    done = run(context.program, "unit", "inference", "--requests", log, "--gpus", "1",
               "--gpu-price", hour, "--window", "2026-11-16T10:00:00Z/2026-11-16T11:00:00Z",
               "--api-price", given["api_usd_per_m"], "--format", "json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    answer = json.loads(done.stdout)
    for key, value in case["expected"].items():
        expect(key, answer[key], value)


CASES = {
    "timeslice-rename-true": time_sliced,
    "timeslice-rename-false": time_sliced,
    "timeslice-partial": time_sliced,
    "mig-single-7x": mig,
    "mig-mixed": mig,
    "hami-quarter": hami_quarter,
    "koku-mig-3": koku_mig,
    "koku-max-slices": max_slices,
    "split-g5.2xlarge": split_g5,
    "split-spec-appendix-A": split_spec,
    "gpu-8x-efficiency": eight_gpus,
    "usage-basis": usage_basis,
    "negative-idle-doc": negative_idle,
    "gpu-idle-no-users": idle_no_users,
    "undistributable-idle": undistributable,
    "pending-gpu": pending_gpu,
    "pvc-shared-time": pvc_shared_time,
    "filter-after-share": filter_after_share,
    "duplicate-ksm": duplicate_ksm,
    "aws-scad-p3.16xlarge": scad,
    "aws-scad-m5.xlarge": scad,
    "llm-buildvsbuy": build_or_buy,
    "notebook-idle": notebook_idle,
    "negative-zero": negative_zero,
    "price-unit": price_unit,
}


def run_case(context, case):
    """"shown", "not shown" or "failed", and why."""
    if case["id"] not in CASES:
        return "failed", "no test knows this case"
    context.folder.mkdir()
    try:
        CASES[case["id"]](context, case)
    except NotShown as why:
        return "not shown", str(why)
    except (AssertionError, ArithmeticError, LookupError, ValueError) as wrong:
        return "failed", f"{type(wrong).__name__}: {wrong}"
    return "shown", ""


def main():
    program, conformance_program, root = sys.argv[1:4]
    shared = pathlib.Path(os.environ.get("PLIMSOLL_SHARED", pathlib.Path(root).parent / "shared"))
    path = shared / "data/opencost/gpu_cases.json"
    if not path.exists():
        print(f"no {path}: the published cases are not here")
        sys.exit(77)
    cases = json.loads(path.read_text(), parse_float=Decimal)["cases"]
    counts = {"shown": 0, "not shown": 0, "failed": 0}

    def tell(name, outcome, why):
        counts[outcome] += 1
        print(f"{outcome}: {name}" + (f": {why}" if why else ""), flush=True)

    with tempfile.TemporaryDirectory(prefix="plimsoll-gpu-cases-") as work:
        for number, case in enumerate(cases):
            folder = pathlib.Path(work) / str(number)
            tell(case["id"], *run_case(Context(program, conformance_program, folder), case))
    for name in sorted(set(CASES) - {case["id"] for case in cases}):
        tell(name, "failed", "the file has no such case")
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
