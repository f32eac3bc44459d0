#!/usr/bin/env python3
"""Writes the session of an API server that kube_api_e2e.py replays.

Usage: kube_api_record.py FOLDER. One file a connection, NN-NAME.http: the bytes that the server
sends, head, chunks and all, up to where it closes or hangs up. session.json says which request
each answers. fresh.json is the list of every collection at the end. The objects are made up; the
form is that of the Kubernetes API: items without kind in lists of built-in kinds, watch frames
a line each, bookmarks with nothing but a version, 410 as an ERROR event in a 200.
"""
import copy
import json
import pathlib
import sys

DAY = "2026-01-05T"


def meta(name, uid, version, namespace=None, owner=None, **more):
    data = {"name": name, "uid": uid, "resourceVersion": str(version),
            "creationTimestamp": DAY + "08:00:00Z", **more,
            "managedFields": [{"manager": "kubelet", "operation": "Update", "apiVersion": "v1",
                               "fieldsType": "FieldsV1", "fieldsV1": {"f:status": {}}}]}
    if namespace:
        data["namespace"] = namespace
    if owner:
        kind, owner_name, owner_uid = owner
        data["ownerReferences"] = [{"apiVersion": "v1", "kind": kind, "name": owner_name,
                                    "uid": owner_uid, "controller": True}]
    return data


def node(name, version, ready="True", since="08:05:00Z", allocatable="8", cordoned=False):
    return {"metadata": meta(name, "uid-" + name, version, labels={
                "nvidia.com/gpu.present": "true", "nvidia.com/gpu.count": "8",
                "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
                "node.kubernetes.io/instance-type": "own.h100"}),
            "spec": {"providerID": "own://" + name, **({"unschedulable": True} if cordoned else {})},
            "status": {"capacity": {"cpu": "96", "memory": "1Ti", "nvidia.com/gpu": "8"},
                       "allocatable": {"cpu": "95", "memory": "1Ti", "nvidia.com/gpu": allocatable},
                       "conditions": [{"type": "Ready", "status": ready, "reason": "Kubelet",
                                       "lastTransitionTime": DAY + since,
                                       "lastHeartbeatTime": DAY + "11:59:00Z"}]}}


def pod(name, version, gpus, at=None, bound=None, ended=None, namespace="ml", owner=None,
        quote='"\\{[', volume=None, **spec):
    limits = {"cpu": "4", "memory": "32Gi", **({"nvidia.com/gpu": str(gpus)} if gpus else {})}
    value = {"metadata": meta(name, "uid-" + name, version, namespace, owner,
                              labels={"team": "nlp"}, annotations={"note": quote + " é"}),
             "spec": {"containers": [{"name": "main", "image": "registry.example/train:1",
                                      "resources": {"limits": limits, "requests": limits}}], **spec},
             "status": {"phase": "Pending", "conditions": []}}
    if volume:
        value["spec"]["volumes"] = [{"name": "d", "persistentVolumeClaim": {"claimName": volume}}]
    if bound:
        value["spec"]["nodeName"] = at
        value["status"] = {"phase": "Running", "startTime": DAY + bound, "conditions": [
            {"type": "PodScheduled", "status": "True", "lastTransitionTime": DAY + bound}],
            "containerStatuses": [{"name": "main", "state": {"running": {
                "startedAt": DAY + bound}}}]}
    if ended:
        value["status"]["phase"] = "Succeeded"
        value["status"]["containerStatuses"][0]["state"] = {"terminated": {
            "startedAt": DAY + bound, "finishedAt": DAY + ended, "reason": "Completed",
            "exitCode": 0}}
    return value


JOB = {"metadata": meta("train-0", "uid-job", 900, "ml", ("JobSet", "train", "uid-jobset"))}
CLAIM = {"metadata": meta("data", "uid-claim", 901, "ml"),
         "spec": {"volumeName": "pv-1", "storageClassName": "gp3"},
         "status": {"capacity": {"storage": "500Gi"}}}
VOLUME = {"metadata": meta("pv-1", "uid-volume", 902),
          "spec": {"csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-0abc"}}}
