#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernel names made by someone who means harm, through every output. The judges are other programs:
Python's JSON and CSV readers, a strict RFC 4180 automaton, xmllint, and a byte automaton for what a
terminal may be sent."""
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

NAMES = [
    b"plain_kernel(float*)",
    b"\x1b]0;owned\x07 title",
    b"\x1b[2J\x1b[31mclear and red",
    b"\x9b31m one-byte CSI",
    "\u009b31m C1 as UTF-8".encode(),
    bytes(range(1, 32)) + b"\x7f",
    b"with\0zero",
    b"line\nfeed\r\nand\rreturn\ttab",
    b"<script>alert('x')</script> & \"quotes\" <!-- ]]> -->",
    b"=HYPERLINK(\"http://x\",\"y\")",
    b"+1+cmd|' /C calc'!A0",
    b"-2+3",
    b"@SUM(1)",
    b"comma, \"quote\", and\r\nnewline",
    "\u202egnp.exe\u2066 bidi \u2069\u200f".encode(),
    "zero\u200bwidth\ufeff \u2028 \u2029 \ufff9".encode(),
    b"\xff\xfe\x80 not UTF-8 \xc0\xaf overlong \xed\xa0\x80 surrogate \xf4\x90\x80\x80 high",
    b"cut \xe4\xb8",
    "核函数<float, 128>(float*) 中文".encode(),
    "\U0001f680 rocket e\u0301 combining".encode(),
    b"back\\slash \\u0041 %s %n {0} {1} ${HOME} `id` $(id)",
    b"   ",
    b"x" * 1_000_000 + b"\x1b[0m",
    "宽".encode() * 300_000,
]
csv.field_size_limit(1 << 30)
FORBIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")


def build():
    path = os.path.join(tap.TMP, "hostile.sqlite")
    launches = []
    for i in range(len(NAMES)):
        for j in range(2):
            start = 1000 * (10 * i + j)
            launches.append(dict(start=start, end=start + 100 + i, demangledName=i + 1, shortName=i + 1, mangledName=i + 1))
    trace.make(path, launches, {i + 1: name for i, name in enumerate(NAMES)})
    return path


# --- the judges ------------------------------------------------------------------------------------------
def terminal_faults(data, colours):
    """A terminal may get printable UTF-8 and newlines; with colours also SGR sequences and nothing else."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        return [f"not UTF-8: {e}"]
    if colours:
        text = re.sub("\x1b\\[[0-9;]*m", "", text)
    bad = {c for c in set(text) if c != "\n" and unicodedata.category(c) in FORBIDDEN_CATEGORIES}
    return [f"U+{ord(c):04X} is sent" for c in sorted(bad)]


def rfc4180_faults(data):
    """Strict: CRLF ends a row, a quote only encloses a cell or is doubled inside, equal cells per row."""
    rows, cells, i, n = [], 0, 0, len(data)
    while i < n:
        cells = 1
        while True:
            if data[i:i + 1] == b'"':
                i += 1
                while True:
                    j = data.find(b'"', i)
                    if j < 0:
                        return ["a quoted cell has no end"]
                    i = j + 1
                    if data[i:i + 1] != b'"':
                        break
                    i += 1
            else:
                m = re.compile(rb'[^",\r\n]*').match(data, i)
                i = m.end()
            if data[i:i + 1] == b",":
                cells += 1
                i += 1
            elif data[i:i + 2] == b"\r\n":
                i += 2
                break
            else:
                return [f"byte {i}: {data[i:i + 20]!r} where a comma or CRLF must stand"]
        rows.append(cells)
    return [] if len(set(rows)) == 1 else [f"rows of different length: {sorted(set(rows))}"]


def csv_faults(data, column, names_wanted):
    bad = rfc4180_faults(data)
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
    kernels = {r[column] for r in rows if r[column] != "(device)"}
    if len(kernels) != names_wanted:
        bad.append(f"{len(kernels)} names, {names_wanted} went in")
    for r in rows:
        for key, cell in r.items():
            if cell and cell[0] in "=@\t\r" or (cell and cell[0] in "+-" and not re.fullmatch(r"[+-]?[0-9.]+(e[+-]?\d+)?", cell)):
                bad.append(f"{key} starts a formula: {cell[:30]!r}")
    return bad[:10]


