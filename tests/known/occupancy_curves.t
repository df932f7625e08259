#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The occupancy curves of real exports: which launch is drawn is asked from the export by SQL, and every point is
computed again here from the limits of docs/reference/archs.md and of the export's own device table. What decides
is in calculator(), written from contract 06 §7; nothing of it is taken from the program."""
import csv
import glob
import io
import os
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
AXES = ("threads_per_block", "registers_per_thread", "shared_mem_per_block")
COLUMNS = ["axis", "value", "blocks_per_sm", "warps_per_sm", "occupancy_pct", "limiter", "current", "step_up"]
# Limit => columns of TARGET_INFO_GPU and of the older TARGET_INFO_CUDA_GPU / CUDA_DEVICE tables.
STATED = {"warps": ("maxWarpsPerSm", "maxWarpsPerMultiprocessor"), "blocks": ("maxBlocksPerSm", "maxBlocksPerMultiprocessor"),
          "regs": ("maxRegistersPerSm", "maxRegistersPerMultiprocessor"), "regs_block": ("maxRegistersPerBlock",),
          "smem": ("maxShmemPerSm", "maxSharedMemoryPerMultiprocessor"), "optin": ("maxShmemPerBlockOptin",)}


def up(n, step):
    return -(-n // step) * step


def table():
    """cc => limits, from the generated page."""
    archs = {}
    with open(os.path.join(tap.ROOT, "docs", "reference", "archs.md"), encoding="utf-8") as f:
        for line in f:
            cell = [c.strip() for c in line.strip("|\n ").split("|")]
            if len(cell) > 7 and re.fullmatch(r"\d+\.\d", cell[0]):
                number = [int(n) for c in (cell[2:7] + [cell[7]]) for n in re.findall(r"\d+", c)]
                keys = ("threads", "warps", "blocks", "regs", "regs_block", "smem", "optin", "reserve", "step", "parts")
                archs[tuple(map(int, cell[0].split(".")))] = dict(zip(keys, number))
    return archs


def calculator(a, threads, regs, smem, carve_out):
    """Blocks, warps, percent, limiter of one launch on limits `a`."""
    w = -(-threads // 32)
    limit = {"threads": a["threads"] // threads, "warps": a["warps"] // w, "block_limit": a["blocks"]}
    if regs:
        warp = up(32 * regs, 256)
        fits = warp * up(w, max(4, a["parts"])) <= a["regs_block"]
        limit["registers"] = a["regs"] // a["parts"] // warp * a["parts"] // w if fits else 0
    block = up(smem + a["reserve"], a["step"])
    if block:
        most = (49152 if smem <= 49152 else a["optin"]) + a["reserve"]
        limit["shared_mem"] = 0 if block > most else min(a["smem"], carve_out or a["smem"]) // block
    low = min(limit.values())
    return [low, low * w, 100.0 * low * w / a["warps"], "+".join(sorted(k for k, v in limit.items() if v == low))]


def steps(curve, launched, now):
    """The nearest value with a higher occupancy: of two that are equally near, the smaller."""
    better = [v for v, answer in curve.items() if answer[1] > now[1]]
    return min(better, key=lambda v: (abs(v - launched), v)) if better else None


def curves(path, *args):
    r = tap.run("--ks-sqlite", path, "--format", "occupancy-csv", *args)
    rows = list(csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline="")))
    return r, [(x["axis"], int(x["value"]), [int(x["blocks_per_sm"]), int(x["warps_per_sm"]), float(x["occupancy_pct"]), x["limiter"]],
                x["current"] == "1", x["step_up"] == "1") for x in rows]


def devices(db):
    """Every distinct device of the export: its limits, the table's where the export states none."""
    db.row_factory = sqlite3.Row
    known, found = table(), []
    tables = {r[0] for r in db.execute("select name from sqlite_master")}
    for name in ("TARGET_INFO_GPU", "TARGET_INFO_CUDA_GPU", "TARGET_INFO_CUDA_DEVICE"):
        for row in db.execute(f"select * from {name}") if name in tables else []:
            keys = row.keys()
            cc = next(((row[x], row[y]) for x, y in (("computeMajor", "computeMinor"), ("computeCapabilityMajor", "computeCapabilityMinor"))
                       if x in keys), None)
            limits = dict(known.get(cc) or {}, cc=cc)
            for limit, columns in STATED.items():
                for column in columns:
                    if column in keys and (row[column] or 0) > 0:
                        limits[limit] = row[column]
            limits["threads"] = limits.get("warps", 0) * 32
            if cc in known and limits not in found:
                found.append(limits)
        if found:
            break
    return found


def launches(db):
    """Of the kernel with most time: (threads, registers, shared memory) of its most frequent configurations, and their carve-outs."""
    names = {r[1] for r in db.execute("pragma table_info(CUPTI_ACTIVITY_KIND_KERNEL)")}
    executed = "sharedMemoryExecuted" if "sharedMemoryExecuted" in names else "null"
    cluster = ", clusterX, clusterY, clusterZ" if "clusterX" in names else ""
    top = db.execute("select s.value from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.demangledName where k.end > k.start "
                     "group by s.value order by sum(k.end - k.start) desc limit 1").fetchone()[0]
    rows = db.execute(f"select count(*), blockX * blockY * blockZ, registersPerThread, staticSharedMemory + dynamicSharedMemory, "
                      f"group_concat(distinct {executed}) from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.demangledName "
                      f"where s.value = ? and k.end > k.start group by gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
                      f"staticSharedMemory, dynamicSharedMemory{cluster}", (top,)).fetchall()
    most = max(r[0] for r in rows)
    return [(tuple(r[1:4]), {int(v) for v in (r[4] or "").split(",") if v}) for r in rows if r[0] == most]