TEMPLATE = {"metadata": meta("warm", "uid-template", 903, "serving"), "template": {"spec": {
    "containers": [{"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}}


def buffer(version, replicas):
    return {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer",
            "metadata": meta("warm", "uid-buffer", version, "serving"),
            "spec": {"podTemplateRef": {"name": "warm"}, "replicas": replicas},
            "status": {"replicas": replicas}}


def workload(version):
    return {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",
            "metadata": meta("job-late", "uid-workload", version, "ml", ("Job", "late", "uid-late")),
            "spec": {"queueName": "gpu-queue", "podSets": []},
            "status": {"admission": {"clusterQueue": "cq", "podSetAssignments": [
                {"name": "main", "count": 2, "resourceUsage": {"nvidia.com/gpu": "2"}}]},
                "conditions": [{"type": "QuotaReserved", "status": "True",
                                "lastTransitionTime": DAY + "09:00:00Z"}]}}


TRAIN = dict(at="gpu-1", bound="08:10:00Z", owner=("Job", "train-0", "uid-job"), volume="data")
LATE = ("Job", "late", "uid-late")
NODES, PODS = "/api/v1/nodes", "/api/v1/pods"
BUFFERS = "/apis/autoscaling.x-k8s.io/v1beta1/capacitybuffers"

# What there is at the end, by collection: (kind of the list, version, items).
FRESH = {
    NODES: ("NodeList", 1200, [node("gpu-1", 700), node("gpu-2", 1060, since="10:20:00Z"),
                               node("gpu-3", 1150, allocatable="7", cordoned=True)]),
    PODS: ("PodList", 1200, [
        pod("train-0-a", 1030, 8, ended="11:00:00Z", **TRAIN),
        pod("serve-1", 1010, 1, at="gpu-2", bound="09:30:00Z"),
        pod("late-1", 1120, 1, at="gpu-2", bound="10:40:00Z", owner=LATE),
        pod("waits-1", 1040, 4)]),
    "/api/v1/namespaces": ("NamespaceList", 1200, [
        {"metadata": {**meta("ml", "uid-ns", 10), "labels": {"cost-center": "7"}}}]),
    "/api/v1/persistentvolumeclaims": ("PersistentVolumeClaimList", 1200, [CLAIM]),
    "/api/v1/persistentvolumes": ("PersistentVolumeList", 1200, [VOLUME]),
    "/api/v1/podtemplates": ("PodTemplateList", 1200, [TEMPLATE]),
    "/apis/batch/v1/jobs": ("JobList", 1200, [JOB]),
    "/apis/kueue.x-k8s.io/v1beta1/workloads": ("WorkloadList", 1200, [workload(950)]),
    BUFFERS: ("CapacityBufferList", 1200, [buffer(1090, 3)]),
}


def body(kind, version, items, following=""):
    return json.dumps({"kind": kind, "apiVersion": "v1", "metadata": {
        "resourceVersion": str(version), **({"continue": following} if following else {})},
        "items": items}, separators=(",", ":"), ensure_ascii=False).encode()


def listed(content, status="200 OK"):
    return (f"HTTP/1.1 {status}\r\nAudit-Id: 1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n").encode() + content


def frame(kind, value):
    return json.dumps({"type": kind, "object": value}, separators=(",", ":"),
                      ensure_ascii=False).encode() + b"\n"


def event(kind, value, of, api="v1"):
    return frame(kind, {"kind": of, "apiVersion": api, **value})


def bookmark(version, of):
    return event("BOOKMARK", {"metadata": {"resourceVersion": str(version),
                                           "creationTimestamp": None}}, of)


def watched(frames, sizes=(1 << 20,), cut=0, whole=True):
    """The frames in chunks of `sizes` in turn; the last `cut` bytes are not sent."""
    stream = b"".join(frames)
    stream = stream[:len(stream) - cut]
    out = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
           b"Transfer-Encoding: chunked\r\n\r\n")
    turn = 0
    while stream:
        size = sizes[turn % len(sizes)]
        turn += 1
        out += f"{len(stream[:size]):x}\r\n".encode() + stream[:size] + b"\r\n"
        stream = stream[size:]
    return out + (b"0\r\n\r\n" if whole else b"")


GONE = frame("ERROR", {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                       "message": "too old resource version: 1030 (1099)", "reason": "Expired",
                       "code": 410})


def pod_connections():
    begin = [pod("train-0-a", 800, 8, **TRAIN), pod("serve-1", 801, 1),
             pod("helper", 802, 0, at="gpu-1", bound="08:20:00Z", namespace="gone")]
    late = pod("late-1", 1022, 1, owner=LATE)
    first = [event("MODIFIED", pod("serve-1", 1010, 1, at="gpu-2", bound="09:30:00Z"), "Pod"),
             bookmark(1015, "Pod"), event("ADDED", pod("late-1", 1020, 1, owner=LATE), "Pod"),
             event("MODIFIED", late, "Pod")]
    yield PODS, {"limit": "500"}, listed(body("PodList", 1001, begin[:2], "page2"))
    yield PODS, {"continue": "page2"}, listed(body("PodList", 1001, begin[2:]))
    # Hangs up in the middle of the last line, in the middle of a chunk.
    yield PODS, {"resourceVersion": "1001"}, watched(first, (97, 5, 1024), 61, whole=False)
    yield PODS, {"resourceVersion": "1020"}, watched(
        [event("MODIFIED", late, "Pod"),
         event("MODIFIED", pod("train-0-a", 1030, 8, ended="11:00:00Z", **TRAIN), "Pod")], (3, 400))
    yield PODS, {"resourceVersion": "1030"}, watched([GONE])
    # While the watch was blind, `helper` went and `waits-1` came.
    relisted = [p for p in FRESH[PODS][2] if p["metadata"]["name"] != "late-1"]
    yield PODS, {"limit": "500"}, listed(body("PodList", 1100, relisted + [late]))
    yield PODS, {"resourceVersion": "1100"}, watched(
        [event("ADDED", pod("brief", 1105, 0, at="gpu-2", bound="10:30:00Z", namespace="gone"),
               "Pod"),
         event("MODIFIED", FRESH[PODS][2][2], "Pod"),
         event("DELETED", pod("brief", 1130, 0, at="gpu-2", bound="10:30:00Z", namespace="gone"),
               "Pod"), bookmark(1200, "Pod")], (700,))


def connections():
    yield NODES, {"limit": "500"}, listed(body("NodeList", 1000, [node("gpu-1", 700),
                                                                   node("gpu-2", 701)]))
    yield from pod_connections()
    yield NODES, {"resourceVersion": "1000"}, watched(
        [event("MODIFIED", node("gpu-2", 1050, "Unknown", "10:00:00Z"), "Node"),
         event("MODIFIED", FRESH[NODES][2][1], "Node"), bookmark(1065, "Node"),
         event("ADDED", node("gpu-3", 1140), "Node"),
         event("MODIFIED", FRESH[NODES][2][2], "Node")], (2000, 1))
    yield BUFFERS, {"limit": "500"}, listed(body("CapacityBufferList", 1000, [buffer(910, 1)]))
    yield BUFFERS, {"resourceVersion": "1000"}, listed(
        b'{"kind":"Status","message":"slow down","code":429}', "429 Too Many Requests")
    yield BUFFERS, {"resourceVersion": "1000"}, watched(
        [event("MODIFIED", buffer(1090, 3), "CapacityBuffer", "autoscaling.x-k8s.io/v1beta1")])
    for path, (kind, _, items) in FRESH.items():
        if path not in (NODES, PODS, BUFFERS):
            yield path, {"limit": "500"}, listed(body(kind, 1000, items))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    session = []
    for number, (path, query, content) in enumerate(connections()):
        name = f"{number:02}-{path.rsplit('/', 1)[1]}.http"
        (folder / name).write_bytes(content)
        session.append({"path": path, "query": query, "file": name})
    (folder / "session.json").write_text(json.dumps(session, indent=1) + "\n")
    fresh = {path: json.loads(body(kind, version, copy.deepcopy(items)))
             for path, (kind, version, items) in FRESH.items()}
    (folder / "fresh.json").write_text(json.dumps(fresh, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
