#!/usr/bin/env python3
"""A recorded session of a Kubernetes API server, replayed byte for byte, gives the facts of a list.

Usage: kube_api_e2e.py PLIMSOLL FLEET_DUMP replay|cuts

replay  The session under kube_api_session/ (lists in pages, watches in odd chunks, bookmarks, a
        disconnect in the middle of a line, 429, 410 Gone and what follows) is answered request
        by request; a request that the session does not have fails the test. The facts are those
        of a fresh list of the final objects, but for pods that were gone by then, which a watch
        alone can see; the fresh list on top changes nothing, and allocate says the same.
cuts    The same watch is cut after every so many bytes, again and again at other places; after
        each the facts are the same.
"""
import concurrent.futures
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SESSION = pathlib.Path(__file__).resolve().parent / "kube_api_session"
AT = "2026-01-05T12:00:00Z"


class Api:
    """A server on a free port of loopback; `answer(path, query)` gives the bytes to send, None
    for a watch that nothing more comes of, or "absent"."""

    def __init__(self, answer):
        api = self
        self.requests, self.lock = [], threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(url.query))
                with api.lock:
                    api.requests.append((self.command, url.path, query))
                    sent = answer(url.path, query)
                self.close_connection = True
                if sent is None:
                    time.sleep(min(float(query["timeoutSeconds"]), 30))
                    sent = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                elif sent == "absent":
                    sent = b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}"
                self.wfile.write(sent)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128  # every collection is watched at once

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def kubeconfig(self, folder):
        path = pathlib.Path(folder) / f"kubeconfig-{self.server.server_port}"
        path.write_text(json.dumps({
            "current-context": "c", "contexts": [{"name": "c", "context": {
                "cluster": "k", "user": "u"}}],
            "clusters": [{"name": "k", "cluster": {
                "server": f"http://127.0.0.1:{self.server.server_port}"}}],
            "users": [{"name": "u", "user": {"token": "very-s3cret"}}]}))
        return str(path)


def expect(what, holds, more=""):
    if not holds:
        raise SystemExit(f"FAILED: {what}\n{more}")


