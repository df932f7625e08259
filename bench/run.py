#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory against yardsticks that run beside us, in turn, on the same input.

Prints no time before the answers are equal to the generator's truth file. Ratios are taken pair by
pair within one run; the middle one is shown. Exit 1 when an answer differs or a goal is missed.

    make bench              sizes S (1e4 launches) and M (1e6)
    BENCH_L=1 make bench    also L (1e7: 1.3 GB, and as much again shuffled)
    python3 bench/run.py --check    the equality part alone, size S, as TAP
"""
import csv
import hashlib
import io
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.chdir(ROOT)
BUILD = os.environ.get("O", "build")
SHARED = os.environ.get("KS_SHARED", "../shared")
BIN = os.path.abspath(os.environ.get("KS_BIN", BUILD + "/kernoscope"))
TOOL = os.path.abspath(BUILD + "/bench")
DATA = os.environ.get("BENCH_DATA", BUILD + "/bench/data")
GENERATOR = SHARED + "/bench/gen_nsys_sqlite.py"
LAUNCHES = {"S": 10_000, "M": 1_000_000, "L": 10_000_000}
MIB = 1024.0
# What the core alone reads: no table beside the kernels, copies and memsets.
CORE = ("--section", "Duration", "--section", "LaunchStats", "--section", "Occupancy", "--print-details", "header")
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
os.environ.pop("KERNOSCOPE_LANG", None)


SHUFFLED = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "StringIds",
            "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "PROFILER_OVERHEAD")


# --- inputs ------------------------------------------------------------------------------------------
def make_input(size):
    """The trace of that size, made once."""
    path = f"{DATA}/{size}.sqlite"
    if not os.path.exists(path) or not os.path.exists(f"{DATA}/{size}.truth.json"):
        os.makedirs(DATA, exist_ok=True)
        print(f"# making {path}", flush=True)
        subprocess.run([sys.executable, GENERATOR, "--out", path + ".part", "--launches", str(LAUNCHES[size]),
                        "--truth", f"{DATA}/{size}.truth.json"], check=True, stdout=subprocess.DEVNULL)
        os.replace(path + ".part", path)
    with open(f"{DATA}/{size}.truth.json", encoding="utf-8") as f:
        return path, json.load(f)


def make_shuffled(size):
    """The same rows in another order under the same file name: a multiplicative hash of the rowid."""
    source = f"{DATA}/{size}.sqlite"
    path = f"{DATA}/all-shuffled/{size}.sqlite"
    if os.path.exists(path):
        return path
    os.makedirs(f"{DATA}/all-shuffled", exist_ok=True)
    part = path + ".part"
    print(f"# making {path}", flush=True)
    shutil.copyfile(source, part)
    db = sqlite3.connect(part)
    db.execute("pragma journal_mode = off")
    db.execute("pragma synchronous = off")
    for table in SHUFFLED:
        sql = db.execute("select sql from sqlite_master where name = ?", (table,)).fetchone()
        if not sql:
            continue
        db.execute(f"alter table {table} rename to old_rows")
        db.execute(sql[0])
        db.execute(f"insert into {table} select * from old_rows order by (rowid * 2654435761) % 4294967296")
        db.execute("drop table old_rows")
    db.commit()
    db.close()
    os.replace(part, path)
    return path


# --- equality ------------------------------------------------------------------------------------------
def capture(*args):
    return subprocess.run([BIN, *args], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def differences(path, truth):
    """What our report says otherwise than the truth file; empty when nothing."""
    report = json.loads(capture("--ks-sqlite", path, "--set", "basic", "--format", "json"))
    ours = {k["name"]: k for k in report["kernels"] if k["name"] != "(device)"}
    bad = [f"kernel {n} is {'missing' if n not in ours else 'not in the truth file'}"
           for n in set(ours) ^ set(truth["kernels"])]
    for name in set(ours) & set(truth["kernels"]):
        want = truth["kernels"][name]
        for field, key in (("count", "launch_count"), ("total_ns", "total_ns"), ("min_ns", "min_ns"), ("max_ns", "max_ns")):
            if ours[name][key] != want[field]:
                bad.append(f"{name}: {key} {ours[name][key]}, truth {want[field]}")
    launches = sum(k["launch_count"] for k in ours.values())
    total = sum(k["total_ns"] for k in ours.values())
    if (launches, total) != (truth["launches"], truth["total_ns"]):
        bad.append(f"{launches} launches, {total} ns; truth {truth['launches']}, {truth['total_ns']}")
    return bad


def launch_csv_differences(path, truth):
    """The per-launch rows added up per kernel, read by Python's own CSV reader."""
    sums = {}
    with subprocess.Popen([BIN, "--ks-sqlite", path, "--launch-csv"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        for row in csv.DictReader(io.TextIOWrapper(child.stdout, "utf-8", newline="")):
            ns = int(row["duration_ns"])
            s = sums.setdefault(row["kernel"], [0, 0, ns, ns])
            s[0] += 1
            s[1] += ns
            s[2] = min(s[2], ns)
            s[3] = max(s[3], ns)
    want = {n: [k["count"], k["total_ns"], k["min_ns"], k["max_ns"]] for n, k in truth["kernels"].items()}
    return [] if sums == want else [f"launch CSV: {n}: {sums.get(n)}, truth {want.get(n)}"
                                    for n in set(sums) | set(want) if sums.get(n) != want.get(n)]


def scan_differences(path, truth):
    text = subprocess.run([TOOL + "/api_scan", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    want = f"{truth['launches']} launches, {truth['total_ns']} ns,"
    return [] if text.startswith(want) else [f"api_scan: {text.strip()}; truth {want}"]


def same_bytes(path, shuffled):
    """Every output of the two, run from their own folders so that the name given is the same."""
    bad = []
    for args in (["--set", "full", "--print-details", "all"], ["--format", "json"], ["--csv"], ["--packet", "-"],
                 ["--launch-csv"], ["--format", "svg"], ["--format", "nvtx-csv"], ["--format", "folded"],
                 ["--format", "timeline-svg"], ["--format", "histogram-svg"], ["--format", "perfetto"]):
        digest = []
        for file in (path, shuffled):
            command = [BIN, "--ks-sqlite", os.path.basename(file), *args]
            out = subprocess.run(command, cwd=os.path.dirname(file), check=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL).stdout
            if "--packet" in args or "json" in args:
                out = without_run_cost(out)
            digest.append(hashlib.sha256(out).hexdigest())
        if digest[0] != digest[1]:
            bad.append(f"{' '.join(args)}: other bytes when the rows are shuffled")
    return bad


def without_run_cost(text):
    """The packet says what the run itself cost; that alone may differ between two runs."""
    doc = json.loads(text)
    if isinstance(doc.get("cost"), dict):
        doc["cost"].pop("wall_s", None)
        doc["cost"].pop("packet_bytes", None)
    return json.dumps(doc).encode()


# --- measuring ------------------------------------------------------------------------------------------
def once(command, output=None):
    """One run: (milliseconds, MiB at its peak)."""
    result = f"{DATA}/measure.txt"
    if os.path.exists(result):
        os.remove(result)
    with open(output or os.devnull, "wb") as out:
        subprocess.run([TOOL + "/measure", result, *command], check=True, stdout=out, stderr=subprocess.DEVNULL)
    with open(result, encoding="ascii") as f:
        wall, rss, status = f.read().split()
    if status != "0":
        raise SystemExit(f"error: exit {status}: {' '.join(command)}")
    return int(wall) / 1e6, int(rss) / MIB


def in_turn(rounds, *commands):
    """A B A B ...: for each command its list of (ms, MiB). A command is (argv, output file or None)."""
    runs = [[] for _ in commands]
    for _ in range(rounds):
        for i, (command, output) in enumerate(commands):
            runs[i].append(once(command, output))
    return runs


def middle(run, field=0):
    return statistics.median(r[field] for r in run)


class Table:
    def __init__(self):
        self.missed = 0

    def row(self, what, measured, goal, good):
        self.missed += not good
        print(f"  {what:<34} {measured:<58} {goal:<34} {'met' if good else 'MISSED'}", flush=True)


def ours(*args):
    return [BIN, *args]


def bench_start(table):
    version, empty = in_turn(60, (ours("--version"), None), ([TOOL + "/empty"], None))
    ratio = statistics.median(a[0] / b[0] for a, b in zip(version, empty))
    rss = max(r[1] for r in version)
    table.row("--version", f"{middle(version):.2f} ms = {ratio:.2f} x empty ({middle(empty):.2f} ms), {rss:.1f} MiB",
              "<= 2.5 x empty, <= 8 MiB", ratio <= 2.5 and rss <= 8)
    brief, empty = in_turn(30, (ours("capabilities", "--brief"), None), ([TOOL + "/empty"], None))
    ratio = statistics.median(a[0] / b[0] for a, b in zip(brief, empty))
    rss = max(r[1] for r in brief)
    table.row("capabilities --brief", f"{middle(brief):.2f} ms = {ratio:.2f} x empty ({middle(empty):.2f} ms), {rss:.1f} MiB",
              "<= 8 x empty (no driver), <= 8 MiB", (ratio <= 8 or os.path.exists("/dev/nvidiactl")) and rss <= 8)
    folder = "/dev/shm" if os.path.isdir("/dev/shm") else DATA
    prefix = f"{folder}/ks-bench-{os.getpid()}"
    try:
        run, = in_turn(30, (ours("--ks-synthetic", "--set", "full", "-f", "-o", prefix), None))
    finally:
        for name in os.listdir(folder):
            if name.startswith(os.path.basename(prefix)):
                path = os.path.join(folder, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    table.row("--ks-synthetic --set full -o", f"{middle(run):.2f} ms", "<= 12 ms", middle(run) <= 12)


def bench_small(table, path):
    core, basic, scan = in_turn(20, (ours("--ks-sqlite", path, *CORE), None), (ours("--ks-sqlite", path, "--set", "basic"), None),
                                ([TOOL + "/api_scan", path, "all"], None))
    table.row("S core sections", f"{middle(core):.1f} ms, {max(r[1] for r in core):.1f} MiB", "<= 20 ms", middle(core) <= 20)
    ratio = statistics.median(a[0] / b[0] for a, b in zip(basic, scan))
    print(f"  S --set basic: {middle(basic):.1f} ms = {ratio:.2f} x api scan of all tables ({middle(scan):.1f} ms)")


def bench_scan(table, size, path, rounds):
    """Against the bare scan; returns our peak memory."""
    basic, packet, scan = in_turn(rounds, (ours("--ks-sqlite", path, *CORE), None),
                                  (ours("--ks-sqlite", path, *CORE, "--packet", "-"), None),
                                  ([TOOL + "/api_scan", path], None))
    for name, run in (("core sections", basic), ("core sections --packet -", packet)):
        ratio = statistics.median(a[0] / b[0] for a, b in zip(run, scan))
        rss = max(r[1] for r in run)
        good = ratio <= 1.3 and (size != "M" or rss <= 32)
        table.row(f"{size} {name}", f"{middle(run):.0f} ms = {ratio:.2f} x api scan ({middle(scan):.0f} ms), {rss:.1f} MiB",
                  "<= 1.3 x api scan" + (", <= 32 MiB" if size == "M" else ""), good)
    return max(r[1] for r in basic)


def bench_growth(table, m_path, l_path):
    """Ten times the launches, in turn: a busy spell then falls on both."""
    small, large = in_turn(3, (ours("--ks-sqlite", m_path, *CORE), None), (ours("--ks-sqlite", l_path, *CORE), None))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(small, large))
    more = max(r[1] for r in large) - max(r[1] for r in small)
    table.row("L against M, core sections", f"{ratio:.1f} x the time, {more:+.1f} MiB", "<= 12 x, <= 4 MiB more",
              ratio <= 12 and more <= 4)
    small, large = in_turn(3, (ours("--ks-sqlite", m_path, "--set", "basic"), None),
                           (ours("--ks-sqlite", l_path, "--set", "basic"), None))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(small, large))
    rss = max(r[1] for r in large)
    table.row("L against M, --set basic", f"{ratio:.1f} x the time, {rss:.0f} MiB", "<= 12 x, <= 320 MiB",
              ratio <= 12 and rss <= 320)


def bench_shuffled(table, size, shuffled, plain_mib, rounds):
    run, = in_turn(rounds, (ours("--ks-sqlite", shuffled, *CORE), None))
    rss = max(r[1] for r in run)
    room = min(16 * LAUNCHES[size] / 1048576, 64) + plain_mib + 4
    table.row(f"{size} shuffled, core sections", f"{middle(run):.0f} ms, {rss:.1f} MiB",
              f"<= {room:.0f} MiB (16 B a launch, <= 64 MiB)", rss <= room)


def timeline_room(size, truth):
    """MiB a run with everything on may take: 24 bytes a launch, 100 a range, spilled beyond 256 MiB."""
    rows = (24 * LAUNCHES[size] + 100 * truth["nvtx_rows"]) / 1048576
    return 48 + min(rows, 256 + 16)


def bench_timeline(table, size, path, shuffled, truth, rounds):
    """Everything on, against one pass over every table that is read; then the same rows shuffled."""
    basic, scan = in_turn(rounds, (ours("--ks-sqlite", path, "--set", "basic"), None), ([TOOL + "/api_scan", path, "all"], None))
    ratio = statistics.median(a[0] / b[0] for a, b in zip(basic, scan))
    rss, room = max(r[1] for r in basic), timeline_room(size, truth)
    table.row(f"{size} --set basic", f"{middle(basic):.0f} ms = {ratio:.2f} x api scan of all tables ({middle(scan):.0f} ms), {rss:.1f} MiB",
              f"<= 1.5 x api scan, <= {room:.0f} MiB", ratio <= 1.5 and rss <= room)
    basic, mixed = in_turn(3, (ours("--ks-sqlite", path, "--set", "basic"), None), (ours("--ks-sqlite", shuffled, "--set", "basic"), None))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(basic, mixed))
    rss = max(r[1] for r in mixed)
    table.row(f"{size} --set basic, rows shuffled", f"{middle(mixed):.0f} ms = {ratio:.2f} x in order, {rss:.1f} MiB",
              f"<= 2 x in order, <= {room:.0f} MiB", ratio <= 2 and rss <= room)


def bench_trace_file(table, size, path, rounds):
    trace, raw_file = f"{DATA}/timeline.perfetto-trace", f"{DATA}/bytes"
    command = ours("--ks-sqlite", path, "--format", "perfetto")
    once(command, trace)
    n = os.path.getsize(trace)
    run, scan, write = in_turn(rounds, (command, trace), ([TOOL + "/api_scan", path, "all"], None),
                               ([TOOL + "/write_bytes", str(n)], raw_file))
    ratio = statistics.median(a[0] / (b[0] + c[0]) for a, b, c in zip(run, scan, write))
    a_launch = n / LAUNCHES[size]
    table.row(f"{size} --format perfetto", f"{a_launch:.1f} B a launch, {middle(run):.0f} ms = {ratio:.2f} x (scan {middle(scan):.0f} + "
              f"write {middle(write):.0f}), {max(r[1] for r in run):.0f} MiB", "<= 45 B a launch, <= 2 x", ratio <= 2 and a_launch <= 45)
    os.remove(trace)
    os.remove(raw_file)


def bench_launch_csv(table, size, path, rounds):
    csv_file, raw_file = f"{DATA}/launches.csv", f"{DATA}/bytes"
    once(ours("--ks-sqlite", path, "--launch-csv"), csv_file)
    n = os.path.getsize(csv_file)
    run, scan, write = in_turn(rounds, (ours("--ks-sqlite", path, *CORE, "--launch-csv"), csv_file),
                               ([TOOL + "/api_scan", path], None), ([TOOL + "/write_bytes", str(n)], raw_file))
    ratio = statistics.median(a[0] / (b[0] + c[0]) for a, b, c in zip(run, scan, write))
    rss = max(r[1] for r in run)
    room = 64 + min(24 * LAUNCHES[size] / 1048576, 256)
    table.row(f"{size} --launch-csv", f"{middle(run):.0f} ms = {ratio:.2f} x (scan {middle(scan):.0f} + write {middle(write):.0f}), "
              f"{rss:.1f} MiB", f"<= 2 x, <= {room:.0f} MiB", ratio <= 2 and rss <= room)
    os.remove(csv_file)
    os.remove(raw_file)


def bench_stats(table, size, path, rounds):
    """Tables of sums against one pass over all tables, though each needs but one; then the events."""
    for name, goal in (("cuda_gpu_kern_sum", 1.5), ("cuda_api_sum", 1.0), ("nvtx_sum", 0.5), ("cuda_gpu_mem_time_sum", 0.3)):
        run, scan = in_turn(rounds, (ours("stats", name, path), None), ([TOOL + "/api_scan", path, "all"], None))
        ratio = statistics.median(a[0] / b[0] for a, b in zip(run, scan))
        rss = max(r[1] for r in run)
        table.row(f"{size} stats {name}", f"{middle(run):.0f} ms = {ratio:.2f} x api scan of all tables ({middle(scan):.0f} ms), {rss:.1f} MiB",
                  f"<= {goal} x api scan, <= 16 MiB", ratio <= goal and rss <= 16)
    out_file, raw_file = f"{DATA}/events", f"{DATA}/bytes"
    room = 32 + min(32 * LAUNCHES[size] / 1048576, 256)
    for form, goal in (("csv", 2.5), ("text", 6)):
        command = ours("stats", "cuda_gpu_trace", path, "--format", form)
        once(command, out_file)
        run, scan, write = in_turn(rounds, (command, out_file), ([TOOL + "/api_scan", path], None),
                                   ([TOOL + "/write_bytes", str(os.path.getsize(out_file))], raw_file))
        ratio = statistics.median(a[0] / (b[0] + c[0]) for a, b, c in zip(run, scan, write))
        rss = max(r[1] for r in run)
        table.row(f"{size} stats cuda_gpu_trace, {form}", f"{middle(run):.0f} ms = {ratio:.2f} x (scan {middle(scan):.0f} + write {middle(write):.0f}), "
                  f"{rss:.1f} MiB", f"<= {goal} x, <= {room:.0f} MiB", ratio <= goal and rss <= room)
    os.remove(out_file)
    os.remove(raw_file)


def bench_page(table, size, path, rounds):
    """The evidence page beside the report without it: its pictures look at every slice once more."""
    page = f"{DATA}/page.html"
    plain, html = in_turn(rounds, (ours("--ks-sqlite", path, "--set", "basic"), None),
                          (ours("--ks-sqlite", path, "--set", "basic", "-f", "--html", page), None))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(plain, html))
    rss = max(r[1] for r in html)
    room = 64 + min(80 * LAUNCHES[size] / 1048576, 256)
    kib = os.path.getsize(page) / 1024
    table.row(f"{size} --html", f"{middle(html):.0f} ms = {ratio:.2f} x without, {rss:.1f} MiB, {kib:.0f} KiB",
              f"<= 2.5 x, <= {room:.0f} MiB, <= 64 KiB", ratio <= 2.5 and rss <= room and kib <= 64)
    os.remove(page)


def bench_redact(table, size, path, rounds):
    """A name is hashed once, not once for each launch."""
    plain, *hidden = in_turn(rounds, *((ours("--ks-sqlite", path, "--set", "basic", *more), None)
                                       for more in ((), ("--redact",), ("--redact=names",))))
    for option, run in zip(("--redact", "--redact=names"), hidden):
        ratio = statistics.median(b[0] / a[0] for a, b in zip(plain, run))
        more = max(r[1] for r in run) - max(r[1] for r in plain)
        table.row(f"{size} {option}", f"{middle(run):.0f} ms = {ratio:.2f} x without, {more:+.1f} MiB", "<= 1.15 x, <= 4 MiB more",
                  ratio <= 1.15 and more <= 4)


def bench_original(size, path, rounds):
    """Information, not a goal: the published original on the same input, where it is installed."""
    peer = os.environ.get("KS_PEER", f"{BUILD}/peer/bin/kernoscope")
    if not os.path.exists(peer):
        print("  the original is not installed (make peer): no ratio to it")
        return
    them, us = in_turn(rounds, ([peer, "--ks-sqlite", path, "--set", "basic", "--screen", "off"], None),
                       (ours("--ks-sqlite", path, "--set", "basic"), None))
    ratio = statistics.median(a[0] / b[0] for a, b in zip(them, us))
    print(f"  the original, {size} --set basic: {middle(them) / 1000:.2f} s, {max(r[1] for r in them):.0f} MiB "
          f"= {ratio:.0f} x ours")


def require_equal(size, path, truth, per_launch):
    bad = differences(path, truth) + scan_differences(path, truth)
    if per_launch:
        bad += launch_csv_differences(path, truth)
    if bad:
        raise SystemExit("error: answers differ, so no time is printed\n  " + "\n  ".join(bad[:20]))
    print(f"# {size}: counts, totals, minima and maxima of {len(truth['kernels'])} kernels equal the truth file", flush=True)


def check():
    """The part `make check` runs."""
    path, truth = make_input("S")
    shuffled = make_shuffled("S")
    tests = [("the report equals the generator's truth file", differences(path, truth)),
             ("so does the report of the shuffled copy", differences(shuffled, truth)),
             ("launch rows add up to the truth file", launch_csv_differences(path, truth)),
             ("the yardstick reads the same rows", scan_differences(path, truth)),
             ("shuffled rows give the same bytes in every output", same_bytes(path, shuffled))]
    for i, (name, bad) in enumerate(tests, 1):
        print(f"{'not ' if bad else ''}ok {i} - {name}")
        for line in bad[:20]:
            print(f"#   {line}")
    print(f"1..{len(tests)}")
    return 1 if any(bad for _, bad in tests) else 0


def main():
    if not os.path.exists(GENERATOR):
        print("1..0 # SKIP no " + GENERATOR if "--check" in sys.argv else f"error: the generator is not here: {GENERATOR}")
        return 0 if "--check" in sys.argv else 1
    if "--check" in sys.argv:
        return check()
    sizes = ["S", "M"] + (["L"] if os.environ.get("BENCH_L") else [])
    if "L" in sizes and shutil.disk_usage(BUILD).free < 6 << 30:
        raise SystemExit("error: size L needs 6 GiB of free disk")
    inputs = {}
    for size in sizes:
        path, truth = make_input(size)
        shuffled = make_shuffled(size) if size != "S" else None
        require_equal(size, path, truth, size != "L")
        if size == "M" and (bad := same_bytes(path, shuffled)):
            raise SystemExit("error: " + "\n  ".join(bad))
        inputs[size] = (path, shuffled, truth)
    table = Table()
    if os.getloadavg()[0] > 1.0:
        print(f"# the machine is busy (load {os.getloadavg()[0]:.1f}): ratios hold, milliseconds are high", flush=True)
    bench_start(table)
    bench_small(table, inputs["S"][0])
    m_mib = bench_scan(table, "M", inputs["M"][0], 5)
    bench_shuffled(table, "M", inputs["M"][1], m_mib, 3)
    bench_launch_csv(table, "M", inputs["M"][0], 5)
    bench_timeline(table, "M", *inputs["M"], 5)
    bench_trace_file(table, "M", inputs["M"][0], 3)
    bench_stats(table, "M", inputs["M"][0], 3)
    bench_page(table, "M", inputs["M"][0], 3)
    bench_redact(table, "M", inputs["M"][0], 5)
    if "L" in sizes:
        path, shuffled, _ = inputs["L"]
        bench_scan(table, "L", path, 3)
        bench_growth(table, inputs["M"][0], path)
        bench_shuffled(table, "L", shuffled, m_mib, 2)
        bench_launch_csv(table, "L", path, 2)
    bench_original("S", inputs["S"][0], 3)
    if os.environ.get("BENCH_PEER_M"):
        bench_original("M", inputs["M"][0], 1)
    print(f"{table.missed} goals missed" if table.missed else "every goal met")
    return 1 if table.missed else 0


sys.exit(main())
