#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Occupancy through the whole program: made traces whose answer is arithmetic, with the derivation beside
each. w = warps of a block, limits are blocks per SM; the smallest decides."""
import csv
import io
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

KIB = 1024
# The made GPU of tests/lib/trace.py: cc 8.0, 108 SMs: 2048 threads, 64 warps, 32 blocks, 65536 registers (256 per
# warp at a time), 164 KiB shared memory of which 1 KiB a block is reserved, in steps of 128 bytes.
CASES = [
    # w = 4. threads 2048/128 = 16, warps 64/4 = 16, registers: 32*32 = 1024 a warp, 65536/4/1024*4/4 = 16,
    # blocks 32, shared memory (0 + 1 KiB): 164. 16 blocks = 64 warps.
    ("balanced", dict(), 16, 64, 100.0, "registers+threads+warps"),
    # w = 1: threads and warps 64, registers 64, blocks 32 -> 32 warps.
    ("small_blocks", dict(blockX=32), 32, 32, 50.0, "block_limit"),
    # w = 8. 128 registers: 4096 a warp, 16384/4096*4 = 16 warps / 8 = 2 blocks = 16 warps.
    ("many_registers", dict(blockX=256, registersPerThread=128), 2, 16, 25.0, "registers"),
    # 33 registers: 1056, rounded to 1280: 16384/1280 = 12, *4 = 48 warps / 8 = 6 blocks = 48 warps.
    ("register_rounding", dict(blockX=256, registersPerThread=33), 6, 48, 75.0, "registers"),
    # w = 8. 40000 B + 1024 = 41024, rounded to 41088: 167936/41088 = 4 blocks = 32 warps.
    ("shared_memory", dict(blockX=256, dynamicSharedMemory=40000), 4, 32, 50.0, "shared_mem"),
    # Static and dynamic count together: 24 + 24 KiB + 1 KiB = 49 KiB: 164/49 = 3 blocks of 4 warps.
    ("both_kinds", dict(staticSharedMemory=24 * KIB, dynamicSharedMemory=24 * KIB), 3, 12, 18.75, "shared_mem"),
    # Opt-in: 163 KiB + 1 KiB is the whole SM: 1 block of 4 warps.
    ("opt_in", dict(dynamicSharedMemory=163 * KIB), 1, 4, 6.25, "shared_mem"),
    # The carve-out that was set: 32 KiB / (15 + 1) KiB = 2 blocks, although 164 KiB would hold 10.
    ("carve_out", dict(dynamicSharedMemory=15 * KIB, sharedMemoryExecuted=32 * KIB), 2, 8, 12.5, "shared_mem"),
    # w = 3 (96 threads): threads 2048/96 = 21, warps 64/3 = 21, registers 64/3 = 21 -> 63 warps.
    ("odd_warps", dict(blockX=96), 21, 63, 98.4375, "registers+threads+warps"),
    # 65 threads are 3 warps, yet threads allow 2048/65 = 31; warps and registers 21.
    ("part_of_a_warp", dict(blockX=65), 21, 63, 98.4375, "registers+warps"),
]
REFUSED = [
    ("does_not_fit", dict(dynamicSharedMemory=200 * KIB), "inconsistent_evidence"),
    ("too_wide", dict(blockX=2048), "inconsistent_evidence"),
    ("no_registers", dict(registersPerThread=None), "metric_absent"),
    ("no_block", dict(blockX=None), "metric_absent"),
]


def analyse(name, launches, names, gpu=True):
    path = os.path.join(tap.TMP, name + ".sqlite")
    trace.make(path, launches, names, gpu)
    r = tap.run("--ks-sqlite", path, "--csv")
    tap.equal(r.rc, 0, f"{name}: exit 0")
    rows = {}
    for row in csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline="")):
        rows[row["kernel"], row["metric"]] = row
    return rows


def launch(i, columns):
    return dict(columns, start=1000 * i, end=1000 * i + 400, demangledName=i + 1, shortName=i + 1)


def main():
    tap.need_bin()
    every = [(name, columns) for name, columns, *_ in CASES] + [(name, columns) for name, columns, _ in REFUSED]
    names = {i + 1: name for i, (name, _) in enumerate(every)}
    rows = analyse("cases", [launch(i, columns) for i, (_, columns) in enumerate(every)], names)
    for name, _, blocks, warps, percent, limiter in CASES:
        got = [rows[name, metric]["value"] for metric in
               ("ks__blocks_per_sm", "ks__warps_per_sm", "ks__theoretical_occupancy_pct", "ks__occupancy_limiter")]
        tap.equal([float(v) for v in got[:3]] + got[3:], [blocks, warps, percent, limiter], name)
    for name, _, code in REFUSED:
        row = rows[name, "ks__theoretical_occupancy_pct"]
        tap.equal((row["value"], row["refusal_code"]), ("", code), f"{name} is refused")
    # Waves: 64 blocks of "balanced" over 16 * 108 = 1728 at once.
    tap.ok(abs(float(rows["balanced", "ks__grid_waves"]["value"]) - 64 / 1728) < 1e-12, "waves are blocks over capacity")

    rows = analyse("no_device_facts", [launch(0, {})], {1: "k"}, gpu=False)
    tap.equal(rows["k", "ks__theoretical_occupancy_pct"]["refusal_code"], "unknown_arch", "without device facts there is none")
    tap.done()


main()
