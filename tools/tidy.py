#!/usr/bin/env python3
"""Checks that no compiler makes: layers, sizes, banned words, tests beside sources.

Usage: tidy.py ROOT. Prints file:line for each breach and exits 1 if there is one.
The rules are in CONTRIBUTING.md, the layers in tools/layers.txt.
"""
import pathlib
import re
import sys

SOURCE_LINES_MAX = 600
HEADER_LINES_MAX = 250
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100

# pattern -> (what to use instead, path parts where it is allowed). The lists only shrink.
BANNED = {
    r"\b(double|float)\b": ("exact units", (
        "sim/", "purchase/spot/", "api/", "report/chart", "ingest/prometheus/", "demo/", "cli/progress",
        "catalog/", "config/", "base/clock", "ingest/runs/ieee_text",
        "economics/reliability", "purchase/spot/fit_", "capacity/quota/fair_share",
        "capacity/placement/node_score", "capacity/placement/fill", "capacity/queue/multifactor",
        "capacity/sizing/", "capacity/workload/")),
    r"system_clock|steady_clock": ("base/clock.h", ("base/clock",)),
    r"\brand\(|random_device": ("a seeded random stream", ()),
    r"std::cout|std::cerr|\bprintf\(": ("a returned value", ("cli/", "app/")),
    r"std::regex": ("a hand-written match", ()),
    r"\bassert\(": ("PLIMSOLL_CHECK", ()),
    r"T" r"ODO|F" r"IXME|X" r"XX": ("do it now", ()),
    r"<duckdb\.h>": ("the Store interface", ("store/duckdb/",)),
    r"CLI/CLI\.hpp": ("cli/", ("cli/", "app/")),
}
DOMAIN = ("units/", "model/", "catalog/", "allocation/", "sim/", "purchase/", "capacity/")
STARTS_THREADS = ("sim/replications",)  # the only place of the domain
DOMAIN_BANNED = r"<(fstream|thread|mutex|filesystem|sys/\w+\.h|unistd\.h|curl/.*)>|\bgetenv\("


def read_layers(root):
    allowed = {}
    for line in (root / "tools/layers.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            module, _, dependencies = line.partition(":")
            allowed[module.strip()] = set(dependencies.split())
    return allowed


def module_of(path, allowed):
    """The longest folder prefix that is a module: ingest/focus before ingest."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in allowed:
            return "/".join(parts[:length])
    return None


def include_breaches(name, number, line, allowed):
    include = re.match(r'#include "([^"]+)"', line)
    if not include:
        return
    module, target = module_of(name, allowed), module_of(include[1], allowed)
    if target and target != module and target not in allowed[module]:
        yield number, f"'{module}' may not include '{target}' (tools/layers.txt)"


def line_breaches(name, number, line, is_test):
    if len(line) > COLUMNS_MAX:
        yield number, f"more than {COLUMNS_MAX} columns"
    code = re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0]
    for pattern, (instead, places) in BANNED.items():
        text = line if pattern.startswith(("T", "<", "C")) else code
        if not is_test and re.search(pattern, text) and not any(p in name for p in places):
            yield number, f"'{re.search(pattern, text)[0]}' is banned here: use {instead}"
    if (not is_test and name.startswith(DOMAIN) and not name.startswith(STARTS_THREADS)
            and re.search(DOMAIN_BANNED, code)):
        yield number, "the domain does no I/O and starts no threads"


def function_breaches(lines):
    start = None
    for number, line in enumerate(lines, 1):
        if re.match(r"[A-Za-z].*\)( const)?( noexcept)?( override)? \{$", line) or (
                start is None and re.match(r"    .*\)( const)?( noexcept)? \{$", line)
                and re.match(r"[A-Za-z].*[(,]$", lines[number - 2] if number > 1 else "")):
            start = number
        elif line == "}" and start:
            if number - start > FUNCTION_LINES_MAX:
                yield start, f"function of {number - start} lines (at most {FUNCTION_LINES_MAX})"
            start = None


def breaches(root):
    allowed = read_layers(root)
    src = root / "src"
    for path in sorted(src.rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        name = path.relative_to(src).as_posix()
        lines = path.read_text().splitlines()
        is_test = path.stem.endswith(("_test", "_fixture")) or path.stem.startswith("test_")
        if module_of(name, allowed) is None:
            yield name, 1, "folder is not in tools/layers.txt"
            continue
        limit = HEADER_LINES_MAX if path.suffix == ".h" else SOURCE_LINES_MAX
        if len(lines) > limit:
            yield name, len(lines), f"more than {limit} lines"
        if path.suffix == ".h" and "SPDX-License-Identifier" not in "\n".join(lines[:40]):
            yield name, 1, "no SPDX line under the header comment"
        if path.suffix == ".h" and not lines[0].startswith("//"):
            yield name, 1, "a header begins with what it is"
        if path.suffix == ".cc" and not is_test and not has_test(path):
            yield name, 1, "no test beside it"
        for number, line in enumerate(lines, 1):
            for where, what in line_breaches(name, number, line, is_test):
                yield name, where, what
            if not is_test:
                for where, what in include_breaches(name, number, line, allowed):
                    yield name, where, what
        for where, what in function_breaches(lines):
            yield name, where, what


def has_test(path):
    """x.cc has x_test.cc; model's pure tables share names_test.cc; a command is run by tests."""
    if path.with_name(path.stem + "_test.cc").exists():
        return True
    return path.parent.name in ("model", "commands") or path.name == "main.cc"


def main():
    found = list(breaches(pathlib.Path(sys.argv[1])))
    for name, number, what in found:
        print(f"src/{name}:{number}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