def run(*args, code=0):
    done = subprocess.run(args, capture_output=True, text=True, timeout=600)
    expect(f"exit {code} of {' '.join(map(str, args))}", done.returncode == code,
           f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
    expect("no token is printed", "s3cret" not in done.stdout + done.stderr)
    return done


def ingest(program, folder, api, database, watch=None):
    done = run(program, "ingest", "kubernetes", "--api", "--kubeconfig", api.kubeconfig(folder),
               "--cluster", "prod", "--at", AT, "--db", database, "--format", "json",
               *(["--watch", watch] if watch else []))
    return json.loads(done.stdout)


def dump(dumper, database):
    return run(dumper, database).stdout.splitlines()


def allocate(program, database):
    return run(program, "allocate", "--db", database, "--window", "2026-01-05..2026-01-06", "--by",
               "node,namespace,workload_kind,workload,class,hour", "--format", "csv").stdout


def fresh_api():
    fresh = json.loads((SESSION / "fresh.json").read_text())

    def answer(path, _query):
        if path not in fresh:
            return "absent"
        content = json.dumps(fresh[path]).encode()
        return (b"HTTP/1.1 200 OK\r\nContent-Length: " + str(len(content)).encode() +
                b"\r\n\r\n" + content)
    return Api(answer)


def replay_api():
    """Answers with the recorded connections of each path in order, if they are asked for so."""
    left = {}
    for connection in json.loads((SESSION / "session.json").read_text()):
        left.setdefault(connection["path"], []).append(connection)
    known = set(left)
    wrong = []

    def answer(path, query):
        if path not in known:
            return "absent"
        connections = left[path]
        if not connections:
            if "watch" not in query:
                wrong.append((path, query))
            return None if "watch" in query else "absent"
        expected = connections[0]["query"]
        if any(query.get(key) != value for key, value in expected.items()):
            if "watch" in query and "limit" in expected:
                return None
            wrong.append((path, query, expected))
            return "absent"
        return (SESSION / connections.pop(0)["file"]).read_bytes()
    api = Api(answer)
    api.left, api.wrong = left, wrong
    return api


def is_gone(line):
    return "|gone|" in line


def same_facts(what, seen, fresh):
    live = [line for line in seen if not is_gone(line)]
    expect(what, live == fresh, "\n".join(
        ["- " + line for line in fresh if line not in live] +
        ["+ " + line for line in live if line not in fresh]))


def replay(program, dumper, folder):
    listed = f"{folder}/listed.duckdb"
    for seconds in (12, 60, 180):  # a busy machine needs longer
        api, watched = replay_api(), f"{folder}/watched-{seconds}.duckdb"
        report = ingest(program, folder, api, watched, watch=f"{seconds}s")
        if not any(api.left.values()) or api.wrong:
            break
    expect("every request was that of the session", not api.wrong, str(api.wrong))
    expect("the whole session was replayed", not any(api.left.values()),
           str({path: rest for path, rest in api.left.items() if rest}))
    expect("nothing but GET was sent", all(r[0] == "GET" for r in api.requests))
    expect("nothing was refused", report["rejected"] == 0, json.dumps(report))
    ingest(program, folder, fresh_api(), listed)
    seen, fresh = dump(dumper, watched), dump(dumper, listed)
    for table in ("node", "holding", "pending", "node_state", "set_aside", "volume"):
        expect(f"there are facts in {table}", any(line.startswith(table + "|") for line in fresh))
    same_facts("the facts are those of a fresh list", seen, fresh)
    gone = sorted(line.split("|")[5] for line in seen if is_gone(line))
    expect("pods that were gone by then are kept", gone == ["brief", "helper"], str(gone))
    expect("and they have ended", all(f"|{AT}|Cancelled|" in line
                                      for line in seen if is_gone(line)), "\n".join(seen))
    lines = [line for line in allocate(program, watched).splitlines() if ",gone," not in line]
    expect("allocate says the same", lines == allocate(program, listed).splitlines(), str(lines))
    again = ingest(program, folder, fresh_api(), watched)
    expect("a fresh list on top changes nothing", again["loads"][0]["outcome"] == "unchanged",
           json.dumps(again) + "\n" + "\n".join(dump(dumper, watched)))
    print(f"ok: {len(api.requests)} requests replayed; {len(fresh)} facts equal, 2 of pods gone")


def recorded_frames(path):
    """(version, frame) of every whole event of the session's watches of `path`, but for 410."""
    frames = []
    for connection in json.loads((SESSION / "session.json").read_text()):
        raw = (SESSION / connection["file"]).read_bytes()
        if connection["path"] != path or b"chunked" not in raw:
            continue
        rest, stream = raw.split(b"\r\n\r\n", 1)[1], b""
        while rest:
            size, rest = rest.split(b"\r\n", 1)
            stream, rest = stream + rest[:int(size, 16)], rest[int(size, 16) + 2:]
        for line in stream.splitlines(keepends=True):
            if line.endswith(b"\n") and b'"ERROR"' not in line:
                version = int(json.loads(line)["object"]["metadata"]["resourceVersion"])
                frames.append((version, line))
    return sorted(set(frames))


def cut_api(every):
    """Watches of pods break off after `every` bytes of chunks, until nothing is left to send."""
    first = json.loads((SESSION / "session.json").read_text())
    lists = {c["path"]: (SESSION / c["file"]).read_bytes() for c in reversed(first)
             if "limit" in c["query"] and c["query"]["limit"] == "500"}
    pages = [(SESSION / c["file"]).read_bytes() for c in first if c["path"] == "/api/v1/pods"][:2]
    lists["/api/v1/pods"] = pages[0]
    frames = {path: recorded_frames(path) for path in lists}
    # What the pods' second list showed and no event did: `helper` went, `waits-1` came.
    fresh = json.loads((SESSION / "fresh.json").read_text())
    helper = next(p for p in json.loads(pages[1].split(b"\r\n\r\n", 1)[1])["items"])
    waits = next(p for p in fresh["/api/v1/pods"]["items"] if p["metadata"]["name"] == "waits-1")
    for kind, version, pod in (("DELETED", 1099, helper), ("ADDED", 1040, waits)):
        pod["metadata"]["resourceVersion"] = str(version)
        line = json.dumps({"type": kind, "object": {"kind": "Pod", **pod}}).encode() + b"\n"
        frames["/api/v1/pods"] = sorted([*frames["/api/v1/pods"], (version, line)])
    cuts, reached = dict.fromkeys(lists, 0), set()

    def answer(path, query):
        if path not in lists:
            return "absent"
        if "watch" not in query:
            return pages[1] if "continue" in query else lists[path]
        rest = b"".join(line for version, line in frames[path]
                        if version > int(query["resourceVersion"]))
        if not rest:
            reached.add(path)
            return None
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(rest[i:i + 211]), rest[i:i + 211])
                          for i in range(0, len(rest), 211))
        # A line longer than the piece must come through in the end.
        longest = max(len(line) for _, line in frames[path]) * 2
        piece = every if cuts[path] % 2 == 0 else longest
        cuts[path] += 1
        return head + chunks[:piece] if len(chunks) > piece else head + chunks + b"0\r\n\r\n"
    api = Api(answer)
    api.cuts, api.all_reached = cuts, lambda: reached >= set(lists)
    return api


def cuts(program, dumper, folder):
    listed = f"{folder}/listed.duckdb"
    ingest(program, folder, fresh_api(), listed)
    fresh = dump(dumper, listed)

    def one(every):
        # A busy machine may need longer for the same breaks and the waits after them.
        for seconds in (20, 60, 180):
            api, database = cut_api(every), f"{folder}/cut{every}-{seconds}.duckdb"
            ingest(program, folder, api, database, watch=f"{seconds}s")
            if api.all_reached():
                break
        expect(f"the watch cut after {every} bytes comes to its end", api.all_reached())
        same_facts(f"cut after {every} bytes", dump(dumper, database), fresh)
        api.server.shutdown()
        return sum(api.cuts.values())
    # From the first byte of a chunk's head to past the end of the longest line.
    places = list(range(1, 40)) + list(range(40, 3000, 59))
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        total = sum(pool.map(one, places))
    print(f"ok: {len(places)} ways to cut the watch, {total} connections: the same facts")


def main():
    program, dumper = (str(pathlib.Path(arg).resolve()) for arg in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="plimsoll-kube-") as folder:
        {"replay": replay, "cuts": cuts}[sys.argv[3]](program, dumper, folder)


if __name__ == "__main__":
    main()
