#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`find gap` and `show gap:...`: the idle gaps of every real export against the complement of a union that is made
here from the rows Python's sqlite3 selects; and made exports whose gaps are plain from their rows."""
import collections
import glob
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
FAR = 2 ** 63 // 4
TABLES = (("kernel", "KERNEL"), ("copy", "MEMCPY"), ("peer", "MEMCPY2"), ("memset", "MEMSET"))


def gaps(path, *args):
    r = tap.run("find", "gap", path, "--json", *args)
    return (json.loads(r.out) if r.rc == 0 else None), r


def columns(db, name):
    return {r[1] for r in db.execute(f'PRAGMA table_info("{name}")')}


def work_of(db):
    """(device, start, end, id) of all that ran; a device is a GPU of the file where its tables say which."""
    gpu = {}
    if {"gpuId", "cudaId", "pid"} <= columns(db, "TARGET_INFO_CUDA_DEVICE"):
        gpu = {(pid, cuda): ("gpu", g) for g, cuda, pid in db.execute("SELECT gpuId, cudaId, pid FROM TARGET_INFO_CUDA_DEVICE")}
    for word, table in TABLES:
        name = "CUPTI_ACTIVITY_KIND_" + table
        have = columns(db, name)
        if not have:
            continue
        process = "globalPid" if "globalPid" in have else "NULL"
        for row, start, end, device, gpid in db.execute(f'SELECT rowid, start, "end", deviceId, {process} FROM {name}'):
            if start is None or end is None or end <= start or abs(start) > FAR or abs(end) > FAR:
                continue
            pid = None if gpid is None else gpid >> 24 & 0xFFFFFF
            yield gpu.get((pid, device), device), start, end, f"{word}:{'-' if pid is None else pid}:{row}"


def expected(db):
    """By device its gaps in order of time: (start, duration, what may stand before, what may stand after)."""
    by_device = collections.defaultdict(list)
    for device, start, end, event in work_of(db):
        by_device[device].append((start, end, event))
    out = []
    for rows in by_device.values():
        ends, starts = collections.defaultdict(set), collections.defaultdict(set)
        union = []
        for start, end, event in sorted(rows):
            ends[end].add(event)
            starts[start].add(event)
            if union and start <= union[-1][1]:
                union[-1][1] = max(union[-1][1], end)
            else:
                union.append([start, end])
        out.append([(a[1], b[0] - a[1], ends[a[1]], starts[b[0]]) for a, b in zip(union, union[1:])])
    return [o for o in out if o]


def same(items, want):
    """Whether the gaps of one device, in order, are those."""
    return len(items) == len(want) and all(
        (i["start_ns"], i["duration_ns"]) == w[:2] and i["before"]["id"] in w[2] and i["after"]["id"] in w[3] for i, w in zip(items, want))


def wrong(path, db):
    want = expected(db)
    got, r = gaps(path, "--limit", "1000000")
    if got is None:
        return 0, [f"rc {r.rc} {r.err[:200]!r}"]
    bad, n = [], sum(len(w) for w in want)
    if got["total"] != n or got["shown"] != n:
        bad.append(f"total {got['total']}, not {n}")
    ours = collections.defaultdict(list)
    for i in got["items"]:
        ours[i["device"]].append(i)
    for device, items in ours.items():
        if [i["id"] for i in items] != [f"gap:{device}:{k + 1}" for k in range(len(items))]:
            bad.append(f"device {device}: ids {[i['id'] for i in items][:3]}")
        if not any(same(items, w) for w in want):
            bad.append(f"device {device}: not the gaps of any device of the tables")
    if len(ours) != len(want):
        bad.append(f"{len(ours)} devices, not {len(want)}")
    bad += wrong_beside_report(path, got["items"])
    return n, bad + (wrong_choice(path, [g[:2] for w in want for g in w]) if n else [])


def wrong_beside_report(path, items):
    """The gaps that a report lists are among them, but for those at an end of its span."""
    r = tap.run("--ks-sqlite", path, "--format", "json", "--no-case", "--quiet")
    listed = json.loads(r.out).get("timeline", {}).get("idle_gaps", []) if r.rc == 0 else []
    have = {(i["device"], i["start_ns"], i["start_ns"] + i["duration_ns"]) for i in items}
    return [f"the report has {g}" for g in listed if g["before"] and g["after"] and (g["device"], g["start_ns"], g["end_ns"]) not in have]


