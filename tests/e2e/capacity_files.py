"""A small cluster, a week of its jobs and targets, as files for `plan training`."""
import random

CLUSTER = """
currency: USD
groups:
  - {name: h100, flavor: H100, nodes: 4, gpus: 8, topology: {rack: 2}, purchase: owned,
     prices: {owned: "2.10"}, failures_per_1000_node_days: 6.5, repair: 4h}
  - {name: burst, flavor: H100, nodes: 1, gpus: 8, topology: {rack: 1}, purchase: on-demand,
     prices: {on-demand: "4.80"}}
"""

TARGETS = """
classes:
  - {name: small, gpus_max: 8, within: 1h, share: 90%}
  - {name: large, gpus_min: 9, within: 8h, share: 80%}
gangs:
  - {gpus: 16, domain: rack, within: 8h, probability: 50%}
"""


QUOTA = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: H100}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: research}
spec:
  cohort: all
  preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: H100
      resources: [{name: nvidia.com/gpu, nominalQuota: 24}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: product}
spec:
  cohort: all
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: H100
      resources: [{name: nvidia.com/gpu, nominalQuota: 16, borrowingLimit: 8, lendingLimit: 8}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: train, namespace: lab}
spec: {clusterQueue: research}
"""


def jobs(days=9, seed=5):
    """Some forty jobs a day of 1 to 16 GPUs that run for hours."""
    draw = random.Random(seed)
    rows, hour = ["name,submit,pods,gpus,run"], 0.0
    while hour < 24 * days:
        hour += draw.expovariate(1.7)
        pods, gpus = draw.choices([(1, 1), (1, 4), (1, 8), (2, 8)], [50, 25, 17, 8])[0]
        day, second = int(hour // 24), int(hour % 24 * 3600)
        rows.append(f"job-{len(rows)},2026-11-{1 + day:02}T{second // 3600:02}:"
                    f"{second // 60 % 60:02}:{second % 60:02}Z,{pods},{gpus},"
                    f"{60 + int(draw.expovariate(1 / 7200))}s")
    return "\n".join(rows) + "\n"


def write(folder):
    (folder / "fleet.yaml").write_text(CLUSTER)
    (folder / "week.csv").write_text(jobs())
    head, *rows = jobs().splitlines()
    (folder / "teams.csv").write_text("\n".join([head + ",queue"] + [
        row + (",lab/train" if i % 3 else ",product") for i, row in enumerate(rows)]) + "\n")
    (folder / "kueue.yaml").write_text(QUOTA)
    (folder / "targets.yaml").write_text(TARGETS)