def faults_of(points, limits, launched, carve_out):
    bad = []
    for i, axis in enumerate(AXES):
        mine = [p for p in points if p[0] == axis]
        curve = {}
        for _, value, answer, current, _ in mine:
            at = list(launched)
            at[i] = value
            curve[value] = want = calculator(limits, *at, carve_out)
            if answer[:2] + answer[3:] != want[:2] + want[3:] or abs(answer[2] - want[2]) > 1e-9 or current != (value == launched[i]):
                bad.append(f"{axis} {value}: {answer} {current}, here {want}")
        now = calculator(limits, *launched, carve_out)
        # the whole axis, not the listed points: a nearer step must not be left out (below the launch but for blocks)
        every = range(32, 1025, 32) if i == 0 else range(1 if i == 1 else 0, launched[i] + 1)
        whole = {v: calculator(limits, *[v if j == i else launched[j] for j in range(3)], carve_out) for v in every}
        want = steps(whole, launched[i], now)
        if [p[1] for p in mine if p[4]] != ([want] if want is not None else []):
            bad.append(f"{axis}: step up {[p[1] for p in mine if p[4]]}, here {want}")
        if len(mine) < (32, 255, 2)[i] or [p[1] for p in mine] != sorted({p[1] for p in mine}):
            bad.append(f"{axis}: {len(mine)} points, not each value once")
    return bad


def check(path):
    """None when the export is not one to compare; else (points, faults)."""
    r, points = curves(path, "--section", "Occupancy")
    if r.rc != 0:
        return None
    if not points:
        reason = re.search(rb"no occupancy curves.*\[(\w+)\]", r.err)
        ok = reason and reason[1] in (b"no_launch_activity", b"unknown_arch") and r.out.count(b"\n") == 1
        return 0, [] if ok else [f"empty without a reason: {r.err!r}"]
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found, asked = devices(db), launches(db)
    launched = tuple(next((p[1] for p in points if p[0] == axis and p[3]), None) for axis in AXES)
    carve_outs = next((c for l, c in asked if l == launched), None)
    if carve_outs is None:
        return len(points), [f"drawn is {launched}, by SQL it is {asked[:3]}"]
    tried = [faults_of(points, d, launched, c if d["cc"][0] >= 7 else 0) for d in found for c in carve_outs or {0}]
    return len(points), min(tried, key=len) if tried else ["the export has no device"]


def test_made():
    """The made GPU of tests/lib/trace.py is cc 8.0. 256 threads, 38 registers: 1280 a warp, 65536/4/1280 = 12, *4 = 48 warps / 8
    = 6 blocks, 75 %; 32 registers are 1024 a warp: 64 warps, 100 %."""
    path = os.path.join(tap.TMP, "made.sqlite")
    row = dict(start=0, end=400, demangledName=1, shortName=1, blockX=256, registersPerThread=38)
    other = dict(start=1000, end=1100, demangledName=2, shortName=2)
    trace.make(path, [row, other], {1: "=cmd|'<&>\x1b[31m", 2: "other"})
    r, points = curves(path)
    tap.equal(r.out.decode().split("\r\n")[0].split(","), COLUMNS, "the columns")
    tap.equal([p[1:3] for p in points if p[3]], [(256, [6, 48, 75.0, "registers"]), (38, [6, 48, 75.0, "registers"]),
                                                  (0, [6, 48, 75.0, "registers"])], "the launch, on each axis")
    tap.equal([p[:3] for p in points if p[4]], [("registers_per_thread", 32, [8, 64, 100.0, "registers+threads+warps"])],
              "the nearest step up")
    tap.equal([p[1] for p in curves(path, "-k", "other")[1] if p[3]], [128, 32, 0], "-k chooses the kernel")
    trace.make(os.path.join(tap.TMP, "bare.sqlite"), [row], {1: "k"}, gpu=False)
    for form in ("occupancy-csv", "occupancy-svg"):
        r = tap.run("--ks-sqlite", os.path.join(tap.TMP, "bare.sqlite"), "--format", form)
        tap.ok(r.rc == 0 and b"[unknown_arch]" in r.err, f"{form} without device facts: exit 0, the code on stderr", r.rc, r.err)
    tap.ok(b"[unknown_arch]" in r.out, "and in the picture", r.out)
    report = os.path.join(tap.TMP, "run")
    tap.run("--ks-sqlite", path, "-o", report)
    r = tap.run("-i", report + ".ksreport.json", "--format", "occupancy-csv")
    tap.ok(r.rc == 2 and r.out == b"", "a report that is read back has none", r.rc, r.err)


def main():
    tap.need_bin()
    test_made()
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if not files:
        tap.skip("no recordings beside this checkout")
        tap.done()
    drawn = 0
    for path in files:
        answer = check(path)
        if answer is None:
            continue
        drawn += answer[0] > 0
        tap.none(answer[1], f"{os.path.basename(path)}: {answer[0]} points")
    tap.ok(drawn >= 25, f"curves of {drawn} exports were computed again")
    tap.done()


main()
