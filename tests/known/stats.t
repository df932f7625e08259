#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`stats`: every table of every real export against sums that Python's sqlite3 and statistics make from
the same rows; columns letter for letter those of nsys (contract 03 §23); an event dump that another
library made of one capture; and made exports whose answers are arithmetic."""
import collections
import csv
import glob
import io
import json
import math
import os
import re
import sqlite3
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
DUMPS = os.path.join(tap.SHARED, "data", "nsys-stats-csv")
TIMES = "Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns)"
HEADER = {
    "cuda_gpu_kern_sum": f"Time (%),Total Time (ns),Instances,{TIMES},Name",
    "cuda_api_sum": f"Time (%),Total Time (ns),Num Calls,{TIMES},Name",
    "cuda_gpu_mem_time_sum": f"Time (%),Total Time (ns),Count,{TIMES},Operation",
    "cuda_gpu_mem_size_sum": "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation",
    "nvtx_sum": f"Time (%),Total Time (ns),Instances,{TIMES},Style,Range",
    "cuda_gpu_trace": "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
                      "Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name",
}
COPY = {1: "Host-to-Device", 2: "Device-to-Host", 8: "Device-to-Device", 10: "Peer-to-Peer", 11: "Unified Host-to-Device",
        12: "Unified Device-to-Host", 13: "Unified Device-to-Device"}
FAR = 2 ** 63 // 4


def table(name, path):
    r = tap.run("stats", name, path, "--format", "csv")
    if r.rc != 0:
        return None, None
    rows = list(csv.reader(io.StringIO(r.out.decode("utf-8"), newline="")))
    return ",".join(rows[0]), rows[1:]


def query(db, sql):
    try:
        return db.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def good(start, end, least):
    return start is not None and end is not None and end - start >= least and -FAR <= start and end <= FAR


# --- what the rows say, by Python -------------------------------------------------------------------------
def sums_of(values):
    """name -> values"""
    return {k: v for k, v in values.items() if v}


def kernels(db):
    ids = dict(query(db, "SELECT id, value FROM StringIds"))
    out = collections.defaultdict(list)
    for start, end, name in query(db, "SELECT start, end, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        if good(start, end, 1):
            out[ids.get(name, name)].append(end - start)
    return out


def calls(db):
    ids = dict(query(db, "SELECT id, value FROM StringIds"))
    out = collections.defaultdict(list)
    for start, end, name in query(db, "SELECT start, end, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass IS NULL OR eventClass != 67") \
            or query(db, "SELECT start, end, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        if good(start, end, 0):
            out[re.sub(r"_v\d{2,}$", "", ids.get(name, ""))].append(end - start)
    return out


def operations(db, by_size):
    out = collections.defaultdict(list)
    for start, end, kind, size in query(db, "SELECT start, end, copyKind, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY"):
        name = f"[CUDA memcpy {COPY.get(kind, 'kind %s' % kind)}]"
        if by_size and size is not None:
            out[name].append(size)
        elif not by_size and good(start, end, 1):
            out[name].append(end - start)
    for start, end, size in query(db, "SELECT start, end, bytes FROM CUPTI_ACTIVITY_KIND_MEMSET"):
        if by_size and size is not None:
            out["[CUDA memset]"].append(size)
        elif not by_size and good(start, end, 1):
            out["[CUDA memset]"].append(end - start)
    return out


def compare(rows, want, scale, at):
    """Column `at` is the total; one list of what is wrong."""
    bad = []
    got = {r[-1]: r for r in rows}
    if set(got) != set(want):
        return [f"names differ: {sorted(set(got) ^ set(want))[:4]}"]
    for name, values in want.items():
        row = got[name]
        cells = [float(c) for c in row[at:at + 7]]
        total, n, mean, median, least, most, sd = cells
        exact = statistics.median(values)
        checks = [
            (total, sum(values) / scale, 0.0005 if scale > 1 else 0), (n, len(values), 0),
            (mean, sum(values) / len(values) / scale, 0.051 if scale == 1 else 0.00051),
            (median, exact / scale, max(0.051 if scale == 1 else 0.00051, (0.0041 if len(values) > 64 else 0) * exact / scale)),
            (least, min(values) / scale, 0.0005 if scale > 1 else 0), (most, max(values) / scale, 0.0005 if scale > 1 else 0),
            (sd, (statistics.stdev(values) if len(values) > 1 else 0.0) / scale, 0.051 if scale == 1 else 0.00051)]
        for got_v, want_v, slack in checks:
            if not math.isclose(got_v, want_v, rel_tol=1e-9, abs_tol=slack):
                bad.append(f"{name[:40]}: {got_v}, expected {want_v}")
    totals = [float(r[at]) for r in rows]
    if totals != sorted(totals, reverse=True):
        bad.append("not in order of total")
    if scale == 1 and rows:
        share = sum(float(r[0]) for r in rows)
        if abs(share - 100.0) > 0.051 * len(rows) + 1e-9:
            bad.append(f"shares add up to {share}")
    return bad


def wrong_trace(db, rows):
    want = []
    for start, end, corr in query(db, "SELECT start, end, correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL") + \
            query(db, "SELECT start, end, correlationId FROM CUPTI_ACTIVITY_KIND_MEMCPY") + \
            query(db, "SELECT start, end, correlationId FROM CUPTI_ACTIVITY_KIND_MEMSET"):
        if good(start, end, 1):
            want.append((start, end - start, corr or 0))
    got = [(int(r[0]), int(r[1]), int(r[2] or 0)) for r in rows]
    bad = [] if sorted(want) == sorted(got) else [f"{len(got)} events, expected {len(want)}"]
    return bad if got == sorted(got) else bad + ["not in order of time"]


def real_data():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("real exports", "../shared/data is not here")
        return
    for path in files:
        name = os.path.basename(path)[:-7]
        db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        db.text_factory = lambda b: b.decode("utf-8", "replace")
        bad, read = [], 0
        for t, want, scale, at in (("cuda_gpu_kern_sum", kernels(db), 1, 1), ("cuda_api_sum", calls(db), 1, 1),
                                   ("cuda_gpu_mem_time_sum", operations(db, False), 1, 1),
                                   ("cuda_gpu_mem_size_sum", operations(db, True), 1e6, 0)):
            header, rows = table(t, path)
            if header is None:
                continue
            read += 1
            bad += [f"{t}: {b}" for b in ([] if header == HEADER[t] else ["header " + header]) + compare(rows, sums_of(want), scale, at)]
        header, rows = table("cuda_gpu_trace", path)
        if header is not None:
            bad += ([] if header == HEADER["cuda_gpu_trace"] else ["header " + header]) + wrong_trace(db, rows)
        header, rows = table("nvtx_sum", path)
        if header is not None:
            bad += [] if header == HEADER["nvtx_sum"] else ["header " + header]
        db.close()
        tap.ok(not bad, f"{name}: {read} tables equal the sums of their rows", *bad[:8])


def other_library():
    """Enter and Leave rows that pipit wrote of cloverleaf_a100_2024: the same events, seen by another program."""
    path = os.path.join(FOLDER, "cloverleaf_a100_2024.sqlite")
    for dump, t in (("cloverleaf_gpu_trace.csv", "kern"), ("cloverleaf-cuda_api_trace.csv", "api")):
        file = os.path.join(DUMPS, dump)
        if not os.path.exists(file):
            tap.skip(dump, "../shared/data is not here")
            continue
        want = collections.defaultdict(lambda: [0, 0])
        with open(file, newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        for r in rows:
            if r["Event Type"] != "Enter":
                continue
            w = want[re.sub(r"_v\d{2,}$", "", r["Name"])]
            w[0] += 1
            w[1] += int(r["_matching_timestamp"]) - int(r["Timestamp (ns)"])
        if t == "api":
            _, got = table("cuda_api_sum", path)
            mine = {r[-1]: [int(r[2]), int(r[1])] for r in got}
            tap.equal(mine, {k: v for k, v in want.items()}, "the calls of cloverleaf are those of another library's dump")
        else:
            _, got = table("cuda_gpu_trace", path)
            tap.equal((len(got), sum(int(r[1]) for r in got)), (sum(v[0] for v in want.values()), sum(v[1] for v in want.values())),
                      "the events of cloverleaf and their time are those of another library's dump")


# --- by hand ------------------------------------------------------------------------------------------------
def ranges(db):
    db.domain(1, "NCCL")
    db.nvtx(0, 100, "a")
    db.nvtx(200, 500, "a")
    db.nvtx(0, 50, "a", domainId=1)
    db.nvtx(10, 30, "b", eventType=60)
    db.nvtx(600, None, "open")
    db.nvtx(700, 700, "mark", eventType=34)
    db.kernel(1000, 1010, "k()")


def by_hand():
    path = made.make(ranges)
    header, rows = table("nvtx_sum", path)
    tap.equal(header, HEADER["nvtx_sum"], "nvtx_sum has the columns of nsys")
    # a: 100 and 300: total 400, mean 200, median 200, sd sqrt((100^2+100^2)/1) = 141.4; of 470 in all: 85.1 %
    tap.equal(rows, [["85.1", "400", "2", "200.0", "200.0", "100", "300", "141.4", "PushPop", ":a"],
                     ["10.6", "50", "1", "50.0", "50.0", "50", "50", "0.0", "PushPop", "NCCL:a"],
                     ["4.3", "20", "1", "20.0", "20.0", "20", "20", "0.0", "StartEnd", ":b"]],
              "ranges are summed by domain, name and style; marks and open ranges are none")
    path = made.make(made.copies)
    _, rows = table("cuda_gpu_mem_size_sum", path)
    sizes = {r[-1]: (r[0], r[1]) for r in rows}
    tap.equal(sizes.get("[CUDA memcpy Host-to-Device]"), ("0.012", "2"), "4096 and 8192 bytes are 0.012 MB")
    tap.equal(sizes.get("[CUDA memset]"), ("0.001", "2"), "1000 and 24 bytes are 0.001 MB")
    tap.equal(sizes.get("[CUDA memcpy kind 17]"), ("0.000", "1"), "a kind nobody knows has its number")
    r = tap.run("stats", "cuda_gpu_mem_size_sum", path, "--format", "csv")
    tap.ok(b"1 rows without a valid time or size" in r.err, "a copy of unknown size is left out and said", r.err)
    _, rows = table("cuda_gpu_trace", path)
    first = rows[0]
    # 4096 bytes in 1000 ns are 4096 MB/s
    tap.equal(first[:3] + first[12:16] + first[-1:], ["0", "1000", first[2], "0.004", "4096.000", "Pageable", first[15], "[CUDA memcpy Host-to-Device]"],
              "an event has its size, rate and kind of memory")
    csv_rows = tap.run("stats", "cuda_gpu_trace", path, "--format", "csv").out.decode().splitlines()
    objects = json.loads(tap.run("stats", "cuda_gpu_trace", path, "--format", "json").out)
    tap.equal((len(objects), list(objects[0])), (len(csv_rows) - 1, HEADER["cuda_gpu_trace"].split(",")), "JSON has the same rows and keys")
    tap.equal(objects[0]["GrdX"], None, "what a copy has not is null, not 0")


def shuffled():
    """The same rows the other way round give the same bytes."""
    path = made.make(made.copies)
    back = made.make(made.copies)
    db = sqlite3.connect(back)
    for t in ("CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_KERNEL"):
        db.execute(f"CREATE TABLE x AS SELECT * FROM {t} ORDER BY rowid DESC")
        db.execute(f"DELETE FROM {t}")
        db.execute(f"INSERT INTO {t} SELECT * FROM x")
        db.execute("DROP TABLE x")
    db.commit()
    db.close()
    for t in HEADER:
        a, b = (tap.run("stats", t, p, "--format", "csv").out for p in (path, back))
        tap.equal(a, b, f"{t}: row order changes nothing")


def refusals_and_slips():
    path = made.make(ranges)
    r = tap.run("stats", "cuda_api_sum", path)
    tap.ok(r.rc == 0 and b"[metric_absent]" in r.err and r.out.startswith(b"Time (%)"), "a table the file cannot fill is a refusal", r.err, r.out)
    tap.ok(tap.run("stats", "nvtx_sum", made.make(lambda db: db.kernel(0, 5, "k()"))).err.find(b"[no_nvtx]") > 0, "without ranges the code is no_nvtx")
    tap.ok(tap.run("stats", "nvtx_sum", made.make(made.copies)).rc == 0, "and that is no error")
    for args, code, words in ((["cuda_gpu_kern_su", path], 2, b"did you mean cuda_gpu_kern_sum"), (["zzz", path], 2, b"stats --list"),
                              ([path], 2, b"usage: kernoscope stats TABLE FILE"), (["nvtx_sum", "/nonexistent"], 1, b"[input]"),
                              (["nvtx_sum", path, "--format", "screen"], 2, b"text, csv or json")):
        r = tap.run("stats", *args)
        tap.ok(r.rc == code and words in r.err and not r.out, f"stats {' '.join(args)[:30]}: {words.decode()}", r.rc, r.err)
    r = tap.run("stats", "--list")
    tap.equal([line.split()[0] for line in r.out.decode().splitlines()], list(HEADER), "--list names the tables")
    names = [t["name"] for t in json.loads(tap.run("stats", "--list", "--json").out)["tables"]]
    tap.equal(names, list(HEADER), "--list --json names the same")


def every_digit():
    """A clock of the epoch has more digits than a double keeps."""
    start, length = 1700000000123456789, 9007199254740993
    path = made.make(lambda db: db.kernel(start, start + length, "k()", correlationId=length))
    row = json.loads(tap.run("stats", "cuda_gpu_trace", path, "--format", "json").out)[0]
    tap.equal([row["Start (ns)"], row["Duration (ns)"], row["CorrId"]], [start, length, length], "JSON: start, duration and id to the last digit")
    row = json.loads(tap.run("stats", "cuda_gpu_kern_sum", path, "--format", "json").out)[0]
    tap.equal([row["Total Time (ns)"], row["Min (ns)"], row["Max (ns)"]], [length] * 3, "JSON: sums and extremes too")


by_hand()
shuffled()
every_digit()
refusals_and_slips()
real_data()
other_library()
tap.done()
