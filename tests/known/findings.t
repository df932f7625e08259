#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Known bad patterns, each on two small traces: one in which it takes exactly the share that makes it a finding, and
one in which it takes a nanosecond less. Every expected time is the arithmetic on the rows beside it."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import tap  # noqa: E402
from made import make  # noqa: E402

SPAN = 1000000        # of every trace below but for those with another; 1 % of it makes a finding
ONE_PCT = SPAN // 100
WAVE = 108 * 16       # blocks of 128 threads that the 108 SMs of the made device hold at once: 2048 / 128 each


class Trace:
    """Rows in one process; every kernel fills the device exactly once unless told otherwise."""

    def __init__(self, db):
        self.db, self.next = db, 1

    def number(self):
        self.next += 1
        return self.next

    def kernel(self, start, end, name="k()", called=None, **columns):
        corr, at = self.number(), start - 100 if called is None else called
        self.db.call(at, at + 5, "cudaLaunchKernel_v7000", corr)
        self.db.kernel(start, end, name, correlationId=corr, **dict({"gridX": WAVE}, **columns))

    def call(self, start, end, name):
        self.db.call(start, end, name, self.number())

    def copy(self, start, end, size, call, called, returned, kind=1, **columns):
        corr = self.number()
        self.db.call(called, returned, call, corr)
        self.db.copy(start, end, size, kind=kind, correlationId=corr, **columns)

    def rest(self, start, end=SPAN):
        self.kernel(start, end)


def report(path, *args):
    r = tap.run("--ks-sqlite", path, "--format", "json", *args)
    assert r.rc == 0, r.err
    return json.loads(r.out)


def findings(path, *args):
    return {f["rule"]: f for f in report(path, *args)["findings"]}


def state(f):
    """State and time in nanoseconds."""
    return f["state"], round(f.get("time_ms", 0) * 1e6)


def check(rule, fill, lost=ONE_PCT, span=SPAN, what=""):
    """fill(trace, n): the pattern takes n nanoseconds."""
    for n, want in ((lost, "found"), (lost - 1, "below")):
        found = findings(make(lambda db, n=n: fill(Trace(db), n)))
        tap.equal(state(found[rule]), (want, n), f"{rule}{what}: {n} ns of {span} are {want}")
        others = {r: state(f) for r, f in found.items() if f["state"] in ("found", "below") and r != rule}
        tap.equal(others, {}, f"{rule}{what}: and nothing else is told of it")


# --- idle time -----------------------------------------------------------------------------------------------
def host_sync(t, n):                 # the host is in the call when the device runs dry, and launches after it
    t.kernel(0, 400000)
    t.call(1000, 400050, "cudaDeviceSynchronize_v3020")
    t.rest(400000 + n)


def short_wait(t, n):                # the wait was n ns long; of 30000 ns of gap no more than that can be saved
    t.kernel(0, 400000)
    t.call(400020 - n, 400020, "cudaStreamSynchronize_v3020")
    t.rest(430000)


def module_load(t, n):               # n ns of a gap of 20000; what is left of it is no pattern
    t.kernel(0, 400000)
    t.call(400000, 400000 + n, "cuModuleLoadData")
    t.rest(420000)


def early_load(t, n):                # the same in the first tenth of the span, where programs load
    t.kernel(0, 50000)
    t.call(50000, 50000 + n, "cuModuleLoadData")
    t.rest(70000)


def steady_alloc(t, n):
    t.kernel(0, 400000)
    t.call(400000, 400000 + n, "cudaMalloc_v3020")
    t.rest(420000)


def waits_to_free(t, n):             # cudaFree waits for the device: the whole gap behind it is its doing
    t.kernel(0, 400000)
    t.call(200000, 400001, "cudaFree_v3020")
    t.rest(400000 + n)


def overhead(t, n):
    t.db.row("PROFILER_OVERHEAD", start=400000, end=400000 + n, nameId=t.db.text("CUDA profiling data flush"))
    t.kernel(0, 400000)
    t.rest(420000)


