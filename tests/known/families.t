#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Families of kernels over every real export of ../shared/data/nsys-sqlite: times and launches add up to those of
the trace as SQLite sums them, to the nanosecond; families of some exports by hand; and what the user's rules, a
redacted report, a report read back and the screen make of them."""
import collections
import glob
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import made  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")


def report_of(path, *args):
    r = tap.run("--ks-sqlite", path, "--format", "json", *args)
    return json.loads(r.out) if r.rc == 0 else None


def rows_of(report):
    """Family => {kernel_ms, share_pct, launches, kernels} from the rows of the device."""
    out = collections.defaultdict(dict)
    for k in report["kernels"]:
        if k["name"] != "(device)":
            continue
        for s in k["sections"]:
            for m in s["metrics"]:
                if m["name"].startswith("ks__family_"):
                    family, what = m["name"][len("ks__family_"):].rsplit("__", 1)
                    out[family][what] = m["value"]
    return dict(out)


def times(rows):
    return {f: round(r["kernel_ms"] * 1e6) for f, r in rows.items()}


def launches_of(path):
    """(name, nanoseconds) of every launch with a valid time, as SQLite reads it."""
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "replace")
    try:
        return db.execute("select coalesce(s.value, ''), k.end - k.start from CUPTI_ACTIVITY_KIND_KERNEL k left join "
                          "StringIds s on s.id = k.demangledName where k.end >= k.start and k.start is not null and "
                          "k.end is not null").fetchall()
    except sqlite3.DatabaseError:
        return None
    finally:
        db.close()


# --- every real export --------------------------------------------------------------------------------------
checked, uneven, lists, total = 0, [], [], collections.Counter()
for path in sorted(glob.glob(os.path.join(FOLDER, "*.sqlite"))):
    rows, report = launches_of(path), report_of(path)
    if report is None or not rows:
        continue
    name, families = os.path.basename(path), rows_of(report)
    checked += 1
    ns = times(families)
    total.update(ns)
    if sum(ns.values()) != report["totals"]["kernel_ns"] or \
            sum(f["launches"] for f in families.values()) != report["totals"]["launches"]:
        uneven.append(name)
    if report["totals"]["launches"] == len(rows) and sum(ns.values()) != sum(t for _, t in rows):
        uneven.append(name + " against SQLite")
    if report["totals"]["launches"] == len(rows) and \
            sum(f["kernels"] for f in families.values()) != len({n for n, _ in rows if n}):
        uneven.append(name + ": distinct names")
    if abs(sum(f["share_pct"] for f in families.values()) - 100) > 1e-6:
        uneven.append(name + ": shares")
    want = sorted(({"family": f, "by": "name", **r} for f, r in families.items()),
                  key=lambda f: (-f["kernel_ms"], f["family"]))
    if report.get("families") != want:
        lists.append(name)
tap.ok(checked >= 30, f"{checked} exports have kernels")
tap.equal(uneven, [], "families add up to the kernel time, the launches and the names of each")
tap.equal(lists, [], "the list says what the rows say, most time first")
whole = sum(total.values())
for family, t in total.most_common():
    print(f"# {family}: {t / 1e6:.3f} ms, {100 * t / whole:.1f} % of {whole / 1e6:.3f} ms")

# --- by hand ----------------------------------------------------------------------------------------------
# 14 launches, looked up one by one: 1 wmma product; splitKreduce and reduce_kernel; CompactInit and SelectSweep
# of CUB; direct_copy twice and FillFunctor; the rest are PyTorch's elementwise kernels
mixq = report_of(os.path.join(FOLDER, "mixq_a100_cutlass_names.sqlite"))
tap.equal({f: (r["launches"], r["kernels"]) for f, r in rows_of(mixq).items()},
          {"gemm": (1, 1), "reduction": (2, 2), "sort_scan": (2, 2), "copy": (3, 3), "elementwise": (6, 5)},
          "an A100 export by hand")
row = next(m for k in mixq["kernels"] for s in k["sections"] for m in s["metrics"]
           if m["name"] == "ks__family_gemm__kernel_ms")
tap.ok("name" in row["source"] and "nothing else" in row["source"], "each row says that it is by name")


def trace(db):
    db.kernel(0, 100, "void my::expert<float>(int)")
    db.kernel(200, 500, "void my::expert<float>(int)")
    db.kernel(600, 610, "ampere_sgemm_128x64_tn")
    db.kernel(700, 1400, "secret_stencil(float *)")
    db.kernel(1500, 1505, "void at::native::reduce_kernel<512, 1, int>(int)")
    db.kernel(1600, 1603, "void cub::DeviceScanKernel<int>(int)")
    db.kernel(1700, 1702, "cupy_fill")
    db.kernel(1800, 1801, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)")
    db.kernel(1900, 1904, "void regular_fft<256u>(int)")


path = made.make(trace)
tap.equal(times(rows_of(report_of(path))),
          {"gemm": 10, "other": 1100, "reduction": 5, "sort_scan": 3, "copy": 2, "communication": 1, "fft": 4},
          "a made one by hand")
tap.equal(times(rows_of(report_of(path, "--within", "0ns..650ns"))), {"gemm": 10, "other": 400}, "and of a window")
tap.equal(times(rows_of(report_of(path, "-k", "cupy_fill")))["other"], 1100, "-k does not change them")
page = tap.run("--ks-sqlite", path, "--format", "html").out.decode()
tap.ok('id="families"' in page and "matrix product" in page and "communication" not in page.split('id="families"')[1].split("</section>")[0],
       "the page lists six: the five with most time and the rest", page.split('id="families"')[-1][:1500])

# --- the user's rules -------------------------------------------------------------------------------------
own = report_of(path, "--ks-family", "moe=my::expert", "--ks-family", "gemm=regex:^secret_", "--ks-family", "none=zzz")
tap.equal(times(rows_of(own)), {"gemm": 710, "moe": 400, "reduction": 5, "sort_scan": 3, "copy": 2,
                                "communication": 1, "fft": 4}, "--ks-family puts kernels into a family")
tap.ok(b"--ks-family none=zzz" in tap.run("--ks-sqlite", path, "--ks-family", "none=zzz", "--print-details", "all").out,
       "one that fits no name is told")
tap.equal(times(rows_of(report_of(path, "--ks-comm", "my::"))).get("communication"), 401,
          "what --ks-comm names is communication here too")
tap.equal(times(rows_of(report_of(path, "--ks-comm", "my::", "--ks-family", "moe=my::"))).get("moe"), 400,
          "--ks-family comes before it")
for bad in ("moe", "Moe=x", "moe=", "moe=regex:(", "a__b=x"):
    tap.equal(tap.run("--ks-sqlite", path, "--ks-family", bad).rc, 2, f"--ks-family {bad} is a usage error")

# --- names that are taken out -----------------------------------------------------------------------------
hidden = tap.run("--ks-sqlite", path, "--format", "json", "--redact=names", "--ks-family", "secret=secret_")
doc = json.loads(hidden.out)
tap.equal(times(rows_of(doc)), {"own_1": 700, "other": 400, "gemm": 10, "reduction": 5, "sort_scan": 3, "copy": 2,
                                "communication": 1, "fft": 4}, "families are found before names are hashed")
tap.ok(b"secret" not in hidden.out and b"expert" not in hidden.out, "and no name is in a redacted report")

prefix = os.path.join(tap.TMP, "hidden")
tap.run("--ks-sqlite", path, "-o", prefix, "--redact=names", "--ks-family", "secret=secret_",
        "--report-md", prefix + ".md", "--html", prefix + ".html")
told = []
for folder, _, names in os.walk(tap.TMP):
    for name in names:
        if "hidden" in os.path.join(folder, name):
            with open(os.path.join(folder, name), "rb") as f:
                told.append((name, b"secret" in f.read()))
tap.ok(len(told) >= 5 and not any(t for _, t in told), f"nor in the {len(told)} files of a redacted run", told)

# --- what is shown ----------------------------------------------------------------------------------------
r = tap.run("--ks-sqlite", path, env={"LINES": "70"})
screen = r.out.decode("utf-8")
start = screen.find("Families of kernels")
block = screen[start:].split("\n\n")[0].splitlines()
tap.ok(0 < start < screen.find("mean \u00b5s"), "a tall screen has them above the kernels")
tap.equal(len(block), 7, "a heading and six lines")
tap.equal([line.split("  launches")[0].strip() for line in block],
          ["Families of kernels, by name alone: no statement about what limits them", "1.100 µs  97.8%  no family by name",
           "10 ns   0.9%  matrix product", "5 ns   0.4%  reduction", "4 ns   0.4%  Fourier transform",
           "3 ns   0.3%  sort, scan, select", "3 ns   0.3%  all others"],
          "most time first, the sixth is the rest: copy 2 ns, communication 1 ns")
tap.ok(block[6].endswith("launches 2, kernels 2") and block[1].endswith("launches 3, kernels 2"), "with their launches and names")
tap.ok("Families" not in tap.run("--ks-sqlite", path, env={"LINES": "24"}).out.decode(), "a low one has the kernels alone")
tap.ok("Families" in tap.run("--ks-sqlite", path, "--print-details", "all").out.decode(), "--print-details all has them")
tap.ok("kernel 分类" in tap.run("--ks-sqlite", path, "--lang", "zh", "--print-details", "all").out.decode(), "in Chinese too")
one = made.make(lambda db: db.kernel(0, 100, "mine(int)"))
tap.ok("Families" not in tap.run("--ks-sqlite", one, "--print-details", "all").out.decode(), "one family alone is not worth a line")

kept = os.path.join(tap.TMP, "kept.ksreport.json")
with open(kept, "wb") as f:
    f.write(tap.run("--ks-sqlite", path, "--format", "json").out)
again = tap.run("report", kept, "--format", "json")
tap.equal(json.loads(again.out)["families"], json.loads(open(kept, "rb").read())["families"],
          "a report read back has the same list")

# --- the example of README ----------------------------------------------------------------------------------
# its application names its products gemm_* and gemv_* and its attention attention_*: the table cannot know that
example = os.path.join(tap.BUILD, "example.sqlite")
if os.path.exists(example):
    want = collections.Counter()
    for name, t in launches_of(example):
        function = name.removeprefix("void ")
        want["gemm" if function.startswith("gem") else "attention" if function.startswith("attention_") else
             "communication" if function.startswith("nccl") else "other"] += t
    tap.equal(times(rows_of(report_of(example, "--ks-family", "gemm=gem", "--ks-family", "attention=attention_"))),
              dict(want), "the example with two rules")
tap.done()
