#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ncu-command`: for launches of every real export the filter is run by hand over the rows that Python's sqlite3
selects: the launch that ncu would take after so many others is the row of the id. And made exports whose lines are
plain from their rows; a shell reads each line back into its words."""
import collections
import glob
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
KEYS = ["schema_version", "id", "kernel", "function", "chosen_by", "duration_ns", "command", "argv", "folder", "program_known", "launch_skip",
        "launches", "nvtx_include", "not_reproduced"]
INTERVALS = (None, 59, 60, 70, 71)
STARTED = (60, 71)
FOREVER = 2 ** 63


def line(what, path, *args):
    r = tap.run("ncu-command", what, path, "--json", *args)
    return (json.loads(r.out) if r.rc == 0 else None), r


def limits(got):
    return [n["what"] for n in got["not_reproduced"]]


def pid(value):
    return None if value is None else value >> 24 & 0xFFFFFF


def rows_of(db, name, wanted):
    have = {r[1] for r in db.execute(f'PRAGMA table_info("{name}")')}
    if not have:
        return []
    sql = ", ".join(f'"{c}"' if c in have else "NULL" for c in wanted)
    return [dict(zip(("row",) + wanted, r)) for r in db.execute(f'SELECT rowid, {sql} FROM "{name}"')]


class Tables:
    """What an export has of launches, calls and ranges."""

    def __init__(self, db):
        text = dict(db.execute("SELECT id, value FROM StringIds"))
        self.launches = [dict(k, pid=pid(k["globalPid"]), name=text.get(k["shortName"], "")) for k in rows_of(
            db, "CUPTI_ACTIVITY_KIND_KERNEL", ("start", "end", "globalPid", "shortName", "correlationId", "graphNodeId")) if k["start"] is not None]
        self.calls = {}
        for table in ("RUNTIME", "DRIVER"):
            for c in rows_of(db, "CUPTI_ACTIVITY_KIND_" + table, ("start", "end", "globalTid", "correlationId", "eventClass")):
                key = (pid(c["globalTid"]), c["correlationId"])
                if c["eventClass"] != 67 and c["start"] is not None and c["end"] is not None and c["end"] >= c["start"] and c["correlationId"]:
                    self.calls[key] = min(self.calls.get(key, (FOREVER, 0)), (c["start"], c["globalTid"]))
        names = {}
        events = rows_of(db, "NVTX_EVENTS", ("start", "end", "eventType", "globalTid", "text", "textId", "domainId"))
        for e in events:
            e["name"] = e["text"] if e["text"] is not None else text.get(e["textId"], "")
            if e["eventType"] == 75:
                names[(pid(e["globalTid"]), e["domainId"])] = e["name"]
        self.ranges = [dict(e, domain=names.get((pid(e["globalTid"]), e["domainId"] or 0), "")) for e in events
                       if e["eventType"] in INTERVALS and e["start"] is not None]
        for k in self.launches:
            k["called"], k["thread"] = self.calls.get((k["pid"], k["correlationId"]), (None, None))

    def innermost(self, k):
        """The closed range of the launch's call that began last and has a name."""
        if k["called"] is None:
            return None
        at = [r for r in self.ranges if r["globalTid"] == k["thread"] and r["end"] is not None and r["start"] <= k["called"] < r["end"]
              and r["name"] and all(n.isprintable() and "\\" not in n and not n.startswith("regex:") for n in (r["name"], r["domain"]))]
        return max(at, key=lambda r: (r["start"], -r["end"], r["row"]), default=None)

    def inside(self, k, r):
        """Whether ncu would see a range of that name around the call: on its thread, or in its process for one that was started."""
        started = r["eventType"] in STARTED
        return any(o["name"] == r["name"] and o["domain"] == r["domain"] and (o["eventType"] in STARTED) == started
                   and (o["start"] <= k["called"] < (FOREVER if o["end"] is None else o["end"]))
                   and (pid(o["globalTid"]) == k["pid"] if started else o["globalTid"] == k["thread"]) for o in self.ranges_named[r["name"]])

    def filtered(self, k):
        """(filter or None, the launches that fit, in the order that ncu sees them)"""
        same = [o for o in self.launches if o["name"] == k["name"]]
        if any(o["called"] is None for o in same):
            return None, sorted(same, key=lambda o: (o["start"], o["row"]))
        same.sort(key=lambda o: (o["called"], o["start"], o["row"]))
        r = self.innermost(k)
        if r is None:
            return None, same
        self.ranges_named = collections.defaultdict(list)
        for o in self.ranges:
            self.ranges_named[o["name"]].append(o)
        return quoted(r), [o for o in same if self.inside(o, r)]