def json_faults(data, compact=False):
    """Strict JSON without raw control characters; bytes decode as UTF-8."""
    try:
        text = data.decode("utf-8")
        json.loads(text, parse_constant=lambda c: 1 / 0)
    except (UnicodeDecodeError, ValueError, ZeroDivisionError) as e:
        return [f"{type(e).__name__}: {e}"]
    bad = {c for c in set(text) if c != "\n" and unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs")}
    bad |= {c for c in set(text) if unicodedata.category(c) == "Cf"}
    return [f"raw U+{ord(c):04X}" for c in sorted(bad)]


def xml_faults(data):
    if not shutil.which("xmllint"):
        return None
    p = subprocess.run(["xmllint", "--nonet", "--noout", "-"], input=data, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       check=False)
    bad = [p.stdout.decode("utf-8", "replace")[:300]] if p.returncode else []
    if b"<script" in data.lower() or re.search(rb"\son\w+=", data) or b"href" in data:
        bad.append("something in it could act")
    return bad


def main():
    tap.need_bin()
    path = build()
    n = len(NAMES)
    for what, args, colours in (
            ("text", [], False), ("text with every detail", ["--print-details", "all", "--page", "raw"], False),
            ("text in colour", ["--color", "always", "--print-details", "all"], True),
            ("text in Chinese", ["--lang", "zh", "--print-details", "all"], False),
            ("screen", ["--screen", "only"], False), ("summary", ["--print-summary", "per-kernel"], False)):
        for columns in ("40", "80", "200"):
            r = tap.run("--ks-sqlite", path, *args, env={"COLUMNS": columns})
            faults = terminal_faults(r.out, colours) + terminal_faults(r.err, False)
            tap.ok(r.rc == 0 and not faults, f"{what} at {columns} columns is safe for a terminal", f"exit {r.rc}", *faults, r.err[:200])
    for what, args in (("a -k that matches nothing", ["-k", "\x1b[31mno such kernel\u202e"]),
                       ("a wrong option", ["--no-such\x1b[31m"]), ("a wrong section", ["--section", "\x1b]0;x\x07"])):
        r = tap.run("--ks-sqlite", path, *args)
        faults = terminal_faults(r.out, False) + terminal_faults(r.err, False)
        tap.ok(r.rc in (1, 2) and not faults and r.err.count(b"\n") == 1, f"{what}: one safe line",
               f"exit {r.rc}", *faults, r.err[:300])

    r = tap.run("--ks-sqlite", path, "--format", "json")
    tap.none(json_faults(r.out), "JSON report")
    report = json.loads(r.out)
    ours = [k for k in report["kernels"] if k["name"] != "(device)"]
    tap.equal(len({k["name"] for k in ours}), n, "every name stays apart in JSON")
    tap.equal(sum(k["launch_count"] for k in ours), 2 * n, "every launch is counted")
    r = tap.run("--ks-sqlite", path, "--packet", "-")
    tap.none(json_faults(r.out) + (["over 4096 bytes"] if len(r.out.rstrip(b"\n")) > 4096 else []), "packet")
    r = tap.run("--ks-sqlite", path, "--csv")
    tap.none(csv_faults(r.out, "kernel", n), "metric CSV, by two readers")
    r = tap.run("--ks-sqlite", path, "--launch-csv")
    tap.none(csv_faults(r.out, "kernel", n), "launch CSV, by two readers")
    r = tap.run("--ks-sqlite", path, "--format", "svg")
    faults = xml_faults(r.out)
    tap.skip("no xmllint here") if faults is None else tap.none(faults, "SVG, by xmllint")

    prefix = os.path.join(tap.TMP, "r")
    r = tap.run("--ks-sqlite", path, "-o", prefix, "--launch-csv", "--packet", prefix + ".packet.json")
    tap.equal(r.rc, 0, "all files are written")
    faults = []
    for file in glob.glob(prefix + ".*"):
        if file.endswith(".json"):
            with open(file, "rb") as f:
                faults += [f"{os.path.basename(file)}: {x}" for x in json_faults(f.read())]
    tap.none(faults, "the JSON files")
    r = tap.run("-i", prefix + ".ksreport.json", "--csv")
    tap.none(csv_faults(r.out, "kernel", n), "the report read back, as CSV")
    r = tap.run("-i", prefix + ".ksreport.json", "--print-details", "all")
    tap.none(terminal_faults(r.out, False), "the report read back, as text")
    evil = os.path.join(tap.TMP, "a\x1b[31m\nb\u202e.sqlite")
    shutil.copyfile(path, evil)
    r = tap.run("--ks-sqlite", evil)
    tap.none(terminal_faults(r.out, False) + terminal_faults(r.err, False), "a hostile file name")
    r = tap.run("--ks-sqlite", evil + "x")
    tap.ok(r.rc == 1 and not terminal_faults(r.err, False) and r.err.count(b"\n") == 1, "a hostile name of a missing file", r.err[:300])
    tap.done()


main()