def wrong_choice(path, all_gaps):
    """The longest five of those of at least the median length, in the middle half of the time."""
    least = sorted(g[1] for g in all_gaps)[len(all_gaps) // 2]
    first, last = min(g[0] for g in all_gaps), max(g[0] + g[1] for g in all_gaps)
    a, b = first + (last - first) // 4, first + (last - first) * 3 // 4
    if a >= b:
        return []
    fit = [g for g in all_gaps if g[1] >= least and g[0] + g[1] > a and g[0] < b]
    got, r = gaps(path, "--min-duration", str(least), "--within", f"{a}..{b}", "--sort", "duration", "--limit", "5")
    if got is None:
        return [f"rc {r.rc} {r.err[:200]!r}"]
    longest = sorted((-g[1], g[0]) for g in fit)[:5]
    bad = [] if got["total"] == len(fit) else [f"{got['total']} fit, not {len(fit)}"]
    return bad + ([] if [(-i["duration_ns"], i["start_ns"]) for i in got["items"]] == longest else ["not the longest"])


def wrong_shown(path):
    """A gap is shown with the call and the ranges of what ends it."""
    got, _ = gaps(path, "--limit", "3", "--sort", "duration")
    bad = []
    for item in got["items"] if got else []:
        r = tap.run("show", item["id"], path, "--json")
        after = tap.run("show", item["after"]["id"], path, "--json")
        if r.rc != 0 or after.rc != 0:
            bad.append(f"{item['id']}: rc {r.rc} {r.err[:200]!r}")
            continue
        gap, end = json.loads(r.out), json.loads(after.out)
        if gap["event"] != {"kind": "gap", **item} or gap["before"]["id"] != item["before"]["id"] or gap["after"] != end["event"]:
            bad.append(f"{item['id']}: {gap['event']} {gap['after']}")
        if any(gap[k] != end[k] for k in ("launch_call", "range_path", "step")):
            bad.append(f"{item['id']}: not the call of what ends it")
    return bad


def real_data():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("../shared/data is not here")
    total = 0
    for path in files:
        if tap.run("stats", "cuda_gpu_kern_sum", path).rc != 0 and gaps(path)[0] is None:
            continue
        db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        n, bad = wrong(path, db)
        db.close()
        total += n
        bad += wrong_shown(path)
        tap.ok(not bad, f"{os.path.basename(path)}: {n} gaps are the complement of the union", *bad[:8])
    tap.ok(not files or total > 20000, f"{total} gaps were compared")


def fill(db):
    db.kernel(100, 200, "first()")                               # row 1
    db.launch(150, 200, 300, "next()", 5)                        # 2: touches, no gap
    db.copy(250, 350, 64)                                        # overlaps
    db.kernel(400, 500, "b()", streamId=9)                       # gap 1: 350 ... 400
    db.memset(400, 450, 8)                                       # begins with it: a kernel goes before
    db.kernel(460, 500, "c()")                                   # ends with b: b goes before
    db.launch(510, 900, 1000, "late()", 6)                       # gap 2: 500 ... 900
    db.kernel(2000, 2000, "none()")                              # no time: neither work nor a neighbour
    db.kernel(5000, 5100, "other()", deviceId=1)
    db.kernel(6000, 6100, "other()", deviceId=1)                 # gap of device 1: 5100 ... 6000
    db.nvtx(505, 800, "prepare")


def by_hand():
    path = made.make(fill, gpus=2)
    got, r = gaps(path)
    tap.equal([(i["id"], i["start_ns"], i["duration_ns"], i["device"]) for i in got["items"]],
              [("gap:0:1", 350, 50, 0), ("gap:0:2", 500, 400, 0), ("gap:1:1", 5100, 900, 1)], "gaps of each device between its first work and its last")
    tap.equal([(i["before"]["id"], i["after"]["id"]) for i in got["items"]],
              [("copy:4242:1", "kernel:4242:3"), ("kernel:4242:3", "kernel:4242:5"), ("kernel:4242:7", "kernel:4242:8")], "of several the first by table and row")
    tap.equal([i["name"] for i in got["items"]], ["[CUDA memcpy Host-to-Device] -> b()", "b() -> late()", "other() -> other()"], "named after both")
    tap.ok(b"1 rows without a valid time" in r.err, "a row without a time is said", r.err)
    for args, want in ((["--device", "1"], ["gap:1:1"]), (["--device", "0", "--min-duration", "51"], ["gap:0:2"]), (["--within", "..351"], ["gap:0:1"]),
                       (["--within", "900..5101"], ["gap:1:1"]), (["--sort", "duration", "--limit", "2"], ["gap:1:1", "gap:0:2"]), (["--device", "5"], [])):
        got, r = gaps(path, *args)
        tap.equal(got and [i["id"] for i in got["items"]], want, f"find gap {' '.join(args)}")
    tap.equal(gaps(path, "--limit", "0")[0]["total"], 3, "--limit 0 counts")
    lines = tap.run("find", "gap", path).out.decode().splitlines()
    tap.equal((lines[0], lines[1].split(), lines[2].split()[:1]), ("3 of 3 (gap), earliest first", "id start (ns) duration device name".split(), ["gap:0:1"]), "the text has no stream")
    got = json.loads(tap.run("show", "gap:0:2", path, "--json").out)
    tap.equal((got["event"]["id"], got["before"]["id"], got["after"]["id"], got["launch_call"]["start_ns"], got["range_path"]),
              ("gap:0:2", "kernel:4242:3", "kernel:4242:5", 510, ["prepare"]), "show: what stood before and after, the call of what ends it, and where that stood")
    text = tap.run("show", "gap:0:2", path).out.decode()
    for part in ("gap:0:2  b() -> late()", "starts at 500 ns, lasts 400 ns, device 0", "what ends it was launched by api:4242:2", "that call is inside prepare"):
        tap.ok(part in text, f"the text says: {part}", text)
    tap.ok("设备 0" in tap.run("show", "gap:0:2", path, "--lang", "zh").out.decode(), "and in Chinese")


def edges():
    path = made.make(lambda db: db.kernel(0, 10, "one()"))
    got, r = gaps(path)
    tap.equal((got["total"], got["items"]), (0, []), "one kernel has no gap")
    tap.ok(b"no gap" in r.err, "and that is said", r.err)
    path = made.make(lambda db: [db.kernel(t, t + 10, "k()", deviceId=None) for t in (0, 20)])
    got, _ = gaps(path)
    tap.equal([(i["id"], i["device"], i["duration_ns"]) for i in got["items"]], [(None, None, 10)], "without a device there is a gap, and no id")
    path = made.make(fill, gpus=2)
    for args, code, words in ((["find", "gap", path, "--stream", "7"], 2, b"belongs to a whole device"), (["find", "gap", path, "--name", "x"], 2, b"belongs to a whole device"),
                              (["find", "gap", path, "--pid", "7"], 2, b"belongs to a whole device"), (["show", "gap:0:3", path], 1, b"no event gap:0:3"),
                              (["show", "gap:7:1", path], 1, b"no event gap:7:1"), (["show", "gap:0:-1", path], 2, b"no id"), (["show", "gap:0", path], 2, b"no id"),
                              (["show", "gap:0:0", path], 1, b"no event gap:0:0")):
        r = tap.run(*args)
        tap.ok(r.rc == code and words in r.err and not r.out, f"{' '.join(args).replace(path, 'FILE')}: {words.decode()}", r.rc, r.err, r.out)
    path = made.make(lambda db: (db.kernel(0, 10, "secreta()"), db.kernel(20, 30, "secretb()")))
    for args in (["find", "gap", path], ["find", "gap", path, "--json"], ["show", "gap:0:1", path], ["show", "gap:0:1", path, "--json"]):
        r = tap.run(*args, "--redact=names")
        tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), f"{' '.join(args).replace(path, 'FILE')} names nobody")


by_hand()
edges()
real_data()
tap.done()
