#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`find`: events of every real export against rows that Python's sqlite3 selects and sorts from the same
tables, by row id; and made exports whose answers are plain from their rows."""
import glob
import json
import os
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
FAR = 2 ** 63 // 4
INTERVALS = (None, 59, 60, 70, 71)
KEYS = ["id", "name", "device", "pid", "stream", "start_ns", "duration_ns", "tid", "context", "correlation", "bytes", "domain"]
TOP = ["schema_version", "kind", "file", "filters", "sort", "total", "shown", "items"]


def find(kind, path, *args):
    r = tap.run("find", kind, path, "--json", *args)
    return (json.loads(r.out) if r.rc == 0 else None), r


def ids(answer):
    return [i["id"] for i in answer["items"]]


def pid(value):
    return None if value is None else value >> 24 & 0xFFFFFF


def columns(db, name):
    return {r[1].lower() for r in db.execute(f'PRAGMA table_info("{name}")')}


def rows_of(db, name, wanted):
    """Rows as dicts with their rowid; what the table lacks is None. A view is no table."""
    kinds = dict(db.execute("SELECT name, type FROM sqlite_master"))
    if kinds.get(name) != "table":
        return []
    have = columns(db, name)
    sql = ", ".join(c if c.lower() in have else "NULL" for c in wanted)
    return [dict(zip(("row",) + wanted, r)) for r in db.execute(f'SELECT rowid, {sql} FROM "{name}"')]


def good(r, least):
    return r["start"] is not None and r["end"] is not None and r["end"] - r["start"] >= least and -FAR <= r["start"] and r["end"] <= FAR


def expected(db, kind):
    """(id, start, duration, stream, bytes, correlation, name) of each event, as the tables have it."""
    text = dict(db.execute("SELECT id, value FROM StringIds"))
    out = []

    def add(word, process, r, name, **more):
        out.append(dict(id=f"{word}:{'-' if process is None else process}:{r['row']}", start=r["start"], duration=r["end"] - r["start"],
                        stream=r.get("streamId"), bytes=more.get("bytes"), name=name))

    if kind == "kernel":
        for r in rows_of(db, "CUPTI_ACTIVITY_KIND_KERNEL", ("start", "end", "globalPid", "streamId", "demangledName")):
            if good(r, 1):
                add("kernel", pid(r["globalPid"]), r, text.get(r["demangledName"]))
    if kind == "copy":
        for word, name in (("copy", "MEMCPY"), ("peer", "MEMCPY2"), ("memset", "MEMSET")):
            for r in rows_of(db, "CUPTI_ACTIVITY_KIND_" + name, ("start", "end", "globalPid", "streamId", "bytes")):
                if good(r, 1):
                    add(word, pid(r["globalPid"]), r, None, bytes=r["bytes"])
    if kind == "range":
        for r in rows_of(db, "NVTX_EVENTS", ("start", "end", "eventType", "globalTid", "text", "textId")):
            if r["eventType"] in INTERVALS and r["end"] is not None and good(r, 0):
                name = r["text"] if r["text"] is not None else text.get(r["textId"], "")
                add("range", pid(r["globalTid"]), r, name)
    if kind == "api":
        for word, name in (("api", "RUNTIME"), ("driver", "DRIVER")):
            for r in rows_of(db, "CUPTI_ACTIVITY_KIND_" + name, ("start", "end", "eventClass", "globalTid", "nameId")):
                if r["eventClass"] != 67 and good(r, 0):
                    add(word, pid(r["globalTid"]), r, re.sub(r"_v\d{2,}$", "", text.get(r["nameId"], "")))
    return out


def wrong_kind(path, db, kind):
    want = expected(db, kind)
    got, r = find(kind, path, "--limit", "1000000")
    if got is None:
        return [f"{kind}: rc {r.rc} {r.err[:200]!r}"]
    bad = []
    if got["total"] != len(want) or got["shown"] != len(want):
        bad.append(f"{kind}: total {got['total']}, not {len(want)}")
    by_id = {w["id"]: w for w in want}
    if len(by_id) != len(want) or set(ids(got)) != set(by_id):
        bad.append(f"{kind}: ids differ")
    for i in got["items"]:
        w = by_id.get(i["id"], {})
        if (i["start_ns"], i["duration_ns"], i["bytes"]) != (w.get("start"), w.get("duration"), w.get("bytes")):
            bad.append(f"{kind} {i['id']}: {i} {w}")
        if kind in ("kernel", "copy") and i["stream"] != w.get("stream"):
            bad.append(f"{kind} {i['id']}: stream {i['stream']}")
        if w.get("name") and not w["name"].startswith("_Z") and i["name"] != w["name"]:
            bad.append(f"{kind} {i['id']}: {i['name']!r} is {w['name']!r}")
    order = [(i["start_ns"], i["duration_ns"]) for i in got["items"]]
    if order != sorted(order):
        bad.append(f"{kind}: not by start")
    if want:
        bad += wrong_choice(path, kind, want)
    return bad


def wrong_choice(path, kind, want):
    """The longest seven of those of at least the median length, in the middle half of the time."""
    lengths = sorted(w["duration"] for w in want)
    least = lengths[len(lengths) // 2]
    first, last = min(w["start"] for w in want), max(w["start"] + w["duration"] for w in want)
    a, b = first + (last - first) // 4, first + (last - first) * 3 // 4
    if a >= b:
        return []
    fit = [w for w in want if w["duration"] >= least and w["start"] + w["duration"] > a and w["start"] < b]
    got, r = find(kind, path, "--min-duration", str(least), "--within", f"{a}..{b}", "--sort", "duration", "--limit", "7")
    if got is None:
        return [f"{kind}: rc {r.rc} {r.err[:200]!r}"]
    longest = sorted((-w["duration"], w["start"]) for w in fit)[:7]
    bad = []
    if got["total"] != len(fit):
        bad.append(f"{kind}: {got['total']} fit, not {len(fit)}")
    if [(-i["duration_ns"], i["start_ns"]) for i in got["items"]] != longest:
        bad.append(f"{kind}: not the longest")
    if got["filters"] != {"min_duration_ns": least, "from_ns": a, "to_ns": b}:
        bad.append(f"{kind}: filters {got['filters']}")
    name = next((w["name"] for w in want if w["name"] and not w["name"].startswith("_Z")), None)
    if name and "\0" not in name and not name.startswith("regex:"):
        got, r = find(kind, path, "--name", name, "--limit", "0")
        # a kernel is also found by the name of its function
        same = sum(w["name"] == name for w in want)
        if got is None or got["total"] < same or (kind != "kernel" and got["total"] != same) or got["items"]:
            bad.append(f"{kind} --name {name!r}: {got and got['total']}, not {same} {r.err[:200]!r}")
    return bad


def real_data():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("../shared/data is not here")
    events = 0
    for path in files:
        if tap.run("--ks-sqlite", path, "--no-case", "--format", "json").rc != 0 and tap.run("stats", "cuda_gpu_kern_sum", path).rc != 0:
            continue
        db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        db.text_factory = lambda b: b.decode("utf-8", "backslashreplace")
        bad = []
        for kind in ("kernel", "copy", "range", "api"):
            bad += wrong_kind(path, db, kind)
            events += len(expected(db, kind))
        db.close()
        tap.ok(not bad, f"{os.path.basename(path)}: every event is the row its id names", *bad[:8])
    tap.ok(not files or events > 50000, f"{events} events were compared")


def fill(db):
    db.domain(1, "NCCL")
    db.nvtx(0, 100, "step")                                    # domain row is 1, so this is range 2
    db.nvtx(10, 60, "ncclAllReduce", domainId=1)
    db.nvtx(20, None, "open")
    db.nvtx(30, 30, "mark", eventType=34)
    db.nvtx(40, 40, "empty")                                   # takes no time and is a range all the same
    db.kernel(100, 400, "void gemm<float>(float*)", streamId=7)                  # 300
    db.kernel(200, 250, "copy(int)", streamId=9)                                 # 50
    db.kernel(500, 900, "void gemm<double>(double*)", streamId=7, deviceId=1)    # 400
    db.kernel(950, 950, "none(int)")                                             # no time: left out
    db.kernel(1000, 1010, "copy(int)", streamId=7, globalPid=(1 << 56) | (77 << 24))
    db.copy(0, 50, 4096)
    db.copy(60, 90, None)
    db.memset(100, 110, 64)
    db.call(0, 10, "cudaLaunchKernel_v7000", 5)
    db.call(20, 20, "cudaFree_v3020", 6)


def by_hand():
    path = made.make(fill, gpus=2)
    got, r = find("kernel", path)
    tap.equal((list(got), list(got["items"][0])), (TOP, KEYS), "the keys are those of the contract, in one order")
    tap.equal((got["kind"], got["file"], got["filters"], got["total"], got["shown"]), ("kernel", path, {}, 4, 4), "all that have a time")
    tap.ok(b"1 rows without a valid time" in r.err, "a kernel without one is left out and said", r.err)
    tap.equal(ids(got), ["kernel:4242:1", "kernel:4242:2", "kernel:4242:3", "kernel:77:5"], "ids are table, process and row; earliest first")
    tap.equal([i["device"] for i in got["items"]], [0, 0, 1, 0], "each has its device")
    got, _ = find("kernel", path, "--sort", "duration", "--limit", "2")
    tap.equal((got["total"], got["shown"], ids(got)), (4, 2, ["kernel:4242:3", "kernel:4242:1"]), "the two longest of four")
    for args, want in ((["--name", "gemm"], [1, 3]), (["--name", "void gemm<float>(float*)"], [1]), (["--name", "regex:^void"], [1, 3]),
                       (["--name", "copy", "--min-duration", "0.05us"], [2]), (["--min-duration", "300"], [1, 3]), (["--device", "1"], [3]),
                       (["--stream", "9"], [2]), (["--pid", "77"], [5]), (["--within", "250..500"], [1]), (["--within", "..201"], [1, 2]),
                       (["--within", "400ns..501ns"], [3]), (["--device", "0", "--stream", "7"], [1, 5]), (["--stream", "8"], []),
                       (["--name", "gemm", "--device", "7"], [])):
        got, r = find("kernel", path, *args)
        tap.equal(got and ([int(i.rsplit(":")[-1]) for i in ids(got)], got["total"]), (want, len(want)), f"find kernel {' '.join(args)}")
    got, _ = find("copy", path)
    tap.equal([(i["id"], i["bytes"], i["name"]) for i in got["items"]],
              [("copy:4242:1", 4096, "[CUDA memcpy Host-to-Device]"), ("copy:4242:2", None, "[CUDA memcpy Host-to-Device]"), ("memset:4242:1", 64, "[CUDA memset]")],
              "copies and memsets are told apart, a size that is not there is null")
    got, _ = find("range", path)
    tap.equal([(i["name"], i["domain"], i["duration_ns"]) for i in got["items"]], [("step", "", 100), ("ncclAllReduce", "NCCL", 50), ("empty", "", 0)],
              "ranges have their domain; marks and open ones are none")
    tap.equal([(i["device"], i["stream"], i["tid"]) for i in got["items"]], [(None, None, 4242)] * 3, "a range has a thread, no device and no stream")
    got, _ = find("api", path, "--name", "cudaFree")
    tap.equal([(i["id"], i["correlation"]) for i in got["items"]], [("api:4242:2", 6)], "a call by its name without the version")
    r = tap.run("find", "kernel", path, "--limit", "1")
    lines = r.out.decode().splitlines()
    tap.equal((lines[0], len(lines), lines[2].split()[0]), ("1 of 4 (kernel), earliest first", 3, "kernel:4242:1"), "the text counts all and lists one")
    r = tap.run("find", "kernel", path, "--limit", "0", "--lang", "zh")
    tap.equal(r.out.decode(), "4 个（kernel）中的 0 个，按开始时间排列\n", "--limit 0 only counts, in Chinese too")


def same_each_time():
    """Rows in another order keep what their ids say, and a table without row ids has none."""
    path = made.make(fill, gpus=2)
    once, again = (tap.run("find", "kernel", path, "--json").out for _ in range(2))
    tap.equal(once, again, "the same file gives the same bytes")
    db = sqlite3.connect(path)
    db.execute("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid = 1")
    names = ", ".join(r[1] for r in db.execute("PRAGMA table_info(CUPTI_ACTIVITY_KIND_MEMSET)"))
    kept = db.execute(f"SELECT {names} FROM CUPTI_ACTIVITY_KIND_MEMSET").fetchall()
    db.execute("DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET")
    db.execute(f'CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET ({names}, PRIMARY KEY (start)) WITHOUT ROWID')
    db.executemany(f"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES ({', '.join('?' * (names.count(',') + 1))})", kept)
    db.commit()
    db.close()
    got, _ = find("kernel", path)
    tap.equal(ids(got), ["kernel:4242:2", "kernel:4242:3", "kernel:77:5"], "a row keeps its id when another is gone")
    got, _ = find("copy", path)
    tap.equal([(i["id"], i["start_ns"]) for i in got["items"]], [("copy:4242:1", 0), ("copy:4242:2", 60), (None, 100)], "no row id, no id; the event is there")


def second_tables():
    """Peer copies and driver calls have tables of their own, whose rows are numbered from 1 again."""
    path = made.make(fill, gpus=2)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY2 AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid = 1")
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER AS SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid = 2")
    db.commit()
    db.close()
    tap.equal(ids(find("copy", path)[0]), ["copy:4242:1", "peer:4242:1", "copy:4242:2", "memset:4242:1"], "a peer copy is no other copy")
    tap.equal(ids(find("api", path)[0]), ["api:4242:1", "driver:4242:1", "api:4242:2"], "a driver call is no runtime call; what is alike comes by row")
    for event in ("peer:4242:1", "driver:4242:1"):
        r = tap.run("show", event, path, "--json")
        tap.equal((r.rc, json.loads(r.out or b"{}").get("event", {}).get("id")), (0, event), f"show finds {event}")


def synthetic():
    r = tap.run("find", "kernel", "--ks-synthetic", "--json", "--limit", "100")
    got = json.loads(r.out)
    tap.equal((got["total"], ids(got)), (25, [f"kernel:-:{n}" for n in range(1, 26)]), "the synthetic trace numbers its 25 launches")
    r = tap.run("find", "range", "--ks-synthetic", "--json")
    tap.ok(r.rc == 0 and json.loads(r.out)["total"] == 0 and b"no range" in r.err, "it has no ranges, and that is said", r.err)


def slips():
    path = made.make(fill, gpus=2)
    for args, code, words in ((["kernle", path], 2, b"did you mean kernel"), (["zzz", path], 2, b"kernel, copy, range, api and gap"),
                              (["kernel"], 2, b"usage: kernoscope find"), (["kernel", path, "--name", "gem"], 1, b"nearest: gemm"),
                              (["kernel", path, "--name", "regex:zzz"], 1, b"some that are there"), (["kernel", path, "--name", "regex:("], 2, b"not a valid pattern"),
                              (["kernel", path, "--min-duration", "soon"], 2, b"is no time"), (["kernel", path, "--min-duration", "-1"], 2, b"is no time"),
                              (["kernel", path, "--within", "step:1"], 2, b"takes times"), (["range", path, "--stream", "1"], 2, b"neither device nor stream"),
                              (["api", path, "--device", "1"], 2, b"neither device nor stream"), (["kernel", path, "--limit", "-1"], 2, b"limit"),
                              (["kernel", path, "--sort", "name"], 2, b"start|duration"), (["kernel", "/nonexistent"], 1, b"[input]"),
                              (["kernel", path, "--ks-sqlite", path], 2, b"usage: kernoscope find")):
        r = tap.run("find", *args)
        tap.ok(r.rc == code and words in r.err and not r.out, f"find {' '.join(args).replace(path, 'FILE')}: {words.decode()}", r.rc, r.err, r.out)


def redacted():
    path = made.make(lambda db: (db.kernel(0, 10, "secretgemm(int)"), db.nvtx(0, 5, "secretphase")))
    for args in (["kernel", path], ["range", path], ["kernel", path, "--name", "secretgemm"], ["range", path, "--name", "secretphase"],
                 ["kernel", path, "--name", "regex:secret"], ["kernel", path, "--json", "--name", "secretgemm(int)"]):
        r = tap.run("find", *args, "--redact=names")
        tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), f"find {args[0]} {' '.join(args[2:])} names nobody")
    for args in (["kernel", path, "--name", "secretgem"], ["range", path, "--name", "secretphas"], ["kernel", path, "--name", "regex:secretx("]):
        r = tap.run("find", *args, "--redact=names")
        tap.equal((r.rc != 0, b"secret" in r.out + r.err), (True, False), f"find {' '.join(args[2:])}: the error names nobody")
    name = json.loads(tap.run("find", "kernel", path, "--json", "--redact=names").out)["items"][0]["name"]
    r = tap.run("find", "kernel", path, "--json", "--redact=names", "--name", name)
    tap.equal((r.rc, json.loads(r.out or b"{}").get("total")), (0, 1), "a redacted name finds what it stands for")


by_hand()
same_each_time()
second_tables()
synthetic()
slips()
redacted()
real_data()
tap.done()
