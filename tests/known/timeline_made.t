#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small exports whose every answer is arithmetic on the rows beside it: what no public export holds
(graphs, peer copies, NCCL payloads, call chains) and what real ones hide (overlaps, edges, order)."""
import csv
import io
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import made  # noqa: E402
import tap  # noqa: E402
from made import make  # noqa: E402


class Report:
    def __init__(self, path, *args):
        r = tap.run("--ks-sqlite", path, "--format", "json", "--print-details", "all", *args)
        assert r.rc == 0, r.err
        self.doc = json.loads(r.out)
        self.timeline = self.doc["timeline"]
        self.kernels = {k["name"]: k for k in self.doc["kernels"]}
        self.rows = self.rows_of("(device)")

    def rows_of(self, kernel):
        return {m["name"]: m["value"] for s in self.kernels[kernel]["sections"] for m in s["metrics"]}

    def row(self, name):
        return self.rows.get(name)

    def refusal(self, name):
        for k in self.doc["kernels"]:
            for s in k["sections"]:
                for m in s["metrics"]:
                    if m["name"] == name:
                        return (m.get("refusal") or {}).get("code")
        return None


def ns(ms):
    return None if ms is None else round(ms * 1e6)


def phases(path):
    r = tap.run("--ks-sqlite", path, "--format", "nvtx-csv")
    return {(p["domain"], p["name"]): p for p in csv.DictReader(io.StringIO(r.out.decode(), newline=""))}


# --- NVTX ----------------------------------------------------------------------------------------------------
def test_domains():
    path = make(made.two_domains)
    p, r = phases(path), Report(path)
    own = {k[1]: (int(v["kernels"]), int(v["kernel_ns"]), int(v["own_ns"])) for k, v in p.items()}
    tap.equal(own, {"train": (3, 600, 300), "forward": (2, 300, 300), "ncclAllReduce": (1, 100, 100)},
              "two domains: inclusive and own time, each domain for itself")
    tap.equal((ns(r.row("ks__nvtx_attributed_kernel_ms")), ns(r.row("ks__nvtx_unattributed_kernel_ms"))), (600, 900),
              "what another thread launched, and at the end of a range, is unattributed")
    n = r.timeline["nvtx"]
    tap.equal((n["ranges"], n["open_ranges"], n["marks"]), (3, 1, 1), "open ranges and marks are counted and are no ranges")
    folded = tap.run("--ks-sqlite", path, "--format", "folded").out.decode().splitlines()
    tap.equal(sum(int(line.rsplit(" ", 1)[1]) for line in folded), 1500, "folded lines add up to the kernel time")
    tap.ok(any("train;" in line and "forward;" in line and line.endswith("a() 100") and "ncclAllReduce" in line for line in folded),
           "a folded line has the ranges of all domains, outermost first", *folded)


def test_start_end():
    p = phases(make(made.start_end))
    got = {k[1]: (int(v["kernel_ns"]), int(v["own_ns"])) for k, v in p.items()}
    tap.equal(got, {"async": (30, 10), "later": (50, 50)}, "start/end ranges overlap, and belong to the thread they start on")


def test_steps():
    r = Report(make(made.steps))
    s = r.timeline["steps"]
    marks = [x["mark"] for x in s["list"]]
    tap.equal((len(marks), s["name"]), (11, "step"), "steps: the outermost ranges of the name, not those inside them")
    tap.equal(marks, ["first", "warmup"] + [""] * 4 + ["outlier"] + [""] * 4, "the first, the warm-up and the outlier are marked")
    tap.equal([x["kernel_ns"] for x in s["list"]], [6] * 11, "kernel time of each step through its calls")
    tap.equal(r.row("ks__step_count"), 11, "ks__step_count")


def test_not_steps():
    r = Report(make(made.not_steps))
    tap.equal(r.timeline["steps"]["list"], [], "ranges of very different lengths are not steps")


# --- copies and memory -----------------------------------------------------------------------------------------
def test_copies():
    r = Report(make(made.copies, gpus=2))
    got = {n: r.row("ks__comm_bytes_" + n) for n in ("total", "htod", "dtoh", "ptop", "um_htod", "um_dtoh", "kind_17", "pageable", "pinned")}
    tap.equal(got, {"total": 4096 + 8192 + (1 << 20) + 65536 + 4096 + 100 + 7, "htod": 12288, "dtoh": 100, "ptop": 1 << 20,
                    "um_htod": 65536, "um_dtoh": 4096, "kind_17": 7, "pageable": 4096, "pinned": 8192},
              "copied bytes by kind and by host memory; migrations have kinds of their own")
    tap.equal(r.row("ks__memset_bytes_total"), 1024, "memset bytes")
    tap.equal(r.row("ks__comm_bytes_peer_0_1"), 1 << 20, "peer copies by pair of devices")
    tap.equal(r.refusal("ks__comm_time_sum_ns"), "memcpy_duration_untrusted", "the sum of copy times is never given")


def test_copy_kinds():
    r = Report(make(made.copy_kinds))
    names = ("htod", "dtoh", "htoa", "atoh", "atoa", "atod", "dtoa", "dtod", "htoh", "ptop", "um_htod", "um_dtoh", "um_dtod")
    got = {n: r.row("ks__comm_bytes_" + n) for n in names}
    want = {n: 1 << i for i, n in enumerate(names, 1)}
    want["htod"] += 1 << 14
    tap.equal(got, want, "all thirteen kinds of copies by name")
    tap.equal((r.row("ks__device_unknown__comm_bytes"), r.row("ks__device_0__comm_bytes")), (1 << 14, (1 << 14) - 2),
              "a copy without a device is on device unknown, never on device 0")


def test_memory():
    r = Report(make(made.memory))
    got = tuple(round((r.row(f"ks__device_0__memory_{n}_mb") or 0) * 1e6) for n in ("peak", "end"))
    tap.equal(got, (6000, 5500), "device memory: 1000 + 5000 at most, 5500 at the end")


# --- communication -----------------------------------------------------------------------------------------------
def test_collectives():
    r = Report(make(made.collectives, gpus=2))
    tap.equal((ns(r.row("ks__comm_kernel_ms")), ns(r.row("ks__comm_exposed_ms"))), (2000, 1400),
              "communication: kernels of both devices; exposed is what no computation of the same device hides")
    tap.ok(abs(r.row("ks__comm_compute_overlap_pct") - 30.0) < 1e-9, "overlap: 600 of 2000 ns", r.row("ks__comm_compute_overlap_pct"))
    tap.ok(abs(r.row("ks__comm_kernel_share_pct") - 100 * 2000 / 3600) < 1e-9, "share of all kernel time")
    rows = r.rows_of("gemm(float*)")
    tap.equal((ns(rows["ks__kernel_time_with_comm_ms"]), ns(rows["ks__kernel_time_without_comm_ms"])), (600, 900),
              "a kernel's time beside a running collective and without")
    mix = {d["device"]: d["mix_ns"] for d in r.timeline["devices"]}
    tap.equal((mix[0]["compute"], mix[0]["comm"], mix[0]["compute_comm"], mix[0]["idle"]), (900, 400, 600, 1200),
              "device 0: computation, communication, both at once, idle")
    ours = Report(make(lambda db: db.kernel(0, 100, "void my::all_reduce_kernel<float>(int)")), "--ks-comm", "my::all_reduce")
    tap.equal(ns(ours.row("ks__comm_kernel_ms")), 100, "--ks-comm names further communication kernels")


def test_nccl_calls():
    calls = {c["name"]: (c["calls"], c["bytes"], c["unknown_rows"]) for c in Report(make(made.nccl_calls)).timeline["communication"]["calls"]}
    tap.equal(calls, {"ncclAllReduce": (2, (1 << 20) + 512, 0), "ncclBroadcast": (2, 64, 1)},
              "NCCL calls and bytes from their payloads; a payload cut short has no size")


# --- idle time and concurrency -------------------------------------------------------------------------------------
def test_gaps():
    r = Report(make(made.gaps))
    got = [(g["start_ns"], g["end_ns"], g["overhead_ns"], g["before"], g["after"]) for g in r.timeline["idle_gaps"]]
    tap.equal(sorted(got), [(100, 300, 50, "first", "copy htod"), (400, 1400, 700, "copy htod", "last")],
              "idle gaps with what was before and after, and the profiler's part")
    tap.equal((r.row("ks__device_0__idle_gap_count"), ns(r.row("ks__device_0__idle_ms")), ns(r.row("ks__device_0__idle_overhead_ms"))),
              (2, 1200, 750), "their number, sum, and profiler overhead")
    tap.ok(abs(r.row("ks__device_0__idle_share_pct") - 80.0) < 1e-9, "idle share of the span")


def test_streams():
    r = Report(make(made.streams))
    tap.equal(r.row("ks__device_0__max_concurrent_streams"), 3, "streams at once: one that ends does not meet one that starts then")
    mix = r.timeline["devices"][0]["mix_ns"]
    tap.equal((mix["compute"], mix["compute_copy"], mix["copy"], mix["idle"]), (180, 20, 50, 0), "computation and copies at once")
    tap.equal(ns(r.row("ks__device_0__busy_ms")), 250, "their union")


def test_migrations():
    mix = Report(make(made.migrations)).timeline["devices"][0]["mix_ns"]
    tap.equal((mix["compute"], mix["compute_copy"], mix["copy"], mix["idle"]), (100, 0, 100, 0),
              "a migration keeps a device busy and is no copy that overlaps a kernel")


def test_latency():
    r = Report(make(made.latency))
    tap.equal((ns(r.row("ks__launch_latency_p50")), ns(r.row("ks__launch_queue_p50"))), (30, 25),
              "median from the launch call to the kernel, from the call's start and from its end")
    tap.equal((r.row("ks__sync_call_count"), ns(r.row("ks__sync_call_ms"))), (1, 600), "synchronising calls and what they took")
    tap.equal(r.row("ks__api_failed_count"), 1, "a call that failed")


# --- CUDA graphs -----------------------------------------------------------------------------------------------------
def test_graph_nodes():
    r = Report(make(made.graph_nodes))
    g = r.timeline["graphs"]
    tap.equal((g["launch_calls"], g["replays"], g["node_launches"], g["node_ns"]), (4, 3, 6, 180),
              "graphs: launch calls, replays with nodes, node kernels and their time")
    tap.ok(abs(r.row("ks__graph_coverage_pct") - 75.0) < 1e-9, "three of four graph launches have nodes")
    tap.equal([(n["kernel"].split("(")[0], n["launches"], n["total_ns"]) for n in g["top"]][:2], [("big", 3, 150), ("small", 3, 30)],
              "the nodes with most time")


def test_graph_only():
    r = Report(make(made.graph_only))
    tap.equal((r.timeline["graphs"]["runs"], ns(r.row("ks__graph_run_ms"))), (2, 800), "graphs recorded whole: their number and time")
    tap.equal(r.refusal("gpu__time_duration.sum"), "no_launch_activity", "and the kernels inside are refused")


# --- windows where nothing ran -------------------------------------------------------------------------------------------
def test_window_without_work():
    path = make(made.graph_only)  # calls from 0 to 105, runs 1000..1400 and 1500..1900
    whole = Report(path)
    parts = [Report(path, "--within", w).timeline["graphs"] for w in ("0ns..1200ns", "1200ns..1900ns")]
    tap.equal(sum(g["run_ns"] for g in parts), whole.timeline["graphs"]["run_ns"], "graphs recorded whole: two windows add up to the trace")
    tap.equal(parts[0]["run_ns"], 200, "each has its part of the time")
    r = tap.run("--ks-sqlite", path, "--within", "1900ns..2us")
    tap.ok(r.rc == 1 and b"from 0 ns to 1900 ns" in r.err, "outside is an error with the span of the rows there are", r.err)

    def without_time(db):
        db.kernel(1 << 62, (1 << 62) + 10, "k()")  # later than any clock: damaged
        db.kernel("soon", "later", "k()")
    r = tap.run("--ks-sqlite", make(without_time), "--within", "0..1s")
    tap.ok(r.rc == 1 and r.err.count(b"error: ") == 1 and b"no row of the trace has a time" in r.err, "and without any time that is said", r.err)

    def calls_beside(db):
        without_time(db)
        db.call(100, 300, "cudaMalloc_v3020", 1)
    r = Report(make(calls_beside))
    tap.equal((r.doc["span"]["start_ns"], r.doc["span"]["duration_ns"]), (100, 200), "damaged kernels do not hide the span of the calls")


# --- damaged ids ---------------------------------------------------------------------------------------------------------
def test_damaged_ids():
    def fill(db):
        # the last one's process would be the number that stands for "unknown": joined with nothing
        for i, thread in enumerate((-1, -(1 << 40) + 3, (1 << 63) - 1, 1 - (1 << 63))):
            db.call(i * 100, i * 100 + 5, "cudaLaunchKernel_v7000", i + 1, globalTid=thread, callchainId=(1 << 63) - 1 - i)
            db.kernel(i * 100 + 10, i * 100 + 20, "k()", correlationId=i + 1, globalPid=thread & ~0xffffff)
            db.nvtx(i * 100, i * 100 + 50, "r", globalTid=thread)
            db.row("CUDA_CALLCHAINS", id=(1 << 63) - 1 - i, symbol=db.text(f"f{i}"), module=db.text("app"), stackDepth=0)
    r = Report(make(fill))
    tap.equal([(p["name"], p["kernel_ns"]) for p in r.timeline["nvtx"]["phases"]], [("r", 30)], "ids with a sign join like any other")
    tap.equal(sorted(s["frame"] for s in r.timeline["call_sites"]), ["f0 (app)", "f1 (app)", "f2 (app)"], "and call chains up to the largest id")
    for more in (["--format", "perfetto"], ["--format", "timeline-svg"]):
        p = tap.run("--ks-sqlite", make(fill), *more)
        tap.equal((p.rc, p.err), (0, b""), f"{more[1]}: is drawn")


# --- call sites ---------------------------------------------------------------------------------------------------------
def test_chains():
    r = Report(make(made.chains))
    sites = [(s["frame"], s["launches"]) for s in r.timeline["call_sites"]]
    tap.equal(sites, [("train_step (train)", 2), ("evaluate (train)", 1)], "who launched a kernel: the first frame outside the CUDA libraries")
    tap.ok("train_step" in (r.rows_of("k()").get("ks__call_site") or ""), "and the kernel's row says it")


# --- order ---------------------------------------------------------------------------------------------------------------
def test_order():
    """The same rows in reverse, and the same bytes of every output."""
    outputs = (["--print-details", "all"], ["--format", "json"], ["--csv"], ["--format", "nvtx-csv"], ["--format", "folded"],
               ["--format", "timeline-svg"], ["--format", "histogram-svg"], ["--format", "perfetto"],
               ["--format", "occupancy-svg"], ["--format", "occupancy-csv"])
    import sqlite3
    for fill in made.ALL:
        path = make(fill, gpus=2)
        digest = []
        for turn in range(2):
            if turn:
                db = sqlite3.connect(path)
                for (table,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
                    rows = db.execute(f"select * from {table} order by rowid desc").fetchall()
                    db.execute(f"delete from {table}")
                    db.executemany(f"insert into {table} values ({', '.join('?' * len(rows[0]))})", rows) if rows else None
                db.commit()
                db.close()
            digest.append([tap.run("--ks-sqlite", path, *args, env={"SOURCE_DATE_EPOCH": "1"}).out for args in outputs])
        differ = [" ".join(a) for a, x, y in zip(outputs, *digest) if x != y]
        tap.equal(differ, [], f"{fill.__name__}: rows in another order give the same bytes")


tap.need_bin()
for test in (test_domains, test_start_end, test_steps, test_not_steps, test_copies, test_copy_kinds, test_memory, test_collectives, test_nccl_calls,
             test_gaps, test_streams, test_migrations, test_latency, test_graph_nodes, test_graph_only, test_window_without_work, test_damaged_ids, test_chains, test_order):
    try:
        test()
    except (KeyError, AssertionError, IndexError, TypeError) as fault:
        tap.ok(False, test.__name__, f"{type(fault).__name__}: {fault}")
tap.done()