def launch_bound(t, n):              # nobody waits, and the next kernel of 5000 ns is shorter than the gap before it
    t.kernel(0, 400000)
    t.kernel(400000 + n, 400000 + n + 5000)
    t.rest(400000 + n + 5000)


def scalar_read(t, n):               # 4 bytes: n - 4000 ns alone on the device, then 4000 until the host has launched again
    t.kernel(0, 400000)
    t.copy(400000, 400000 + n - 4000, 4, "cudaMemcpyAsync_v3020", 399000, 399100, kind=2, srcKind=2, dstKind=0)
    t.call(399200, 400000 + n - 3000, "cudaStreamSynchronize_v3020")
    t.rest(400000 + n)


def blocking_copy(t, n):
    t.kernel(0, 400000)
    t.copy(400000, 400000 + n - 4000, 1 << 20, "cudaMemcpy_v3020", 399000, 400000 + n - 3000, srcKind=1)
    t.rest(400000 + n)


def blocking_memset(t, n):
    corr = t.number()
    t.kernel(0, 400000)
    t.db.call(399000, 400000 + n, "cudaMemset_v3020", corr)
    t.db.memset(400000, 400000 + n, 1 << 20, correlationId=corr)
    t.rest(400000 + n)


def graph_incomplete(t, n):          # as launch_bound, in a run that has graphs
    t.kernel(0, 400000, graphNodeId=7, graphId=1)
    t.kernel(400000 + n, 400000 + n + 5000)
    t.rest(400000 + n + 5000)


def steps_alike(t, n, launches=12, different=False):
    """Four steps of 250000 ns. In each, kernels of 5000 ns with gaps before them, but for the first and the last, which
    fills the step; the gaps of all four add up to n."""
    gaps = 4 * (launches - 2)
    each, more = divmod(n, gaps)
    number = 0
    for step in range(4):
        start = step * 250000
        t.db.nvtx(start, start + 250000, "step")
        at = start
        for i in range(launches):
            last = i == launches - 1
            end = (step + 1) * 250000 if last else at + 5000
            odd = different and step % 2 and i == 3
            t.kernel(at, end, "other()" if odd else f"k{i}()", called=start + 10 + i * 7)
            at = end
            if i < launches - 2:
                at += each + (1 if number < more else 0)
                number += 1


def low_use(t, n):                   # span 1 s: from 300 ms to 600 ms 2 ms of work and 8 ms of nothing, and a last gap
    t.kernel(0, 300000000)
    for i in range(30):
        t.kernel(300000000 + i * 10000000 + 8000000, 300000000 + (i + 1) * 10000000)
    t.rest(600000000, 1000000000)


# --- copies and communication that run alone -----------------------------------------------------------------
def pageable(t, n):
    t.kernel(0, 400000)
    t.copy(400000, 400000 + n, 1 << 20, "cudaMemcpyAsync_v3020", 399000, 399100, srcKind=0)
    t.rest(400000 + n)


def one_stream(t, n, stream=7):
    t.kernel(0, 400000)
    t.copy(400000, 400000 + n, 1 << 20, "cudaMemcpyAsync_v3020", 399000, 399100, srcKind=1, streamId=stream)
    t.rest(400000 + n)


def migrations(t, n, back=True):
    t.kernel(0, 400000)
    t.db.copy(400000, 405000, 65536, kind=11, srcKind=4, dstKind=4)
    t.db.copy(405000, 400000 + n, 65536, kind=12 if back else 11, srcKind=4, dstKind=4)
    t.rest(400000 + n)


def exposed(t, n):                   # 2000 ns of it beside a kernel, n alone
    t.kernel(0, 400000)
    t.kernel(398000, 400000 + n, "ncclDevKernel_AllReduce_Sum_f32_RING_LL()", streamId=8)
    t.rest(400000 + n)


