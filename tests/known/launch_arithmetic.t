#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Launch statistics through the whole program: sums, percentiles, unions, streams and the median's interval of
a made trace, against Python's own arithmetic on the same rows; then the same rows in another order."""
import csv
import io
import os
import random
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

SEED = 20261130
MS = 1e6


def make_rows():
    """Three kernels: few launches, many launches, several configurations; overlapping on two streams."""
    dice = random.Random(SEED)
    rows, clock = [], 1_000_000
    for i in range(900):
        clock += dice.randrange(100, 4000)
        kernel = 1 if i % 90 == 0 else 2 + i % 2
        rows.append(dict(start=clock, end=clock + dice.randrange(1500, 9000), demangledName=kernel, shortName=kernel,
                         streamId=7 + i % 2, correlationId=i + 1,
                         gridX=64 if kernel != 3 else 64 * (1 + i % 3)))
    return rows


def union(intervals):
    total, until = 0, None
    for start, end in sorted(intervals):
        if until is None or start >= until:
            total, until = total + end - start, end
        elif end > until:
            total, until = total + end - until, end
    return total


def analyse(name, rows, *args):
    path = os.path.join(tap.TMP, name, "run.sqlite")
    os.makedirs(os.path.dirname(path))
    trace.make(path, rows, {1: "few", 2: "many", 3: "mixed"})
    return tap.run("--ks-sqlite", "run.sqlite", *args, cwd=os.path.dirname(path),
                   env={"SOURCE_DATE_EPOCH": "1700000000"})


def table(r):
    return {(row["kernel"], row["metric"]): row
            for row in csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline=""))}


def near(row, want, slack=0.0):
    return abs(float(row["value"]) - want) <= slack + 1e-9 * abs(want)


def check_kernel(values, name, durations):
    durations = sorted(durations)
    n = len(durations)

    def row(metric):
        return values[name, metric]

    def resolution(metric):
        return float((row(metric)["resolution"] or "0").split()[0])

    tap.ok(near(row("gpu__time_duration.sum"), sum(durations) / MS), f"{name}: total")
    tap.equal(int(row("ks__launch_count")["value"]), n, f"{name}: count")
    tap.ok(near(row("ks__launch_time_min"), durations[0] / MS) and near(row("ks__launch_time_max"), durations[-1] / MS)
           and near(row("ks__launch_time_mean"), sum(durations) / n / MS), f"{name}: minimum, maximum, mean")
    truth = {
        "ks__launch_time_p50": statistics.median(durations),
        "ks__launch_time_p90": durations[-(-n * 90 // 100) - 1],
        "ks__launch_time_p99": durations[-(-n * 99 // 100) - 1],
        "ks__launch_time_mad": statistics.median(abs(d - statistics.median(durations)) for d in durations),
    }
    bad = [f"{m}: {row(m)['value']} +- {resolution(m)}, truth {v / MS}" for m, v in truth.items()
           if not near(row(m), v / MS, resolution(m))]
    tap.none(bad, f"{name}: percentiles within their resolution")
    if n <= 64:
        tap.none([m for m in truth if resolution(m) != 0], f"{name}: exact with {n} launches")
    else:
        # half a bucket: 2^-8 of the value; of the MAD: that of a distance plus that of the median
        tap.ok(0 < resolution("ks__launch_time_p50") <= truth["ks__launch_time_p50"] / MS / 256,
               f"{name}: resolution of the median with {n} launches")


def main():
    tap.need_bin()
    print(f"# seed {SEED}")
    rows = make_rows()
    r = analyse("sorted", rows, "--csv")
    tap.equal(r.rc, 0, "exit 0")
    values = table(r)
    for number, name in ((1, "few"), (2, "many"), (3, "mixed")):
        check_kernel(values, name, [x["end"] - x["start"] for x in rows if x["demangledName"] == number])
    tap.equal(values["mixed", "ks__grid_sizes_observed"]["value"], "64|128|192", "the grids of a mixed kernel are listed")
    for grid in (64, 128, 192):
        count = sum(x["demangledName"] == 3 and x["gridX"] == grid for x in rows)
        tap.equal(int(values["mixed", f"ks__cfg_grid{grid}x1x1_block128x1x1_smem0__launch_count"]["value"]), count,
                  f"launches with grid {grid}")
    device = {m: row["value"] for (k, m), row in values.items() if k == "(device)"}
    busy = union([(x["start"], x["end"]) for x in rows])
    span = max(x["end"] for x in rows) - min(x["start"] for x in rows)
    tap.ok(abs(float(device["ks__device_0__kernel_busy_ms"]) - busy / MS) < 1e-9, "the union of overlapping kernels")
    tap.ok(abs(float(device["ks__trace_span_ms"]) - span / MS) < 1e-9, "the span of the trace")
    tap.ok(abs(float(device["ks__device_0__idle_ms"]) - (span - busy) / MS) < 1e-9, "idle is span without busy")
    for stream in (7, 8):
        mine = [x for x in rows if x["streamId"] == stream]
        tap.equal((int(device[f"ks__device_0__stream_{stream}__launch_count"]),
                   round(float(device[f"ks__device_0__stream_{stream}__kernel_ms"]) * MS)),
                  (len(mine), sum(x["end"] - x["start"] for x in mine)), f"stream {stream}")

    other = list(rows)
    random.Random(SEED + 1).shuffle(other)
    for args in (["--csv"], ["--print-details", "all"], ["--packet", "-"], ["--launch-csv"]):
        same = analyse("s" + args[0], rows, *args), analyse("o" + args[0], other, *args)
        tap.ok(same[0].rc == 0 and same[0].out == same[1].out and same[0].out, f"{args[0]}: any order, same bytes")
    tap.done()


main()