def quoted(r):
    """The range as ncu's documentation writes it: DOMAIN@NAME, / behind a pushed one, a backslash before operators."""
    def escape(s):
        return "".join("\\" + c if c in "@,[]/*+" else c for c in s)
    return (escape(r["domain"]) + "@" if r["domain"] else "") + escape(r["name"]) + ("" if r["eventType"] in STARTED else "/")


def program_of(db):
    try:
        rows = dict(reversed(db.execute("SELECT name, value FROM META_DATA_CAPTURE").fetchall()))
    except sqlite3.OperationalError:
        return None, []
    n = 0
    words = [rows["PROCESS_0:COMMAND"]] if "PROCESS_0:COMMAND" in rows else []
    while words and f"PROCESS_0:ARGUMENT_{n}" in rows:
        words.append(rows[f"PROCESS_0:ARGUMENT_{n}"])
        n += 1
    return rows.get("PROCESS_0:WORKING_DIR") or None, words


def wrong_line(got, r, k, tables, program):
    if got is None:
        return [f"rc {r.rc} {r.err[:200]!r}"]
    nvtx, fit = tables.filtered(k)
    folder, words = program
    bad = []
    if got["nvtx_include"] != nvtx:
        bad.append(f"filter {got['nvtx_include']!r}, not {nvtx!r}")
    if got["launches"] != len(fit) or fit[got["launch_skip"]]["row"] != k["row"]:
        bad.append(f"{got['launch_skip']} of {got['launches']}: not the row, of {len(fit)}")
    # a name that the recorder cut has dots at its end, and only a pattern can say how it begins
    name = "regex:^" + re.sub(r"([^\w])", r"\\\1", k["name"][:-3]) if k["name"].endswith("...") else k["name"]
    want = ["ncu", "--target-processes", "all", "--kernel-name", name] + (["--nvtx", "--nvtx-include", nvtx] if nvtx else [])
    want += ["--launch-skip", str(got["launch_skip"]), "--launch-count", "1"]
    want += ["--graph-profiling", "node"] if k["graphNodeId"] else []
    want += ["--replay-mode", "application"] if k["name"].startswith("nccl") else []
    if got["argv"] != want + (words or ["PROGRAM"]) or got["folder"] != folder or got["program_known"] != bool(words):
        bad.append(f"{got['argv']} in {got['folder']}, not {want + words} in {folder}")
    if shlex.split(got["command"]) != (["cd", folder, "&&"] if folder else []) + got["argv"]:
        bad.append(f"a shell reads {got['command']!r} otherwise")
    if ("order" in limits(got)) != any(o["called"] is None for o in fit):
        bad.append(f"{limits(got)}")
    return bad