# --- launch configurations -----------------------------------------------------------------------------------
def lanes(t, n):                     # 100 of 128 lanes: 28/128 of its time
    t.kernel(0, 32 * n // 7, "odd()", blockX=100)
    t.rest(32 * n // 7)


def below_wave(t, n):                # 54 of 108 SMs have a block: half of its time
    t.kernel(0, 2 * n, "small()", gridX=54)
    t.rest(2 * n)


def partial_wave(t, n):              # one and a half waves take the time of two: a quarter of it
    t.kernel(0, 4 * n, "tail()", gridX=WAVE + WAVE // 2)
    t.rest(4 * n)


check("host_sync", host_sync)
check("host_sync", short_wait, what=", by a short wait")
check("module_load", module_load)
check("steady_alloc", steady_alloc)
check("steady_alloc", waits_to_free, what=", by a call that waits")
check("profiler_overhead", overhead)
check("launch_bound", launch_bound)
check("scalar_read", scalar_read)
check("blocking_copy", blocking_copy)
check("blocking_memset", blocking_memset)
check("graph_incomplete", graph_incomplete)
check("graph_candidate", steps_alike)
check("pageable_copy", pageable)
check("one_stream", one_stream)
check("um_thrash", migrations)
check("exposed_comm", exposed)
check("grid_below_wave", below_wave)
check("partial_wave", partial_wave)

# 28/128 of 45715 ns are 10000.2, of 45714 they are 9999.9
for length, want in ((45715, "found"), (45714, "below")):
    f = findings(make(lambda db, n=length: (Trace(db).kernel(0, n, "odd()", blockX=100), Trace(db).rest(n))))
    tap.equal((f["block_not_warps"]["state"], f["block_not_warps"]["kernel"]), (want, "odd()"),
              f"block_not_warps: 28 of 128 lanes for {length} ns are {want}")

# a gap of more than a twentieth of the span is long; what the host did is not asked
for n, want in ((50001, ("found", 50001)), (50000, ("clear", 0))):
    f = findings(make(lambda db, n=n: (Trace(db).kernel(0, 400000), Trace(db).rest(400000 + n))))
    tap.equal(state(f["long_gap"]), want, f"long_gap: {n} of {SPAN} ns")
# with steps, a twentieth of a step: 12500 of 250000


def gap_in_step(db, n):
    t = Trace(db)
    for step in range(4):
        db.nvtx(step * 250000, (step + 1) * 250000, "step")
        t.kernel(step * 250000, step * 250000 + 100000, called=step * 250000 + 10)
        t.kernel(step * 250000 + 100000 + n, (step + 1) * 250000, called=step * 250000 + 20)


for n, want in ((12501, ("found", 4 * 12501)), (12500, ("clear", 0))):
    f = findings(make(lambda db, n=n: gap_in_step(db, n)))
    tap.equal(state(f["long_gap"]), want, f"long_gap: {n} ns in steps of 250000")

f = findings(make(lambda db: low_use(Trace(db), 0)))
tap.equal(state(f["low_use"]), ("found", 30 * 8000000), "low_use: thirty gaps of 8 ms between 2 ms of work")
tap.equal(f["low_use"]["count"], 1, "are one stretch")


def half(db, gap):                   # bins of 5 ms, a two hundredth of the span: in sixty of them this much is idle
    t = Trace(db)
    t.kernel(0, 300000000)
    for i in range(60):
        t.kernel(300000000 + i * 5000000 + gap, 300000000 + (i + 1) * 5000000)
    t.rest(600000000, 1000000000)


for gap, want in ((2500001, ("found", 60 * 2500001)), (2500000, ("clear", 0))):
    tap.equal(state(findings(make(lambda db, g=gap: half(db, g)))["low_use"]), want, f"low_use: {gap} ns of 5 ms are idle")

# dynamic shared memory of 100 KiB: one block of 4 warps of 64 on an SM, 6.25 %; a tenth of the span makes it one
for n, want in ((SPAN // 10, "found"), (SPAN // 10 - 1, "below")):
    def few(db, n=n):
        t = Trace(db)
        t.kernel(0, n, "big()", dynamicSharedMemory=100 * 1024, gridX=108)
        t.rest(n)
    f = findings(make(few))["occupancy_limit"]
    tap.equal((state(f), f["kernel"], f["bound_ms"], f["no_bound"]), ((want, n), "big()", None, "no_occupancy_probe"),
              f"occupancy_limit: {n} ns are {want}, without a bound")
    # 164 KiB an SM on sm_80, in steps of 128 B, 1 KiB of it reserved for each block: two blocks fit at 81 KiB
    tap.equal(f["detail"], "limiter shared_mem, registers 32 -> 32, dynamic smem 102400 -> 82944 B, occupancy 6.2 -> 12.5 %",
              "and says the nearest step up")

    def local(db, n=n):
        t = Trace(db)
        t.kernel(0, n, "spills()", localMemoryPerThread=8)
        t.rest(n)
    f = findings(make(local))["local_memory"]
    tap.equal((state(f), f["kernel"], f["no_bound"]), ((want, n), "spills()", "no_memtrace"), f"local_memory: {n} ns are {want}")


def first_step(db, n):               # steps of 100000 - n / 9 but for the first, which is n longer than the others
    t = Trace(db)
    at = 0
    for i in range(10):
        end = at + (100000 + n if i == 0 else 100000)
        db.nvtx(at, end, "step")
        t.kernel(at, end, called=at + 10)
        at = end


for n, want in ((10102, "found"), (10101, "below")):   # of 1010102 ns: 1.0001 %; of 1010101: 0.99999 %
    f = findings(make(lambda db, n=n: first_step(db, n)))["warm_up"]
    tap.equal((state(f), f["bound_ms"]), ((want, n), None), f"warm_up: {n} ns more in the first of ten steps are {want}")

# --- what makes the difference -------------------------------------------------------------------------------
tap.equal(findings(make(lambda db: early_load(Trace(db), ONE_PCT)))["module_load"]["state"], "clear",
          "module_load: not in the first tenth of the span")


def set_up(db):                      # copies fill the first third; memory is allocated before the first kernel, far from the start
    t = Trace(db)
    t.copy(0, 300000, 1 << 20, "cudaMemcpyAsync_v3020", 0, 100, srcKind=1, streamId=9)
    t.call(300000, 340000, "cudaMalloc_v3020")
    t.rest(350000)


tap.equal(findings(make(set_up))["steady_alloc"]["state"], "clear", "steady_alloc: not before the first kernel")
tap.equal(findings(make(lambda db: one_stream(Trace(db), ONE_PCT, 9)))["one_stream"]["state"], "clear",
          "one_stream: not in a stream of its own")
tap.equal(findings(make(lambda db: migrations(Trace(db), ONE_PCT, False)))["um_thrash"]["state"], "clear",
          "um_thrash: not one way")
for launches, different, want in ((9, False, "launch_bound"), (12, True, "launch_bound"), (12, False, "graph_candidate")):
    f = findings(make(lambda db, n=launches, d=different: steps_alike(Trace(db), 40000, n, d)))
    tap.equal({r: state(f[r]) for r in ("launch_bound", "graph_candidate") if f[r]["state"] != "clear"}, {want: ("found", 40000)},
              f"{launches} launches a step, {'not ' if different else ''}the same in each: {want}")



def told(fill, *args):
    """What is found or below, with its nanoseconds."""
    return {r: state(f)[1] for r, f in findings(make(lambda db: fill(Trace(db))), *args).items() if f["state"] in ("found", "below")}


def beside_two(t, kind):             # two kernels at once, and what runs beside them is not alone
    t.kernel(0, 400000)
    t.kernel(0, 400000, "other()", streamId=8)
    if kind == "copy":
        t.copy(100000, 200000, 1 << 20, "cudaMemcpy_v3020", 99000, 201000, srcKind=1)
    else:
        t.db.copy(100000, 200000, 65536, kind=11, srcKind=4, dstKind=4)
        t.db.copy(200000, 300000, 65536, kind=12, srcKind=4, dstKind=4)
    t.rest(400000)


for kind in ("copy", "migration"):
    tap.equal(told(lambda t: beside_two(t, kind)), {}, f"a {kind} beside two kernels is not alone")


def returns_early(t, call, work):    # the call is of the form that waits, and returns 100 ns into the work
    t.kernel(0, 400000)
    corr = t.number()
    t.db.call(399000, 400100, call, corr)
    work(t.db, corr)
    t.rest(420000)


for call, rule, work in (
        ("cudaMemset_v3020", None, lambda db, c: db.memset(400000, 420000, 1 << 20, correlationId=c)),
        ("cudaMemcpy_v3020", "pageable_copy", lambda db, c: db.copy(400000, 420000, 1 << 20, srcKind=0, correlationId=c)),
        ("cudaMemcpy_v3020", "one_stream", lambda db, c: db.copy(400000, 420000, 1 << 20, kind=8, srcKind=2, dstKind=2, correlationId=c))):
    tap.equal(told(lambda t: returns_early(t, call, work)), {rule: 20000} if rule else {}, f"{call} that returns early did not wait: {rule}")


def set_apart(t):                    # a copy in the stream of the kernels, beside them, and memory set in another stream, alone
    t.kernel(0, 400000)
    t.copy(100000, 200000, 1 << 20, "cudaMemcpyAsync_v3020", 99000, 99100, srcKind=1)
    t.db.memset(400000, 420000, 1 << 20, streamId=8)
    t.rest(420000)


tap.equal(told(set_apart), {}, "one_stream: setting memory is no copy")
for what, columns in (("of another context", {"contextId": 2}), ("that is the largest number", {"streamId": (1 << 63) - 1})):
    def elsewhere(t):
        t.kernel(0, 400000)
        t.copy(400000, 420000, 1 << 20, "cudaMemcpyAsync_v3020", 399000, 399100, srcKind=1, **columns)
        t.rest(420000)
    tap.equal(told(elsewhere), {}, f"one_stream: not in a stream {what}")


def before_zero(t):                  # gaps of 20000 ns at -600000 and at 0; no call is open at either
    t.call(-990000, -980000, "cudaDeviceSynchronize_v3020")
    t.kernel(-1000000, -600000)
    t.kernel(-580000, 0)
    t.kernel(20000, 1000000)


tap.equal(told(before_zero), {}, "a clock that runs through zero makes no call")


def tiny_steps(t):                   # steps of 15 ns: a twentieth is less than one, so each of the four gaps of 10 ns is long
    for i in range(5):
        t.db.nvtx(i * 100, i * 100 + 15, "step")
        t.kernel(1000 + i * 100, 1090 + i * 100, called=i * 100 + 2)


tap.equal(told(tiny_steps), {"long_gap": 40}, "steps shorter than 20 ns are steps")


def together(t, order, other):       # behind a gap of 20000 ns a kernel of 5000 ns starts together with something else
    t.kernel(0, 400000)
    for which in order:
        if which == "kernel":
            t.kernel(420000, 425000, "short()", streamId=9)
        elif other == "collective":
            t.kernel(420000, 425000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL()", streamId=8)
        else:
            t.copy(420000, 425000, 1 << 20, "cudaMemcpyAsync_v3020", 1000, 1100, srcKind=1, streamId=8)
    t.rest(425000)


for other in ("collective", "copy"):
    for order in (("kernel", "other"), ("other", "kernel")):
        tap.equal(told(lambda t: together(t, order, other)), {"launch_bound": 20000},
                  f"a short kernel and a {other} at the same time, the {order[0]} first in the file")


def long_first_step(t):              # a step of 1000000 ns, then nine of 100000
    at = 0
    for i in range(10):
        end = at + (1000000 if i == 0 else 100000)
        t.db.nvtx(at, end, "step")
        t.kernel(at, end, called=at + 10)
        at = end


tap.equal(told(long_first_step), {"warm_up": 900000}, "warm_up: of the whole run")
tap.equal(told(long_first_step, "--within", "900000ns..1200000ns"), {"warm_up": 100000}, "warm_up: no more than what is in the window")


def six_steps(t):                    # as steps_alike, with 2000 ns before ten kernels of each step
    for step in range(6):
        at, end = step * 250000, (step + 1) * 250000
        t.db.nvtx(at, end, "step")
        for i in range(12):
            t.kernel(at, end if i == 11 else at + 5000, f"k{i}()", called=step * 250000 + 10 + i * 7)
            at += 5000 + (2000 if i < 10 else 0)


for window, n in (((), 6), (("--within", "step:2..5"), 3)):
    tap.equal(told(six_steps, *window), {"graph_candidate": n * 10 * 2000}, f"graph_candidate: {n} steps, all in the window alike")

# --- what cannot be looked for -------------------------------------------------------------------------------
def no_calls(db):
    db.kernel(0, 400000, "k()", gridX=WAVE)
    db.kernel(450000, SPAN, "k()", gridX=WAVE)


found = findings(make(no_calls))
refused = {r: f["refusal"] for r, f in found.items() if f["state"] == "refused"}
tap.equal(refused, {"profiler_overhead": "metric_absent", "graph_candidate": "metric_absent", "warm_up": "no_nvtx",
                    **{r: "metric_absent" for r in ("module_load", "steady_alloc", "scalar_read", "blocking_copy", "blocking_memset",
                                                    "host_sync", "graph_incomplete", "launch_bound", "pageable_copy")}},
          "without calls, ranges and overhead the rules that need them are refused, not clear")


def whole_graph(db):
    no_calls(db)
    db.row("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", start=400000, end=450000)


found = findings(make(whole_graph))
tap.equal(sorted(r for r, f in found.items() if f.get("refusal") == "graph_nodes_hidden"),
          sorted(("profiler_overhead", "module_load", "steady_alloc", "scalar_read", "blocking_copy", "blocking_memset", "host_sync",
                  "long_gap", "graph_candidate", "graph_incomplete", "launch_bound", "low_use", "um_thrash", "pageable_copy", "one_stream",
                  "exposed_comm")),
          "a graph that was recorded as a whole is no gap: nothing is said about idle time, nor about what runs alone")


def other_chip(db):
    db.db.execute("update TARGET_INFO_GPU set computeMajor = 42")
    no_calls(db)


found = findings(make(other_chip))
tap.equal(sorted(r for r, f in found.items() if f.get("refusal") == "unknown_arch"),
          ["grid_below_wave", "occupancy_limit", "partial_wave"], "nor about waves and warps of a device nobody knows")

# --- several devices, several patterns -----------------------------------------------------------------------
def two_devices(db):
    t = Trace(db)
    t.kernel(0, SPAN, deviceId=1)
    pageable(t, 3 * ONE_PCT)


f = findings(make(two_devices, 2))["pageable_copy"]
tap.equal((state(f), f["device"]), (("found", 3 * ONE_PCT), 0), "a finding names the device it takes most of")


def everything(db):                  # a copy that waits, then a call that loads, then one that waits
    t = Trace(db)
    blocking_copy(t, 20000)
    t.kernel(SPAN, 2 * SPAN)
    t.call(SPAN + 1000, 2 * SPAN + 50, "cudaDeviceSynchronize_v3020")
    t.call(2 * SPAN + 100, 2 * SPAN + 7100, "cuModuleLoadData")
    t.kernel(2 * SPAN + 30000, 3 * SPAN)


f = findings(make(everything))
tap.equal({r: state(x)[1] for r, x in f.items() if x["state"] in ("found", "below")},
          {"blocking_copy": 20000, "module_load": 7000, "host_sync": 23000},
          "the time of a call inside a gap belongs to the call, the rest to the wait")

def chosen(db):
    t = Trace(db)
    t.kernel(0, 40000, "small()", gridX=54)
    t.rest(40000)


f = findings(make(chosen), "-k", "k")["grid_below_wave"]
tap.equal((state(f), f["kernel"]), (("found", 20000), "small()"), "-k does not take a kernel out of the run")


# --- --ks-rule -----------------------------------------------------------------------------------------------
path = make(lambda db: host_sync(Trace(db), 5000))
tap.equal([findings(path, *a)["host_sync"]["state"] for a in ((), ("--ks-rule", "host_sync=0.5"), ("--ks-rule", "host_sync=off"))],
          ["below", "found", "off"], "--ks-rule changes the share that makes a finding, and turns one off")
own = findings(path, "--ks-rule", "busy:ks__device_0__idle_ms>0.004", "--ks-rule", "quiet:ks__sync_call_ms<0.1",
               "--ks-rule", "gone:ks__comm_kernel_ms>1")
tap.equal((own["busy"]["state"], own["busy"]["value"], own["busy"]["unit"]), ("found", 0.005, "ms"), "a rule of the user's own: above")
tap.equal((own["quiet"]["state"], own["quiet"]["value"]), ("below", 0.39905), "and below, where it is not")
tap.equal((own["gone"]["state"], own["gone"]["refusal"]), ("refused", "metric_absent"), "about a number that is not there")
for bad in ("host_sync", "host_sync=", "host_sync=101", "host_sync=-1", "hostsync=1", "=1", "A=1", "x:y>1", "x:ks__sync_call_ms>", "x:ks__sync_call_ms",
            "host_sync:ks__sync_call_ms>1", "x:ks__sync_call_ms>nan"):
    r = tap.run("--ks-sqlite", path, "--ks-rule", bad)
    tap.ok(r.rc == 2 and r.err.count(b"\n") == 1 and b"--ks-rule" in r.err, f"--ks-rule {bad} is a usage error", r.rc, r.err)
for rule, rc, said in (("busy:ks__device_0__idle_ms>0.004", 2, b"error(strict): the rule busy of --ks-rule is met\n"),
                       ("busy:ks__device_0__idle_ms>0.005", 0, b""), ("host_sync=0.5", 2, b"error(strict): the rule host_sync of"),
                       ("gone:ks__comm_kernel_ms>1", 2, b"error(strict): the rule gone of --ks-rule cannot be judged: metric_absent\n")):
    r = tap.run("--ks-sqlite", path, "--ks-rule", rule, "--strict")
    tap.ok(r.rc == rc and r.err.startswith(said), f"--strict --ks-rule {rule}: exit {rc}", r.rc, r.err)
tap.equal(tap.run("--ks-sqlite", path, "--strict").rc, 0, "findings that nobody asked for do not fail")
r = tap.run("help", "host_sync")
tap.ok(r.rc == 0 and b"from 1 %" in r.out and b"cudaDeviceSynchronize" in r.out, "help knows each rule", r.out)
tap.ok(b"host_sync" in tap.run("--ks-sqlite", path, "--ks-rule", "hostsync=1").err, "which names the nearest rule")

# --- where it is told ----------------------------------------------------------------------------------------
path = make(lambda db: host_sync(Trace(db), 20000))
prefix = os.path.join(tap.TMP, "kept")
tap.equal(tap.run("--ks-sqlite", path, "-o", prefix, "--quiet").rc, 0, "a report is written")
again = json.loads(tap.run("-i", prefix + ".ksreport.json", "--format", "json").out)
tap.equal(again["findings"], report(path)["findings"], "and says the same when it is read back")
tap.equal({f["rule"]: f["state"] for f in json.loads(tap.run("-i", prefix + ".ksreport.json", "--format", "json", "--ks-rule",
                                                              "host_sync=3").out)["findings"]}["host_sync"], "below",
          "or by another share")


def changed(change):
    """The findings of the report with its rows changed: change(row) is the new value, or None to leave the row out."""
    doc = json.load(open(prefix + ".ksreport.json"))
    for section in (s for k in doc["kernels"] for s in k["sections"]):
        section["metrics"] = [dict(m, value=change(m)) for m in section["metrics"] if change(m) is not None or m["value"] is None]
    with open(os.path.join(tap.TMP, "changed.ksreport.json"), "w") as out:
        json.dump(doc, out)
    r = tap.run("-i", os.path.join(tap.TMP, "changed.ksreport.json"), "--format", "json")
    return {f["rule"]: (f["state"], f.get("refusal")) for f in json.loads(r.out)["findings"]}


ROW, COUNT, WHOLE = "ks__device_0__finding_host_sync_ms", "ks__finding_host_sync_count", "ks__trace_span_ms"
for what, name, value, want in (("more than the span", ROW, 1.1, "inconsistent_evidence"), ("less than nothing", ROW, -0.02, "inconsistent_evidence"),
                                ("of no span", WHOLE, 0, "inconsistent_evidence"), ("of a span no clock holds", WHOLE, 1e300, "inconsistent_evidence"),
                                ("counted 1e300 times", COUNT, 1e300, "inconsistent_evidence"), ("not counted", COUNT, None, "metric_absent")):
    tap.equal(changed(lambda m: value if m["name"] == name else m["value"])["host_sync"], ("refused", want),
              f"a report in which it is {what} is refused")
for args in (("--format", "text", "--print-details", "all"), ("--format", "json"), ("--format", "html"), ("--format", "md")):
    r = tap.run("--ks-sqlite", path, "--redact=names", "--ks-rule", "myown:ks__sync_call_ms>0.1", *args)
    tap.ok(r.rc == 0 and b"rule_" in r.out and b"myown" not in r.out, f"--redact=names hides the name of a rule of the user's own {args}")
tap.equal(tap.run("--ks-sqlite", path, "--redact=names", "--ks-rule", "myown:ks__sync_call_ms>0.1", "-o", prefix + "2", "--quiet").rc, 0, "and with -o")
hits = [f for d, _, files in os.walk(tap.TMP) for f in files if d.startswith(prefix + "2") and b"myown" in open(os.path.join(d, f), "rb").read()]
tap.none(hits, "no file of the case has it")
for lang, line in (("en", "2.0%  20.00 µs  the host waits for the device before it launches more"),
                   ("zh", "2.0%  20.00 µs  主机等设备做完才继续发起工作")):
    out = tap.run("--ks-sqlite", path, "--lang", lang).out.decode()
    tap.ok(line in out, f"the screen has it ({lang})", out)
    page = tap.run("--ks-sqlite", path, "--lang", lang, "--format", "html").out.decode()
    tap.ok('id="findings"' in page and line.rsplit("  ", 1)[1] in page, f"so has the page ({lang})")
md = tap.run("--ks-sqlite", path, "--format", "md").out.decode()
tap.ok("- **the host waits for the device before it launches more** saves at most 2.0 % of the span (0.02 ms, ×1)" in md,
       "and the Markdown report", md[-3000:])
packet = os.path.join(tap.TMP, "kept.packet.json")
tap.equal(tap.run("--ks-sqlite", path, "--packet", packet, "--quiet").rc, 0, "a packet is written")
want = [{"rule": "host_sync", "share_pct": 2, "bound_ms": 0.02, "device": 0}]
tap.equal(json.load(open(packet))["findings"], want, "with those that have a bound")
tap.ok("saves at most 2.0 % of the span (0.02 ms): the host waits" in tap.run("-i", packet).out.decode().replace("\n  ", " "),
       "the screen of a packet says so")
tap.ok("findings" not in report(path, "--section", "Duration"), "nobody looks where no timeline was asked for")
tap.done()
