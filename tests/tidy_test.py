#!/usr/bin/env python3
"""tools/tidy.py finds what it is there to find. Usage: tidy_test.py ROOT"""
import pathlib
import subprocess
import sys
import tempfile

HEAD = "// What it is.\n// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"
BREACHES = {  # file: (text, what tidy says)
    "units/a.h": (HEAD + '#include "store/store.h"\n', "'units' may not include 'store'"),
    "units/b.h": (HEAD + "double price;\n", "'double' is banned here"),
    "units/c.h": (HEAD + "#include <fstream>\n", "the domain does no I/O"),
    "units/d.h": (HEAD + "// " + "x" * 100 + "\n", "more than 100 columns"),
    "units/e.h": ("#pragma once\n", "no SPDX line"),
    "units/f.cc": ("int f;\n", "no test beside it"),
    "units/g.h": (HEAD + "int g;\n" * 260, "more than 250 lines"),
    "units/h_test.cc": ("void F() {\n" + "  ++x;\n" * 80 + "}\n", "function of 81 lines"),
    "nowhere/i.h": (HEAD, "folder is not in tools/layers.txt"),
    "ingest/focus/j.h": (HEAD + '#include "ingest/slurm/x.h"\n',
                         "'ingest/focus' may not include 'ingest/slurm'"),
}


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        tree = pathlib.Path(work)
        (tree / "tools").mkdir()
        (tree / "tools/layers.txt").write_text((root / "tools/layers.txt").read_text())
        for name, (text, _) in BREACHES.items():
            path = tree / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, root / "tools/tidy.py", tree], capture_output=True,
                              text=True)
        missed = [name for name, (_, says) in BREACHES.items()
                  if not any(f"src/{name}:" in line and says in line
                             for line in done.stdout.splitlines())]
        print(done.stdout if missed else f"{len(BREACHES)} breaches found")
        return 1 if missed or done.returncode != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
