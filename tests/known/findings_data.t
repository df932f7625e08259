#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings over every real export of ../shared/data/nsys-sqlite. A second reading of the same rows, interval by interval
and without a sweep, claims the same nanoseconds; on no device do claims add up to more than the span. Then, for ten
exports of ten GPUs, the finding at the top by hand: what in the trace supports it and what its bound is."""
import bisect
import collections
import glob
import itertools
import json
import os
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
SYNC = {"cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuCtxSynchronize",
        "cuStreamSynchronize", "cuEventSynchronize"}
TURNAROUND, SHORT = 1000000, 10000


def work_of(name):
    """What a call does, by its name; None: nothing that holds a device up."""
    name = re.sub(r"(_v\d+|_ptsz|_ptds)+$", "", name)
    if name in SYNC:
        return "sync"
    if re.match(r"(cudaMemcpy|cuMemcpy)", name) and "Async" not in name and "Batch" not in name and "Attr" not in name:
        return "copy"
    if re.match(r"(cudaMemset|cuMemset)", name) and "Async" not in name:
        return "memset"
    if re.match(r"(cuModule(Load|Unload)|cuLibrary(Load|Unload)|cudaLibrary(Load|Unload)|cuLink(Create|Add|Complete))", name):
        return "module"
    if re.match(r"(cudaMalloc|cudaFree|cudaHost(Alloc|Register|Unregister)|cuMem(Alloc|Free|Host|Create|Map|Unmap|Release|Address|SetAccess)"
                r"|cuArray)", name) and "Async" not in name and "Pool" not in name and "Flags" not in name and "Pointer" not in name:
        return "alloc"
    return None


class Rows:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.db.text_factory = lambda b: b.decode("utf-8", "replace")
        self.tables = {n for n, in self.db.execute("select name from sqlite_master where type = 'table'")}

    def has(self, table, *columns):
        return table in self.tables and set(columns) <= {r[1] for r in self.db.execute(f"pragma table_info({table})")}

    def get(self, table, *columns):
        if table not in self.tables:
            return []
        there = {r[1] for r in self.db.execute(f"pragma table_info({table})")}
        return self.db.execute(f"select {', '.join(c if c in there else 'null' for c in columns)} from {table}").fetchall()


def union(intervals):
    out = []
    for a, b in sorted(intervals):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def covered(cover, a, b):
    """Parts of [a, b) inside a union."""
    i = max(bisect.bisect_right(cover, [a, 1 << 62]) - 1, 0)
    out = []
    for x, y in cover[i:]:
        if x >= b:
            break
        if y > a:
            out.append((max(a, x), min(b, y)))
    return out


def without(parts, cover):
    """What of the parts no interval of the union covers."""
    out = []
    for a, b in parts:
        for x, y in covered(cover, a, b):
            if x > a:
                out.append((a, x))
            a = y
        if b > a:
            out.append((a, b))
    return out


def length(parts):
    return sum(b - a for a, b in parts)


def claims_of(path, report):
    """Rule => nanoseconds on the only device; None where this reading is too simple for the export."""
    rows, strings = Rows(path), {}
    span = (report["span"]["start_ns"], report["span"]["start_ns"] + report["span"]["duration_ns"])
    strings = dict(rows.get("StringIds", "id", "value"))
    kernels = [(s, e, strings.get(n) or "", st, d, c) for s, e, n, st, d, c in rows.get(
        "CUPTI_ACTIVITY_KIND_KERNEL", "start", "end", "demangledName", "streamId", "deviceId", "correlationId") if s is not None and e is not None and e > s]
    copies = [r for r in rows.get("CUPTI_ACTIVITY_KIND_MEMCPY", "start", "end", "bytes", "copyKind", "srcKind", "dstKind", "correlationId", "streamId",
                                  "deviceId") if r[1] > r[0]]
    memsets = [r for r in rows.get("CUPTI_ACTIVITY_KIND_MEMSET", "start", "end", "correlationId", "deviceId") if r[1] > r[0]]
    if len({k[4] for k in kernels} | {c[8] for c in copies} | {m[3] for m in memsets}) != 1 or "CUPTI_ACTIVITY_KIND_MEMCPY2" in rows.tables:
        return None
    calls, waiting = collections.defaultdict(list), {}
    for table in ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"):
        for s, e, n, c, kind in rows.get(table, "start", "end", "nameId", "correlationId", "eventClass"):
            work = work_of(strings.get(n) or "") if kind != 67 else None  # 67: a call chain, no call
            if work in ("copy", "memset"):
                waiting.setdefault(c, e)
            if work and e > s:
                calls[work].append((s, e))
    steps = [(s["start_ns"], s["end_ns"]) for s in report["timeline"]["steps"]["list"]]
    whole = span[1] - span[0]
    long_gap = (sorted(b - a for a, b in steps)[len(steps) // 2] if steps else whole) // 20
    steady = steps[0][1] if steps else span[0] + whole // 10
    if steps:
        calls["sync"] = [c for c in calls["sync"] if any(a <= c[0] < b for a, b in steps)]
    first = min((k[0] for k in kernels), default=1 << 62)  # what comes before it sets up
    for work in ("module", "alloc"):
        calls[work] = [c for c in calls[work] if c[0] >= max(steady, first)]
    overhead = []
    for s, e in rows.get("PROFILER_OVERHEAD", "start", "end"):
        if s is not None and e is not None and e > s:
            overhead.append((s, e))
    # what runs: (start, end, class)
    order = ["set meanwhile", "plain", "pageable", "sets", "blocking", "scalar"]
    work = []
    for s, e, name, *_ in kernels:
        comm = re.match(r"(void )?nccl", name)
        work.append((s, e, "comm" if comm else "compute"))
    for s, e, size, kind, src, dst, corr, _, _ in copies:
        if kind in (11, 12, 13):
            work.append((s, e, "move"))
        elif kind == 2 and size is not None and size <= 64:
            work.append((s, e, "scalar"))
        elif waiting.get(corr, e - 1) >= e:          # such a call may return before the copy is done
            work.append((s, e, "blocking"))
        elif src == 0 or dst == 0:
            work.append((s, e, "pageable"))
        else:
            work.append((s, e, "plain"))
    for s, e, corr, _ in memsets:
        work.append((s, e, "sets" if waiting.get(corr, e - 1) >= e else "set meanwhile"))
    out = collections.Counter()
    cover = {c: union([(s, e) for s, e, k in work if k == c]) for c in order + ["comm", "compute", "move"]}
    # alone: the first of these that runs where nothing above it does
    left = [span]
    left = without(left, cover["compute"])
    for c, rule in (("comm", "exposed_comm"), ("scalar", "scalar_read"), ("blocking", "blocking_copy"), ("sets", "blocking_memset"),
                    ("pageable", "pageable_copy"), ("plain", "one_stream"), ("set meanwhile", "nobody"), ("move", "um_thrash")):
        out[rule] += sum(length(covered(cover[c], a, b)) for a, b in left)
        left = without(left, cover[c])
    del out["nobody"]
    streams = {k[3] for k in kernels} | {c[7] for c in copies if c[3] not in (11, 12, 13)}
    if len(streams) != 1:
        out["one_stream"] = 0
    ways = collections.Counter(c[3] for c in copies)
    if min(ways[11], ways[12]) * 10 < ways[11] + ways[12] or not min(ways[11], ways[12]):
        out["um_thrash"] = 0
    # gaps
    ends, starts = collections.defaultdict(set), collections.defaultdict(list)
    for s, e, c in work:
        ends[e].add(c)
    for s, e, name, *_ in kernels:
        if not re.match(r"(void )?nccl", name):
            starts[s].append(e - s)
    idle = without([span], union([(s, e) for s, e, _ in work]))
    takers = [("profiler_overhead", union(overhead)), ("module_load", union(calls["module"])), ("steady_alloc", union(calls["alloc"]))]
    held = {w: union(calls[w]) for w in calls}
    begun = {w: sorted(x[0] for x in calls[w]) for w in calls}
    ends_of = {w: [-1 << 62, *itertools.accumulate((x[1] for x in sorted(calls[w])), max)] for w in calls}
    bins = [[0, 0] for _ in range(200)]
    edge = [span[0] + int(float(whole) * i / 200) for i in range(201)]
    for a, b in idle:
        parts = [(a, b)]
        for rule, c in takers:
            rest = without(parts, c)
            out[rule] += length(parts) - length(rest)
            parts = rest
        n = length(parts)
        waits, wait = None, 0
        for w in ("copy", "memset", "sync", "alloc", "module") if a > span[0] else ():
            # calls that began before and end at or behind the moment the device ran dry: so long the host waited
            i = bisect.bisect_left(held.get(w, []), [a]) - 1
            last = ends_of[w][bisect.bisect_left(begun[w], a)] if w in begun else a - 1
            if i >= 0 and last >= a:
                waits, wait = w, min(last, span[1]) - max(held[w][i][0], span[0])
                break
        free = n
        if n > long_gap:
            out["long_gap"] += n
            free = 0
        elif 0 < n <= TURNAROUND:
            if waits:
                rule = "scalar_read" if "scalar" in ends[a] else {"copy": "blocking_copy", "memset": "blocking_memset", "sync": "host_sync",
                                                                    "alloc": "steady_alloc", "module": "module_load"}[waits]
                out[rule] += min(n, wait)
                free = n - min(n, wait)
            if any(x < SHORT or x < n for x in starts.get(b, ())):
                out["starved"] += free
                free = 0
        for i in range(max(bisect.bisect_right(edge, a) - 1, 0), 200):
            if edge[i] >= b:
                break
            for k, (x, y) in ((0, (a, b)), (1, (b - free, b))):
                bins[i][k] += max(0, min(y, edge[i + 1] if i < 199 else y) - max(x, edge[i]))
    i = 0
    while i < 200:
        j = i
        while j < 200 and 2 * bins[j][0] > edge[j + 1] - edge[j]:
            j += 1
        if j - i >= 10:
            out["low_use"] += sum(x[1] for x in bins[i:j])
        i = j + 1
    return +out


def report_of(path, *args):
    r = tap.run("--ks-sqlite", path, "--format", "json", *args)
    return json.loads(r.out) if r.rc == 0 else None


# --- the top finding of ten exports, by hand ---------------------------------------------------------------
def work(rows):
    """Everything that ran on the device, in order."""
    out = [(s, e) for t in ("KERNEL", "MEMCPY", "MEMSET") for s, e in rows.get("CUPTI_ACTIVITY_KIND_" + t, "start", "end")]
    return union(out)


def gaps(rows, least=0):
    w = work(rows)
    return [(a[1], b[0]) for a, b in zip(w, w[1:]) if b[0] - a[1] > least]


def calls_like(rows, *patterns):
    """Calls of such names that start behind the first tenth of the span and the first kernel: before it programs set up."""
    w = work(rows)
    first = max(w[0][0] + (w[-1][1] - w[0][0]) // 10, sum_of(rows, "select min(start) from CUPTI_ACTIVITY_KIND_KERNEL"))
    return union(rows.db.execute("select r.start, r.end from CUPTI_ACTIVITY_KIND_RUNTIME r join StringIds s on s.id = r.nameId where r.start >= ? and ("
                                 + " or ".join(["s.value like ?"] * len(patterns)) + ")", (first, *patterns)).fetchall())


MEMORY = ("cudaMalloc%", "cudaHost%", "cudaFree%", "cuMemAlloc%", "cuMemFree%", "cuMemHost%")
MODULES = ("cuModuleLoad%", "cuLibraryLoad%", "cuModuleUnload%", "cuLibraryUnload%", "cuLinkC%")


def sum_of(rows, sql):
    return rows.db.execute(sql).fetchone()[0]


def one_block(rows):
    # one launch, one block, 28 SMs: 27 of them had nothing to do for 446 ms
    return sum_of(rows, "select sum(end - start) from CUPTI_ACTIVITY_KIND_KERNEL where gridX * gridY * gridZ = 1") * 27 / 28


def one_block_of_32_threads(rows):
    # matmult in Fortran: one launch of 10 s with one block on 114 SMs; four small ones of 16 blocks beside it
    return sum_of(rows, "select sum((end - start) * (114 - gridX) / 114.0) from CUPTI_ACTIVITY_KIND_KERNEL where gridX < 114")


def two_and_a_half_waves(rows):
    # 256 threads of 44 or 48 registers: 12288 of 65536 registers a block, so five on an SM and 400 on 80; 1024 blocks
    # are 2.56 waves that take the time of three
    return sum_of(rows, "select sum(end - start) from CUPTI_ACTIVITY_KIND_KERNEL where gridX = 1024") * (1 - 2.56 / 3)


def allocations(rows):
    # between phases of work nothing runs for 170 and 68 ms: cudaFreeHost, cudaHostAlloc and cudaMalloc take most of it
    return sum(length(covered(calls_like(rows, *MEMORY), a, b)) for a, b in gaps(rows))


def three_copies(rows):
    # three copies of 512 MB by cuMemcpy...Async from and to pageable memory; nothing runs beside them
    return sum_of(rows, "select sum(end - start) from CUPTI_ACTIVITY_KIND_MEMCPY where srcKind = 0 or dstKind = 0")


def cuda_memcpy(rows):
    # three cudaMemcpy of 4 MB from and to pageable memory; the two to the device returned before the copy was done, so
    # what they have in common is the memory, and only the third was waited for
    return sum_of(rows, "select sum(m.end - m.start) from CUPTI_ACTIVITY_KIND_MEMCPY m join CUPTI_ACTIVITY_KIND_RUNTIME r using (correlationId) "
                        "where r.end < m.end and m.srcKind = 0")


def four_bytes(rows):
    # 3797 reads of 4 bytes, nearly all by cudaMemcpyFromSymbol: their time, and of the gap behind each what the call took
    scalar = rows.db.execute("select start, end from CUPTI_ACTIVITY_KIND_MEMCPY where bytes = 4 order by start").fetchall()
    calls = calls_like(rows, *MEMORY)
    after = {a: b - a - length(covered(calls, a, b)) for a, b in gaps(rows) if b - a <= TURNAROUND}
    waited = sorted(rows.db.execute("select r.start, r.end from CUPTI_ACTIVITY_KIND_RUNTIME r join StringIds s on s.id = r.nameId where s.value like "
                                    "'cudaMemcpy%' or s.value like '%Synchronize%'").fetchall())

    def wait(t):  # how long the call was in which the host stood at that moment
        i = bisect.bisect_left(waited, (t,))
        return max((b - a for a, b in waited[max(i - 3, 0):i] if b >= t), default=0)

    return sum(e - s + min(after.get(e, 0), wait(e)) for s, e in scalar)


def longest(n):
    """The longest gaps without what the profiler and calls that load modules or allocate take of them: that is told apart."""
    def left(rows):
        calls = union([tuple(c) for c in calls_like(rows, *MEMORY, *MODULES)] + rows.get("PROFILER_OVERHEAD", "start", "end"))
        return sum(b - a - length(covered(calls, a, b)) for a, b in sorted(gaps(rows), key=lambda g: g[0] - g[1])[:n])
    return left


HAND = [
    ("a30_mig_2g12gb_2023", "grid_below_wave", one_block, "A30 slice: one block on 28 SMs"),
    ("h100_pcie_2024", "grid_below_wave", one_block_of_32_threads, "H100: one block of 32 threads on 114 SMs"),
    ("beast_2020_no_gpu_table", "partial_wave", two_and_a_half_waves, "V100: 2.56 waves take the time of three"),
    ("extrap_win_gtx1060_nvtx_2022", "steady_alloc", allocations, "GTX 1060: memory is freed and allocated between phases"),
    ("openmp_t4_2023", "pageable_copy", three_copies, "T4: OpenMP copies pageable memory before and after the loop"),
    ("rtx3060_2025", "pageable_copy", cuda_memcpy, "RTX 3060: two cudaMemcpy from pageable memory before one kernel"),
    ("rtx3090_9k_kernels_2025", "scalar_read", four_bytes, "RTX 3090: a flag of 4 bytes is read back 3797 times"),
    ("fuser_h200_2024", "long_gap", longest(2), "H200: two gaps in which nvFuser compiles on the host"),
    ("openacc_miniweather_2022_gp100", "long_gap", longest(1), "GP100: one gap of 84 ms after the data went to the device"),
    ("nvtx_numba_jit_2020", "long_gap", longest(1), "Quadro RTX 8000: Numba compiles between the two kernels"),
]


STARVED = ("graph_candidate", "graph_incomplete", "launch_bound")
ALL = {}
compared, wrong, over, rate = 0, [], [], collections.Counter()
for path in sorted(glob.glob(os.path.join(FOLDER, "*.sqlite"))):
    report, name = report_of(path), os.path.basename(path)[:-7]
    if not report or "findings" not in report:
        continue
    ALL[name] = report
    got, device_sum = collections.Counter(), collections.Counter()
    for k in report["kernels"]:
        for s in k["sections"]:
            for m in s["metrics"]:
                f = re.match(r"ks__device_(\d+)__finding_(\w+)_ms$", m["name"])
                if f:
                    ns = round(m["value"] * 1e6)
                    device_sum[f.group(1)] += ns
                    got["starved" if f.group(2) in STARVED else f.group(2)] += ns
    for d, ns in device_sum.items():
        if ns > report["span"]["duration_ns"]:
            over.append(f"{name}: device {d}: {ns} ns of {report['span']}")
    for f in report["findings"]:
        rate[f["rule"]] += f["state"] == "found"
    refused = {f["rule"] for f in report["findings"] if f["state"] == "refused"}
    want = claims_of(path, report)
    if want is None:
        continue
    compared += 1
    for rule in ("grid_below_wave", "partial_wave", "block_not_warps"):
        got.pop(rule, None)
    for rule in set(got) | set(want):
        if rule in refused or (rule == "starved" and "launch_bound" in refused):
            continue
        if got[rule] != want[rule]:
            wrong.append(f"{name}: {rule}: {got[rule]} ns, by the second reading {want[rule]}")
if not ALL:
    tap.skip("../shared/data/nsys-sqlite is not there")
else:
    tap.none(wrong, f"{compared} exports: every rule about idle time, copies and communication claims what a second reading does")
    tap.none(over, f"{len(ALL)} exports: what rules claim of a device is at most the span")
    for name, rule, by_hand, why in HAND:
        path = os.path.join(FOLDER, name + ".sqlite")
        top = ALL[name]["findings"][0] if name in ALL else {}
        tap.equal((top.get("rule"), top.get("bound_ms") and round(top["bound_ms"] * 1e6)), (rule, round(by_hand(Rows(path)))),
                  f"{name}: {why}")
    print("# found in so many of", len(ALL), "exports:", ", ".join(f"{r} {n}" for r, n in sorted(rate.items())))
tap.done()
