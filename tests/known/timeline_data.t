#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The timeline of every real export of ../shared/data/nsys-sqlite: copies, memsets, NVTX ranges by all
four definitions and device unions against NAME.expected.json, integers exactly; and what must add up
on every file whatever is in it: busy and idle to the span, the mix to busy, windows to the whole, own
time and children to the total of a path."""
import collections
import csv
import glob
import io
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
DERIVED = os.path.join(tap.SHARED, "data", "nsys-derived", "power_iteration__baseline.chrome.json")
KINDS = {"1": "htod", "2": "dtoh", "8": "dtod", "10": "ptop", "11": "um_htod", "12": "um_dtoh", "13": "um_dtod"}


def report_of(path, *args):
    r = tap.run("--ks-sqlite", path, "--format", "json", *args)
    return json.loads(r.out) if r.rc == 0 else None


def device_rows(report):
    for k in report["kernels"]:
        if k["name"] == "(device)":
            return {m["name"]: m["value"] for s in k["sections"] for m in s["metrics"]}
    return {}


def ns(ms):
    return None if ms is None else round(ms * 1e6)


# --- against the expected file ---------------------------------------------------------------------------
def wrong_copies(report, expected):
    rows, bad = device_rows(report), []
    want = expected.get("memcpy")
    if want and want["rows"]:
        if rows.get("ks__comm_bytes_total") != want["total_bytes"]:
            bad.append(f"copied bytes {rows.get('ks__comm_bytes_total')}, expected {want['total_bytes']}")
        for kind, w in want["by_kind"].items():
            name = f"ks__comm_bytes_{KINDS.get(kind, 'kind_' + kind)}"
            if rows.get(name) != w["bytes"]:
                bad.append(f"{name} {rows.get(name)}, expected {w['bytes']}")
        got = collections.Counter()
        for k in report["timeline"]["copies"]["kinds"]:
            got[k["kind"]] += k["count"]
        if got != {KINDS.get(k, "kind_" + k): w["count"] for k, w in want["by_kind"].items()}:
            bad.append(f"copies by kind {dict(got)}, expected {want['by_kind']}")
    want = expected.get("memset")
    if want and want["rows"] and rows.get("ks__memset_bytes_total") != want["total_bytes"]:
        bad.append(f"memset bytes {rows.get('ks__memset_bytes_total')}, expected {want['total_bytes']}")
    return bad


def phases_of(path):
    r = tap.run("--ks-sqlite", path, "--format", "nvtx-csv")
    if r.rc != 0:
        return None
    out = {}
    for row in csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline="")):
        out[(row["name"], row.get("domain_id", "0"))] = row
    return out


def integer(text):
    return int(text) if text else None


def wrong_ranges(path, expected):
    want = expected.get("nvtx")
    if not want or not want["rows"]:
        return []
    got, bad = phases_of(path), []
    if got is None:
        return ["--format nvtx-csv failed"]
    # one row of ours holds the ranges of a name in a domain, whatever their type; 0 and NULL are one domain
    sums = collections.defaultdict(lambda: collections.Counter())
    for w in want["ranges"]:
        key = (w["name"], str(w["domain"] or 0))
        for field in ("count", "wall_ns", "launched_kernels", "launched_kernel_ns", "kernel_overlap_ns",
                      "kernel_overlap_same_process_ns", "kernel_overlap_of_union_ns"):
            if w.get(field) is not None:
                sums[key][field] += w[field]
        sums[key]["types"] += 1
    columns = {"count": "instances", "wall_ns": "wall_ns"}
    if expected["kernel_rows"]:
        columns.update({"launched_kernels": "kernels", "launched_kernel_ns": "kernel_ns",
                        "kernel_overlap_ns": "overlap_ns", "kernel_overlap_same_process_ns": "overlap_same_process_ns"})
    for key, w in sums.items():
        g = got.get(key)
        if g is None:
            bad.append(f"missing: {key}")
            continue
        for field, column in columns.items():
            if field in w and integer(g[column]) != w[field]:
                bad.append(f"{key}: {column} {g[column]}, expected {w[field]}")
        if expected["kernel_rows"] and w["types"] == 1 and "kernel_overlap_of_union_ns" in w and \
                integer(g["overlap_of_union_ns"]) != w["kernel_overlap_of_union_ns"]:
            bad.append(f"{key}: overlap_of_union_ns {g['overlap_of_union_ns']}, expected {w['kernel_overlap_of_union_ns']}")
    closed = sum(integer(g["instances"]) for g in got.values())
    if closed != want["closed_ranges"]:
        bad.append(f"{closed} closed ranges, expected {want['closed_ranges']}")
    return bad


def wrong_counts(report, expected):
    want = expected.get("nvtx")
    if not want or not want["rows"]:
        return []
    n = report["timeline"]["nvtx"]
    got = (n["ranges"], n["open_ranges"])
    return [] if got == (want["closed_ranges"], want["open_ranges"]) else \
        [f"ranges, open {got}, expected {want['closed_ranges'], want['open_ranges']}"]


# --- what adds up ------------------------------------------------------------------------------------------
def wrong_sums(report):
    bad, rows = [], device_rows(report)
    span = ns(rows.get("ks__trace_span_ms"))
    for d in report["timeline"]["devices"]:
        n = d["device"] if d["device"] >= 0 else "unknown"
        mix = d["mix_ns"]
        if sum(mix.values()) != span:
            bad.append(f"device {n}: mix {mix} adds up to {sum(mix.values())}, span {span}")
        busy, idle = ns(rows[f"ks__device_{n}__busy_ms"]), ns(rows[f"ks__device_{n}__idle_ms"])
        if busy + idle != span or idle != mix["idle"]:
            bad.append(f"device {n}: busy {busy}, idle {idle}, mix {mix}, span {span}")
    for p in tree_faults(report["timeline"]["nvtx"].get("paths", [])):
        bad.append(p)
    return bad


def tree_faults(paths):
    bad, children = [], collections.Counter()
    for i, p in enumerate(paths):
        if p["parent"] is not None:
            children[p["parent"]] += p["total_ns"]
    for i, p in enumerate(paths):
        children[i] += p["left_out_ns"]
        if p["own_ns"] + children[i] != p["total_ns"]:
            bad.append(f"path {p['name']}: own {p['own_ns']} + children {children[i]} != total {p['total_ns']}")
    return bad


def wrong_trees(report):
    """Per domain the own times and what is in no range are all kernel time."""
    t = report["timeline"]["nvtx"]
    if t["reading"] != "projection":
        return []
    total = sum(k["total_ns"] for k in report["kernels"] if k["name"] != "(device)")
    roots = [p["total_ns"] for p in t["paths"] if p["parent"] is None]
    return [f"root {r} of {total} ns kernel time" for r in roots if r > total]


def folded_sum(path):
    r = tap.run("--ks-sqlite", path, "--format", "folded")
    return sum(int(line.rsplit(b" ", 1)[1]) for line in r.out.splitlines()) if r.rc == 0 else None


ADDITIVE = ("ks__comm_bytes_total", "ks__memset_bytes_total")


def wrong_windows(path, report):
    """Windows that partition the span: kernel time, busy, idle and bytes add up to the whole."""
    rows = device_rows(report)
    # odd places on purpose: inside kernels, gaps and copies as they happen to be
    start, length = report["span"]["start_ns"], ns(rows["ks__trace_span_ms"])
    cuts = sorted({start, start + length // 7, start + length // 3, start + length // 2 + 1, start + length})
    if length < 4:
        return []
    whole = collections.Counter()
    for k in report["kernels"]:
        whole["kernel"] += k["total_ns"] if k["name"] != "(device)" else 0
    for name in ADDITIVE:
        whole[name] += rows.get(name) or 0
    for d in report["timeline"]["devices"]:
        for key, v in d["mix_ns"].items():
            whole[(d["device"], key)] += v
    got = collections.Counter()
    for a, b in zip(cuts, cuts[1:]):
        part = report_of(path, "--within", f"{a}..{b}")
        if part is None:
            return [f"--within {a}..{b} failed"]
        seen = set()
        if "inconsistent_evidence" in json.dumps(part) and "inconsistent_evidence" not in json.dumps(report):
            return [f"--within {a}..{b}: the sanity pass finds a contradiction"]
        for k in part["kernels"]:
            got["kernel"] += k["total_ns"] if k["name"] != "(device)" else 0
        for name in ADDITIVE:
            got[name] += device_rows(part).get(name) or 0
        for d in part["timeline"]["devices"]:
            seen.add(d["device"])
            for key, v in d["mix_ns"].items():
                got[(d["device"], key)] += v
        for d in report["timeline"]["devices"]:
            if d["device"] not in seen:  # no work of the device in this window: all of it is idle
                got[(d["device"], "idle")] += b - a
    return [f"{key}: parts {got[key]}, whole {whole[key]}" for key in set(whole) | set(got) if got[key] != whole[key]]


def test_file(path):
    name = os.path.basename(path)[:-len(".sqlite")]
    with open(path[:-len(".sqlite")] + ".expected.json", encoding="utf-8") as f:
        expected = json.load(f)
    report = report_of(path, "--print-details", "all")
    if report is None:
        tap.ok("not_nsys" in name or "failed_capture" in name, f"{name}: cannot be read")
        return
    if not report.get("timeline"):
        tap.ok(False, f"{name}: no timeline in the report")
        return
    tap.none(wrong_copies(report, expected), f"{name}: copies and memsets")
    tap.none(wrong_counts(report, expected) + wrong_ranges(path, expected), f"{name}: NVTX ranges")
    tap.none(wrong_sums(report) + wrong_trees(report), f"{name}: busy, idle, mix and paths add up")
    if expected["kernel_rows"]:
        total = sum(k["total_ns"] for k in report["kernels"] if k["name"] != "(device)")
        tap.equal(folded_sum(path), total, f"{name}: folded lines add up to the kernel time")
    if expected["kernel_rows"] or (expected.get("memcpy") or {}).get("rows"):
        tap.none(wrong_windows(path, report), f"{name}: windows add up to the whole")


def test_derived():
    """Another tool's Chrome trace of the same capture: kernel time by short name."""
    if not os.path.exists(DERIVED):
        tap.skip("no " + DERIVED)
        return
    with open(DERIVED, encoding="utf-8") as f:
        events = json.load(f)
    want = collections.Counter()
    for e in events:
        if e.get("cat") == "cuda" and e.get("ph") == "X":
            want[e["name"]] += round(e["dur"] * 1000)
    report = report_of(os.path.join(FOLDER, "power_iteration_t4_nvtx_2025.sqlite"), "--kernel-name-base", "function")
    got = {k["name"]: k["total_ns"] for k in report["kernels"] if k["name"] != "(device)"}
    tap.equal(got, dict(want), "nsys-derived: kernel times of another tool's trace of the same capture")
    want = collections.defaultdict(lambda: [0, 0])
    for e in events:
        if e.get("cat") == "nvtx":
            want[e["name"]][0] += 1
            want[e["name"]][1] += round(e["dur"] * 1000)
    ours = collections.defaultdict(lambda: [0, 0])
    for (name, _), row in phases_of(os.path.join(FOLDER, "power_iteration_t4_nvtx_2025.sqlite")).items():
        ours[name][0] += int(row["instances"])
        ours[name][1] += int(row["wall_ns"])
    tap.none([f"{n}: {ours[n]}, there {w}" for n, w in want.items() if ours[n] != w],
             "nsys-derived: number and length of its NVTX ranges")
    want = collections.Counter(e["name"].split("_v")[0] for e in events if e.get("cat") == "cuda_api")
    got = collections.Counter()
    for call in report["timeline"]["api"]:
        got[call["name"].split("_v")[0]] += call["calls"]
    tap.equal(got, want, "nsys-derived: its CUDA calls by name")


def test_overlapping_kernels():
    """Kernels that run at some time in a range, counted pair by pair."""
    path = os.path.join(FOLDER, "power_iteration_t4_nvtx_2025.sqlite")
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    want = collections.Counter(dict(db.execute(
        "select coalesce(n.text, s.value), count(k.start) from NVTX_EVENTS n left join StringIds s on s.id = n.textId "
        "left join CUPTI_ACTIVITY_KIND_KERNEL k on k.start < n.end and k.end > n.start where n.end > n.start group by 1")))
    got = {name: int(row["overlap_kernels"]) for (name, _), row in phases_of(path).items()}
    tap.equal(got, dict(want), "power_iteration: kernels that overlap a range, by its name")


def main():
    tap.need_bin()
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip_all("no " + FOLDER)
    for path in files:
        test_file(path)
    test_derived()
    test_overlapping_kernels()
    tap.done()


main()
