#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The metric table against reality: over many real and made traces, every row that says LIVE is
produced at least once (with a value, or as the refusal that it always is), no row that says PLANNED ever
has a value, and nothing is printed that has no row."""
import collections
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin  # noqa: E402
import made   # noqa: E402
import readings  # noqa: E402
import tap    # noqa: E402
import trace  # noqa: E402

KSGEN = os.path.join(tap.BUILD, "ksgen")
EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")


def table():
    """name or pattern => (state, provenance), from the generator itself."""
    text = subprocess.run([KSGEN, "list-metrics"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {f[0]: (f[1], f[2]) for f in (line.split("\t") for line in text.splitlines())}


def matcher(rows):
    """Finds the row of a printed name: the exact one, else the longest pattern that fits."""
    patterns = [(name, re.compile("^" + re.sub(r"\\\{\w+\\\}", "(?:.+?)", re.escape(name)) + "$"))
                for name in sorted(rows, key=lambda n: -len(re.sub(r"\{\w+\}", "", n))) if "{" in name]

    def find(name):
        if name in rows:
            return name
        return next((p for p, expression in patterns if expression.match(name)), None)
    return find


def made_traces():
    """What public files do not hold: several devices, bad rows, no device table, several configurations."""
    names = {1: "alpha(int)", 2: "beta(int)"}
    mixed = [dict(start=i * 1000, end=i * 1000 + 400 + i, demangledName=1 + i % 2, shortName=1 + i % 2, deviceId=i % 2,
                  gridX=64 * (1 + i % 3), streamId=7 + i % 2) for i in range(90)]
    bad = [dict(start=10, end=10, demangledName=1), dict(start=30, end=20, demangledName=1), dict(start=40, end=90, demangledName=1)]
    graph = [dict(start=i * 1000, end=i * 1000 + 300, demangledName=1, graphNodeId=7 + i) for i in range(3)]
    impossible = [dict(start=10, end=90, demangledName=1, blockX=2048), dict(start=100, end=190, demangledName=2, registersPerThread=None)]
    for name, launches, gpu in (("mixed", mixed, True), ("bad", bad, True), ("nogpu", mixed, False), ("impossible", impossible, True),
                                ("graph", graph, True)):
        path = os.path.join(tap.TMP, name + ".sqlite")
        trace.make(path, launches, names, gpu)
        yield ["--ks-sqlite", path]
    for fill in made.ALL:
        yield ["--ks-sqlite", made.make(fill, gpus=2)]


def device_code():
    """A cubin alone and one beside a recording, with a stand-in for cuobjdump, and a part that cannot be unpacked."""
    one = cubin.elf(80, [cubin.kernel("_Z5alphai")])
    for name, data in (("one.cubin", one), ("odd.fatbin", cubin.fatbin([cubin.member(80, one, flags=0xa011, plain=9)]))):
        with open(os.path.join(tap.TMP, name), "wb") as f:
            f.write(data)
    with open(os.path.join(tap.TMP, "cuobjdump"), "w", encoding="ascii") as f:
        f.write("#!/bin/sh\nprintf 'code for sm_80\\nFunction : _Z5alphai\\n/*0000*/ EXIT ;\\n'\n")
    os.chmod(f.name, 0o755)
    os.environ["KS_TOOL_SEARCH_DIRS"] = tap.TMP
    yield ["--ks-cubin", os.path.join(tap.TMP, "one.cubin")]
    yield ["--ks-cubin", os.path.join(tap.TMP, "odd.fatbin")]
    yield ["--ks-sqlite", os.path.join(tap.TMP, "mixed.sqlite"), "--ks-cubin", os.path.join(tap.TMP, "one.cubin")]


def main():
    tap.need_bin()
    if not os.path.exists(KSGEN):
        tap.skip_all(f"no {KSGEN}")
    rows = table()
    find = matcher(rows)
    with_value, refused, unknown, early = set(), set(), collections.Counter(), collections.Counter()
    runs = [["--ks-synthetic"], ["--ks-sqlite", EXAMPLE], *made_traces(), *device_code()]
    runs += [["--ks-synthetic", "--ks-telemetry", path] for path in readings.make(tap.TMP)]
    real = sorted(glob.glob(os.path.join(tap.SHARED, "data", "nsys-sqlite", "*.sqlite")))
    runs += [["--ks-sqlite", p] for p in real]
    failed = []
    for args in runs:
        r = tap.run(*args, "--set", "full", "--format", "json")
        if r.rc != 0:
            if "not_nsys" not in args[-1]:
                failed.append(f"{args}: exit {r.rc} {r.err[:200]!r}")
            continue
        for k in json.loads(r.out)["kernels"]:
            for m in (m for s in k["sections"] for m in s["metrics"]):
                row = find(m["name"])
                if row is None:
                    unknown[m["name"]] += 1
                elif m["value"] is None:
                    refused.add(row)
                else:
                    with_value.add(row)
                    if rows[row][0] != "LIVE":
                        early[m["name"]] += 1
    tap.none(failed, f"{len(runs)} traces are analysed")
    tap.none([f"{n}: {c} times" for n, c in unknown.items()], "everything printed has a row in the table")
    tap.none([f"{n}: {c} times" for n, c in early.items()], "no planned row has a value")
    live = {n: p for n, (state, p) in rows.items() if state == "LIVE"}
    tap.none(sorted(n for n, p in live.items() if p != "UNAVAILABLE" and n not in with_value),
             f"every live row with a value is produced ({sum(p != 'UNAVAILABLE' for p in live.values())} rows)")
    tap.none(sorted(n for n, p in live.items() if p == "UNAVAILABLE" and n not in refused | with_value),
             f"every live refusal is produced ({sum(p == 'UNAVAILABLE' for p in live.values())} rows)")
    if not real:
        tap.skip(f"no real traces in {tap.SHARED}/data/nsys-sqlite")
    tap.done()


main()
