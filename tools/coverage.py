#!/usr/bin/env python3
"""Prints line coverage by folder from gcov's JSON. Usage: coverage.py BUILD_DIR"""
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    seen = collections.defaultdict(dict)  # file -> line -> hit
    with tempfile.TemporaryDirectory() as work:
        counters = [str(p) for p in build.rglob("*.gcda")]
        subprocess.run(["gcov", "--json-format", *counters], cwd=work, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for report in pathlib.Path(work).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.open(report).read())["files"]:
                name = file["file"]
                if "/src/" not in name or name.endswith("_test.cc"):
                    continue
                for line in file["lines"]:
                    number = line["line_number"]
                    hit = line["count"] > 0
                    seen[name][number] = seen[name].get(number, False) or hit
    folders = collections.defaultdict(lambda: [0, 0])
    for name, lines in seen.items():
        folder = name.split("/src/")[-1].rsplit("/", 1)[0]
        folders[folder][0] += sum(lines.values())
        folders[folder][1] += len(lines)
    for folder, (hit, total) in sorted(folders.items()):
        print(f"{folder:24} {hit:6} of {total:6} lines  {100 * hit / total:5.1f} %")


if __name__ == "__main__":
    main()