def median_of(items):
    return sorted(items, key=lambda k: (-(k["end"] - k["start"]), k["start"]))[len(items) // 2]


def real_data():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("../shared/data is not here")
    lines = inside = known = 0
    for path in files:
        if tap.run("find", "kernel", path, "--limit", "1").rc != 0:
            continue
        db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        db.text_factory = lambda b: b.decode("utf-8", "backslashreplace")
        tables, program = Tables(db), program_of(db)
        db.close()
        good = [k for k in tables.launches if k["end"] is not None and k["end"] > k["start"] and k["name"]]
        if not good:
            continue
        some = good[:: max(1, len(good) // 5)][:5] + good[-1:]
        bad = []
        for k in some:
            got, r = line(f"kernel:{'-' if k['pid'] is None else k['pid']}:{k['row']}", path)
            bad += [f"row {k['row']}: {b}" for b in wrong_line(got, r, k, tables, program)]
            lines += 1
            inside += bool(got and got["nvtx_include"])
            known += bool(got and got["program_known"])
        name = some[0]["name"]
        named = [k for k in good if k["name"] == name]
        got, r = line(name, path)
        if got is None or got["chosen_by"] != "median" or got["duration_ns"] != (m := median_of(named))["end"] - m["start"]:
            bad.append(f"{name}: {got and got['duration_ns']} is not the median {r.err[:200]!r}")
        tap.ok(not bad, f"{os.path.basename(path)}: the launch behind the skipped ones is that row", *bad[:6])
    tap.ok(not files or (lines > 80 and inside > 10 and known > 30), f"{lines} lines, {inside} with an NVTX filter, {known} with a program")


def fill(db):
    db.domain(3, "app,1")
    db.nvtx(0, 1000, "epoch")
    db.nvtx(100, 200, "a/b [x]", domainId=3)                         # a name of operators
    db.nvtx(300, None, "a/b [x]", domainId=3)                        # still open at the end: ncu sees it all the same
    db.launch(110, 5000, 5100, "gemm<float>(float*)", 1)        # 1: inside
    db.launch(150, 4000, 4200, "gemm<double>(double*)", 2)      # 2: the same function, called later, starts earlier
    db.launch(250, 6000, 6300, "gemm<float>(float*)", 3)        # 3: outside
    db.launch(310, 7000, 7400, "gemm<float>(float*)", 4)        # 4: inside the open one
    db.launch(320, 7100, 7200, "other(int)", 5, streamId=9)          # 5: beside the fourth
    db.kernel(9000, 9500, "ncclDevKernel_AllReduce(int)")            # 6: no call
    db.launch(400, 9600, 9700, "it's \"quoted\"(int)", 7)
    db.launch(900, 9800, 9900, "node()", 8, graphNodeId=5)


def metadata(path, rows):
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT)")
    db.executemany("INSERT INTO META_DATA_CAPTURE VALUES (?, ?)", rows)
    db.commit()
    db.close()
    return path


def by_hand():
    path = made.make(fill)
    got, r = line("kernel:4242:1", path)
    tap.equal(list(got), KEYS, "the keys, in one order")
    tap.equal((got["function"], got["nvtx_include"], got["launch_skip"], got["launches"], got["chosen_by"]), ("gemm", r"app\,1@a\/b \[x\]/", 0, 3, "id"),
              "the innermost range, its operators quoted; all of the function count, in the range that is still open too")
    tap.ok(b"does not hold the command line" in r.err and got["argv"][-1] == "PROGRAM" and not got["program_known"], "no program: a word in its place, and that is said", r.err)
    tap.equal([line(f"kernel:4242:{n}", path)[0]["launch_skip"] for n in (2, 4)], [1, 3], "in the order of calls, not of starts")
    got, _ = line("kernel:4242:3", path)
    tap.equal((got["nvtx_include"], got["launch_skip"], got["launches"]), ("epoch/", 2, 4), "of a range around it what lies in ranges inside counts too")
    tap.equal(("concurrent" in limits(line("kernel:4242:4", path)[0]), "concurrent" in limits(got)), (True, False), "what ran beside another cannot be reproduced")
    got, _ = line("ncclDevKernel_AllReduce", path)
    tap.equal((limits(got), got["nvtx_include"], got["argv"][-3:-1]), (["replay", "collective", "order"], None, ["--replay-mode", "application"]), "a collective, and without its call")
    got, _ = line("node", path)
    tap.equal((limits(got), got["argv"][-3:-1]), (["replay", "graph"], ["--graph-profiling", "node"]), "a node of a graph")
    got, _ = line("gemm", path)
    tap.equal((got["id"], got["duration_ns"], got["chosen_by"]), ("kernel:4242:2", 200, "median"), "of four launches the shorter of the two in the middle")
    text = tap.run("ncu-command", "gemm", path).out.decode().splitlines()
    tap.ok(text[0].startswith("ncu --target-processes all --kernel-name gemm --nvtx") and all(t.startswith("# ") for t in text[1:]) and "median of 4 launches" in text[1],
           "one command; all else is a comment that says which launch and why", text)
    tap.ok("中位数" in tap.run("ncu-command", "gemm", path, "--lang", "zh").out.decode(), "and in Chinese")


def programs():
    path = metadata(made.make(fill), [("PROCESS_0:WORKING_DIR", "/opt/my dir"), ("PROCESS_0:ARGUMENT_1", "it's $HOME; `rm`"), ("PROCESS_0:ARGUMENT_0", ""),
                                      ("PROCESS_0:COMMAND", "./run me")])
    got, r = line("regex:quoted", path)
    tap.equal((got["argv"][-3:], got["folder"], got["program_known"], r.err), (["./run me", "", "it's $HOME; `rm`"], "/opt/my dir", True, b""), "program, arguments and folder of the capture")
    echoed = subprocess.run(["bash", "-c", "cd() { printf '%s\\0' \"$@\"; }; ncu() { printf '%s\\0' \"$@\"; }; " + tap.run("ncu-command", "regex:quoted", path).out.decode()],
                            stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    tap.equal(echoed, ["/opt/my dir"] + got["argv"][1:] + [""], "bash reads the whole output back into those words")
    for rows, why in (([("PROCESS_0:COMMAND", "a"), ("PROCESS_1:COMMAND", "b")], "of two programs none is taken"),
                      ([("PROCESS_0:COMMAND", "a"), ("PROCESS_0:ARGUMENT_1", "b")], "nor one with an argument missing"),
                      ([("PROCESS_0:COMMAND", "a\nb")], "nor one that is no line"), ([("PROCESS_0:COMMAND", "a"), ("PROCESS_0:ARGUMENT_0", "\x1b[2J")], "nor with a command for the terminal"),
                      ([("PROCESS_0:ARGUMENT_0", "a"), ("PROCESS_0:ARGUMENT_99999999999", "a")], "nor arguments alone")):
        got, r = line("gemm", metadata(made.make(fill), rows))
        tap.equal((got["program_known"], got["argv"][-1], got["folder"]), (False, "PROGRAM", None), why)
    path = metadata(made.make(fill), [("PROCESS_0:COMMAND", "./secretprogram"), ("PROCESS_0:ARGUMENT_0", "--token=secretvalue"), ("PROCESS_0:WORKING_DIR", "/opt/secretuser/x")])
    for form in ([], ["--json"]):
        r = tap.run("ncu-command", "gemm", path, "--redact", *form)
        tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), f"--redact {' '.join(form)}: no word of the command line")
    r = tap.run("ncu-command", "gemm", path, "--redact=names", "--json")
    tap.equal((r.rc, b"gemm" in r.out + r.err, b"epoch" in r.out, "redacted" in limits(json.loads(r.out))), (0, False, False, True), "--redact=names: nor of a kernel or range, and that is said")


def processes():
    other = (1 << 56) | (77 << 24)
    path = made.make(lambda db: (db.launch(10, 100, 110, "k()", 1, globalTid=export.thread(5, 77), globalPid=other), db.launch(20, 200, 210, "k()", 1)))
    got, _ = line("kernel:4242:2", path)
    tap.equal((got["launch_skip"], "processes" in limits(got)), (1, True), "calls of another process are its own, and counted")
    text = next(n["meaning"] for n in got["not_reproduced"] if n["what"] == "processes")
    tap.ok("(4242) alone, 0 come before" in text, "and how many there are without them", text)
    path = made.make(lambda db: (db.nvtx(0, 500, "async", eventType=60), db.launch(10, 100, 110, "k()", 1, globalTid=export.thread(9)), db.launch(20, 200, 210, "k()", 2)))
    got, _ = line("kernel:4242:2", path)
    tap.equal((got["nvtx_include"], got["launch_skip"], got["launches"]), ("async", 1, 2), "a started range has no /, and holds every thread of its process")


def slips():
    path = made.make(fill)
    for args, code, words in ((["gem", path], 1, b"nearest: gemm"), (["regex:zzz", path], 1, b"some that are there"), (["", path], 1, b'is named ""'), (["regex:(", path], 2, b"not a valid pattern"),
                              (["copy:4242:1", path], 2, b"no kernel"), (["gap:0:1", path], 2, b"no kernel"), (["kernel:4242:99", path], 1, b"no event"),
                              (["gemm"], 2, b"usage: kernoscope ncu-command"), (["gemm", "/nonexistent"], 1, b"[input]"), (["gemm", path, "--ks-sqlite", path], 2, b"usage: kernoscope"),
                              (["gemm", "--ks-sqlite", path, "--ks-synthetic"], 2, b"ks-synthetic")):
        r = tap.run("ncu-command", *args)
        tap.ok(r.rc == code and words in r.err and not r.out, f"ncu-command {' '.join(args).replace(path, 'FILE')}: {words.decode()}", r.rc, r.err, r.out)
    path = made.make(lambda db: db.kernel(0, 10, "a\x1b[2Jb\nc"))
    r = tap.run("ncu-command", "kernel:4242:1", path)
    tap.ok(r.rc == 1 and b"no command line can" in r.err and b"\x1b" not in r.err + r.out, "a name that no line can hold is refused", r.rc, r.err)
    path = made.make(lambda db: db.kernel(0, 10, "regex:(x)"))
    got, _ = line("kernel:4242:1", path)
    tap.ok(got["argv"][4].startswith("regex:^regex:"), "a name that looks like a pattern is written as one", got["argv"])
    path = made.make(lambda db: db.kernel(0, 10, ""))
    tap.equal(tap.run("ncu-command", "kernel:4242:1", path).rc, 1, "a kernel without a name cannot be chosen by it")


by_hand()
programs()
processes()
slips()
real_data()
tap.done()
