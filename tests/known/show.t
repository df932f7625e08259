#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`show`: for events of every real export, the call, the ranges and the neighbours that Python's sqlite3
selects from the same tables; and a made export whose answers are plain from its rows."""
import glob
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
KEYS = ["schema_version", "id", "event", "launch_call", "range_path", "step", "before", "after"]


def show(event, path, *args):
    r = tap.run("show", event, path, "--json", *args)
    return (json.loads(r.out) if r.rc == 0 else None), r


def found(kind, path):
    r = tap.run("find", kind, path, "--json", "--limit", "1000000")
    return json.loads(r.out)["items"] if r.rc == 0 else []


def some(items):
    """A few from all over: first, last and between."""
    step = max(1, len(items) // 4)
    return items[::step][:5] + items[-1:]


def key(i):
    tables = ("kernel", "copy", "peer", "memset", "range", "api", "driver")
    table, _, row = i["id"].split(":")
    return i["start_ns"], -i["duration_ns"], tables.index(table), int(row)


def neighbours(item, items, same):
    beside = sorted((i for i in items if all(i[k] == item[k] for k in same)), key=key)
    at = [i["id"] for i in beside].index(item["id"])
    return beside[at - 1]["id"] if at else None, beside[at + 1]["id"] if at + 1 < len(beside) else None


def id_of(event):
    return None if event is None else event["id"]


def call_of(db, item):
    """The earliest call with the id, of the process; the longer of two that begin together."""
    best = None
    for word, table in (("api", "RUNTIME"), ("driver", "DRIVER")):
        have = {r[1] for r in db.execute(f"PRAGMA table_info(CUPTI_ACTIVITY_KIND_{table})")}
        if not have:
            continue
        traced = "eventClass != 67" if "eventClass" in have else "1"     # 67: a call chain, beside its call
        rows = db.execute(f"SELECT rowid, start, end, globalTid FROM CUPTI_ACTIVITY_KIND_{table} WHERE correlationId = ? "
                          f"AND (globalTid >> 24 & 16777215) = ? AND end >= start AND {traced}", (item["correlation"], item["pid"])).fetchall()
        for row, start, end, tid in rows:
            k = (start, -end, word != "api", row)
            if best is None or k < best[0]:
                best = (k, f"{word}:{item['pid']}:{row}", tid, start)
    return best


def path_at(db, tid, at):
    """Names of the closed ranges of the thread that hold the time, outermost first; None where there are domains."""
    try:
        names = dict(db.execute("SELECT id, value FROM StringIds"))
        if db.execute("SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 75").fetchone()[0]:
            return None
        rows = db.execute("SELECT start, end, rowid, text, textId FROM NVTX_EVENTS WHERE globalTid = ? AND start <= ? AND end > ? "
                          "AND eventType IN (59, 60, 70, 71)", (tid, at, at)).fetchall()
    except sqlite3.OperationalError:
        return []
    return [text if text is not None else names.get(ref, "") for start, end, row, text, ref in sorted(rows, key=lambda r: (r[0], -r[1], r[2]))]


def real_data():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("../shared/data is not here")
    shown = calls = paths = 0
    for path in files:
        work = found("kernel", path) + found("copy", path)
        api, ranges = found("api", path), found("range", path)
        if not work + api + ranges:
            continue
        db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        db.text_factory = lambda b: b.decode("utf-8", "backslashreplace")
        bad = []
        for items, same in ((work, ("pid", "device", "context", "stream")), (api, ("pid", "tid")), (ranges, ("pid", "tid"))):
            for item in some(items):
                got, r = show(item["id"], path)
                if got is None or list(got) != KEYS or {k: got["event"].get(k) for k in item} != {**item, "correlation": got["event"]["correlation"]}:
                    bad.append(f"{item['id']}: rc {r.rc} {r.err[:200]!r} {got and got['event']} {item}")
                    continue
                shown += 1
                want = neighbours(item, items, same)
                if (id_of(got["before"]), id_of(got["after"])) != want:
                    bad.append(f"{item['id']}: beside {id_of(got['before'])} {id_of(got['after'])}, not {want}")
                if items is ranges:
                    continue
                call = call_of(db, item_of(got)) if items is work else None
                if items is work and id_of(got["launch_call"]) != (call and call[1]):
                    bad.append(f"{item['id']}: call {id_of(got['launch_call'])}, not {call}")
                calls += got["launch_call"] is not None
                tid, at = (call[2], call[3]) if call else (thread_of(db, item), item["start_ns"]) if items is api else (None, 0)
                want = path_at(db, tid, at) if tid is not None else []
                if want is not None and got["range_path"] != want:
                    bad.append(f"{item['id']}: path {got['range_path']}, not {want}")
                paths += len(got["range_path"]) > 0
        db.close()
        tap.ok(not bad, f"{os.path.basename(path)}: calls, ranges and neighbours are those of its tables", *bad[:6])
    tap.ok(not files or (shown > 300 and calls > 100 and paths > 20), f"{shown} events were compared, {calls} with a call, {paths} with a path")


def real_steps():
    """The one real export with steps: 38 ranges 'Step N to M', of which launches outside are in none."""
    path = os.path.join(FOLDER, "power_iteration_t4_nvtx_2025.sqlite")
    if not os.path.exists(path):
        tap.skip("../shared/data is not here")
        return
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    steps = db.execute("SELECT start, end, globalTid FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId "
                       "WHERE coalesce(e.text, s.value) GLOB 'Step [0-9]* to [0-9]*' ORDER BY start").fetchall()
    calls = db.execute("SELECT k.rowid, k.globalPid >> 24 & 16777215, r.start, r.globalTid FROM CUPTI_ACTIVITY_KIND_KERNEL k "
                       "JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId ORDER BY r.start").fetchall()
    db.close()
    inside = {row: next((n for n, s in enumerate(steps) if s[0] <= at < s[1] and s[2] == tid), None) for row, _, at, tid in calls}
    none = [c for c in calls if inside[c[0]] is None]
    bad, chosen = [], calls[:: max(1, len(calls) // 40)] + none[:4] + none[-4:]
    for row, process, _, _ in chosen:
        got, _ = show(f"kernel:{process}:{row}", path)
        if got["step"] != inside[row]:
            bad.append(f"kernel {row}: step {got['step']}, not {inside[row]}")
    tap.none(bad, f"{len(chosen)} launches of a real export, {len(steps)} steps: each is in the step that its call began in")
    tap.ok(len(steps) > 10 and len({inside[c[0]] for c in chosen}) > 10, "of many steps", len(steps))


def item_of(got):
    return {"correlation": got["event"]["correlation"], "pid": got["event"]["pid"]}


def thread_of(db, item):
    word, _, row = item["id"].split(":")
    table = "RUNTIME" if word == "api" else "DRIVER"
    return db.execute(f"SELECT globalTid FROM CUPTI_ACTIVITY_KIND_{table} WHERE rowid = ?", (int(row),)).fetchone()[0]


def fill(db):
    db.domain(1, "NCCL")
    db.nvtx(0, 1000, "train")                                # range 2
    db.nvtx(100, 500, "forward")                             # 3
    db.nvtx(150, 300, "ncclAllReduce", domainId=1)           # 4
    db.nvtx(150, 900, "elsewhere", globalTid=export.thread(9))
    db.launch(160, 2000, 2100, "a(int)", 1)                  # call 1, kernel 1
    db.launch(500, 2100, 2300, "b()", 2)                     # forward has ended: 2
    db.launch(950, 2300, 2600, "a(int)", 3, streamId=9)      # another stream: 3
    db.copy(2150, 2400, 4096, correlationId=77)              # no call has that id
    db.memset(2500, 2510, 64)                                # no id


def by_hand():
    path = made.make(fill)
    got, _ = show("kernel:4242:1", path)
    tap.equal((list(got), got["id"], got["step"]), (KEYS, "kernel:4242:1", None), "the keys are those of the contract")
    tap.equal((got["launch_call"]["id"], got["launch_call"]["start_ns"], got["launch_call"]["name"][:16]), ("api:4242:1", 160, "cudaLaunchKernel"), "the call of its id")
    tap.equal(got["range_path"], ["train", "forward", "NCCL:ncclAllReduce"], "ranges open at the call, outermost first, of its thread")
    tap.equal((got["before"], got["after"]["id"]), (None, "kernel:4242:2"), "nothing before it on its stream")
    tap.equal((got["event"]["grid"], got["event"]["block"], got["event"]["registers"]), ([64, 1, 1], [128, 1, 1], 32), "a kernel has its shape")
    got, _ = show("kernel:4242:2", path)
    tap.equal((got["range_path"], got["before"]["id"], got["after"]["id"]), (["train"], "kernel:4242:1", "copy:4242:1"), "a range that ends as the call begins is no more; a copy is a neighbour")
    got, _ = show("copy:4242:1", path)
    tap.equal((got["launch_call"], got["range_path"], got["after"]["id"]), (None, [], "memset:4242:1"), "without a call there is no path")
    got, _ = show("kernel:4242:3", path)
    tap.equal((got["before"], got["after"]), (None, None), "alone on its stream")
    got, _ = show("range:4242:4", path)
    tap.equal((got["range_path"], got["before"]["id"], got["after"], got["event"]["domain"], got["launch_call"]), (["train", "forward"], "range:4242:3", None, "NCCL", None),
              "a range is inside others, not in itself")
    got, _ = show("api:4242:2", path)
    tap.equal((got["range_path"], got["before"]["id"], got["after"]["id"]), (["train"], "api:4242:1", "api:4242:3"), "a call has neighbours of its thread")
    # made.steps: call n lies in step n - 1
    path = made.make(made.steps)
    tap.equal([show(f"kernel:4242:{n}", path)[0]["step"] for n in (1, 3, 11)], [0, 2, 10], "the step of its call, from 0")
    tap.equal(show("kernel:4242:1", made.make(made.not_steps))[0]["step"], None, "ranges that are no steps give none")


def words():
    path = made.make(fill)
    r = tap.run("show", "kernel:4242:1", path)
    text = r.out.decode()
    for part in ("kernel:4242:1  a(int)", "starts at 2000 ns, lasts 100 ns, process 4242", "launched by api:4242:1", "inside train > forward > NCCL:ncclAllReduce",
                 "before it: nothing", "after it: kernel:4242:2"):
        tap.ok(part in text, f"the text says: {part}", text)
    tap.ok("位于 train > forward" in tap.run("show", "kernel:4242:1", path, "--lang", "zh").out.decode(), "and in Chinese")
    r = tap.run("show", "kernel:-:25", "--ks-synthetic", "--json")
    got = json.loads(r.out)
    tap.equal((got["before"]["id"], got["after"], got["launch_call"]), ("kernel:-:24", None, None), "the last launch of the synthetic trace")
    for args, code, said in ((["kernel:4242:99", path], 1, b"no event kernel:4242:99"), (["kernel:1:1", path], 1, b"no event"), (["memset:4242", path], 2, b"no id"),
                             (["thing:1:2", path], 2, b"no id"), (["kernel:4242:-1", path], 2, b"no id"), (["kernel:4242:1:2", path], 2, b"no id"),
                             (["kernel:4242:1"], 2, b"usage: kernoscope show"), (["kernel:4242:1", "/nonexistent"], 1, b"[input]")):
        r = tap.run("show", *args)
        tap.ok(r.rc == code and said in r.err and not r.out, f"show {' '.join(args).replace(path, 'FILE')}: {said.decode()}", r.rc, r.err, r.out)
    path = made.make(lambda db: (db.nvtx(0, 50, "secretphase"), db.launch(5, 10, 20, "secretgemm(int)", 1), db.launch(6, 30, 40, "secretother()", 2)))
    for event in ("kernel:4242:1", "range:4242:1", "api:4242:1"):
        for form in ([], ["--json"]):
            r = tap.run("show", event, path, "--redact=names", *form)
            tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), f"show {event} {' '.join(form)} names nobody")


by_hand()
words()
real_steps()
real_data()
tap.done()
