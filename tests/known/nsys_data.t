#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every real export of ../shared/data/nsys-sqlite through the real binary, against the answers that
were computed beside it without any profiler (NAME.expected.json). Integers are compared exactly."""
import collections
import csv
import glob
import io
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
DEVICE = "(device)"

# Contract 06 §7: threads, warps and blocks per SM, shared memory per SM and opt-in in KiB, reserve,
# granularity, registers per block, register files; by compute capability.
ARCH = {
    (6, 0): (2048, 64, 32, 64, 48, 0, 256, 65536, 2),
    (6, 1): (2048, 64, 32, 96, 48, 0, 256, 65536, 4),
    (7, 0): (2048, 64, 32, 96, 96, 0, 256, 65536, 4),
    (7, 5): (1024, 32, 16, 64, 64, 0, 256, 65536, 4),
    (8, 0): (2048, 64, 32, 164, 163, 1024, 128, 65536, 4),
    (8, 6): (1536, 48, 16, 100, 99, 1024, 128, 65536, 4),
    (8, 7): (1536, 48, 16, 164, 163, 1024, 128, 65536, 4),
    (8, 9): (1536, 48, 24, 100, 99, 1024, 128, 65536, 4),
    (9, 0): (2048, 64, 32, 228, 227, 1024, 128, 65536, 4),
    (12, 0): (1536, 48, 24, 100, 99, 1024, 128, 65536, 4),
}


def up(n, step):
    return -(-n // step) * step


def occupancy(arch, config):
    """Percent by the table alone, with the maximal carve-out; the formula of contract 06 §7."""
    threads, max_warps, max_blocks, smem_kib, optin_kib, reserve, gran, regs_block, files = ARCH[arch]
    t = config["block"][0] * config["block"][1] * config["block"][2]
    w = -(-t // 32)
    limit = [threads // t, max_warps // w, max_blocks]
    if config["regs"] > 0:
        per_warp = up(32 * config["regs"], 256)
        limit.append(0 if per_warp * up(w, files) > regs_block else (65536 // files) // per_warp * files // w)
    smem = config["static_smem"] + config["dynamic_smem"]
    block = up(smem + reserve, gran)
    if block > 0:
        most = (48 if smem <= 48 * 1024 else optin_kib) * 1024 + reserve
        limit.append(0 if block > most else smem_kib * 1024 // block)
    return 100.0 * min(limit) * w / max_warps


# --- reading our report ------------------------------------------------------------------------------
def kernels_of(report):
    return {k["name"]: k for k in report["kernels"] if k["name"] != DEVICE}


def metrics_of(kernel):
    return {m["name"]: m for s in kernel["sections"] for m in s["metrics"]}


def value(metrics, name):
    return metrics[name]["value"] if name in metrics else None


def device_metrics(report):
    return next((metrics_of(k) for k in report["kernels"] if k["name"] == DEVICE), {})


def config_key(c):
    return (tuple(c["grid"]), tuple(c["block"]), c["registers_per_thread"], c["static_smem_bytes"], c["dynamic_smem_bytes"])


# --- what is wrong, one list per subject ---------------------------------------------------------------
def merged(expected):
    """The expected kernels over all devices, by demangled name; their configurations likewise."""
    out = {}
    for k in expected["kernels"]:
        m = out.setdefault(k["demangled"], {"count": 0, "total": 0, "min": k["min_ns"], "max": k["max_ns"], "configs": {}})
        m["count"] += k["count"]
        m["total"] += k["total_ns"]
        m["min"] = min(m["min"], k["min_ns"])
        m["max"] = max(m["max"], k["max_ns"])
        for c in k["configs"]:
            key = (tuple(c["grid"]), tuple(c["block"]), c["regs"], c["static_smem"], c["dynamic_smem"])
            n = m["configs"].setdefault(key, [0, 0])
            n[0] += c["count"]
            n[1] += c["total_ns"]
    return out


def wrong_places(report, expected):
    """Streams and number of processes of each kernel on each device; the parts add up to that kernel there."""
    ours, bad = kernels_of(report), []
    want = {(k["demangled"], k["device"]): k for k in expected["kernels"]}
    got = collections.defaultdict(list)
    for name, k in ours.items():
        for p in k["placement"]:
            got[(name, p["device"])].append(p)
        order = [(-p["total_ns"], p["device"], p["pid"] or 0, p["stream"]) for p in k["placement"]]
        if order != sorted(order):
            bad.append(f"{name[:60]}: not by time, device, process and stream: {order}")
        if len({(p["device"], p["pid"], p["stream"]) for p in k["placement"]}) != len(order):
            bad.append(f"{name[:60]}: a place is there twice")
    if set(got) != set(want):
        bad.append(f"kernel and device only in one: {list(set(got) ^ set(want))[:3]}")
    for key in set(got) & set(want):
        w, places = want[key], got[key]
        a = (sorted({p["stream"] for p in places}), len({p["pid"] for p in places}),
             sum(p["launch_count"] for p in places), sum(p["total_ns"] for p in places))
        b = (sorted(w["streams"]), w["processes"], w["count"], w["total_ns"])
        if a != b:
            bad.append(f"{key[0][:60]} on {key[1]}: {a}, expected {b}")
    return bad


def wrong_kernels(report, want):
    ours, bad = kernels_of(report), []
    for name in set(ours) ^ set(want):
        bad.append(f"{'missing' if name in want else 'invented'}: {name[:80]}")
    for name in set(ours) & set(want):
        k, w = ours[name], want[name]
        got = (k["launch_count"], k["total_ns"], k["min_ns"], k["max_ns"])
        if got != (w["count"], w["total"], w["min"], w["max"]):
            bad.append(f"{name[:60]}: {got}, expected {w['count'], w['total'], w['min'], w['max']}")
        if abs(k["mean_ns"] - w["total"] / w["count"]) > 1e-9 * k["mean_ns"]:
            bad.append(f"{name[:60]}: mean {k['mean_ns']}")
    return bad


def wrong_configs(report, want):
    ours, bad = kernels_of(report), []
    for name in set(ours) & set(want):
        got = {config_key(c): [c["launch_count"], c["total_ns"]] for c in ours[name]["launch_configs"]}
        if got != want[name]["configs"]:
            bad.append(f"{name[:60]}: {got} expected {want[name]['configs']}")
        if ours[name]["mixed_config"] != (len(want[name]["configs"]) > 1):
            bad.append(f"{name[:60]}: mixed_config {ours[name]['mixed_config']}")
    return bad


def wrong_devices(report, expected):
    metrics, bad = device_metrics(report), []
    for device, w in expected["window"]["per_device"].items():
        for what, want in (("kernel_ms", w["sum_ns"]), ("kernel_busy_ms", w["busy_union_ns"])):
            got = value(metrics, f"ks__device_{device}__{what}")
            if got is None or abs(got * 1e6 - want) > 0.5:
                bad.append(f"device {device} {what}: {got}, expected {want} ns")
        if value(metrics, f"ks__device_{device}__launch_count") != w["kernels"]:
            bad.append(f"device {device}: launch count {value(metrics, f'ks__device_{device}__launch_count')}")
    if value(metrics, "ks__device_count") != len(expected["window"]["per_device"]):
        bad.append(f"ks__device_count {value(metrics, 'ks__device_count')}")
    return bad


def wrong_sums(report, expected):
    """Parts against the whole: devices, streams, processes, configurations."""
    metrics, bad = device_metrics(report), []
    parts = collections.defaultdict(lambda: [0, 0.0])
    for name, m in metrics.items():
        kind = ("stream" if "__stream_" in name else "process" if name.startswith("ks__process_")
                else "device" if name.startswith("ks__device_") else None)
        if kind and name.endswith("__launch_count"):
            parts[kind][0] += m["value"]
        elif kind and name.endswith("__kernel_ms"):
            parts[kind][1] += m["value"] * 1e6
    for kind in ("device", "stream", "process"):
        count, ns = parts[kind]
        if count != expected["kernel_rows"] or abs(ns - expected["kernel_total_ns"]) > 0.5 + 1e-9 * ns:
            bad.append(f"{kind}s: {count} launches, {ns} ns; all: {expected['kernel_rows']}, {expected['kernel_total_ns']}")
    for k in kernels_of(report).values():
        sums = sum(c["launch_count"] for c in k["launch_configs"]), sum(c["total_ns"] for c in k["launch_configs"])
        if sums != (k["launch_count"], k["total_ns"]):
            bad.append(f"configurations of {k['name'][:60]}: {sums}")
    return bad


def capability(path, expected):
    """Compute capability of CUDA device 0: TARGET_INFO_GPU says so, in old files TARGET_INFO_CUDA_GPU; else None."""
    rows = {(g["computeMajor"], g["computeMinor"]) for g in expected["gpus"] if g.get("cuDevice") == 0 and g.get("computeMajor")}
    if not rows and "TARGET_INFO_CUDA_GPU" in expected["tables"]:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows = set(db.execute("select computeCapabilityMajor, computeCapabilityMinor from TARGET_INFO_CUDA_GPU where deviceId = 0"))
        db.close()
    return rows.pop() if len(rows) == 1 else None


def in_its_words(limiters):
    """The expected files know three limits: their warps are our threads and warps (they bind together at
    100 %), their blocks our block_limit; shared memory they leave out, so it may stand beside theirs."""
    words = {"threads": "warps", "warps": "warps", "block_limit": "blocks", "registers": "registers"}
    return "+".join(sorted({words[w] for w in (limiters or "").split("+") if w in words}))


def wrong_occupancy(path, report, expected):
    """For kernels of one configuration: the file's own answer, else the table's, else unknown_arch."""
    ours, bad, seen = kernels_of(report), [], collections.Counter()
    cc = capability(path, expected)
    configs = {name: len(w["configs"]) for name, w in merged(expected).items()}
    for k in expected["kernels"]:
        if configs[k["demangled"]] > 1 or k["demangled"] not in ours:
            continue
        c, metrics = k["configs"][0], metrics_of(ours[k["demangled"]])
        got = metrics.get("ks__theoretical_occupancy_pct", {})
        want = c.get("theoretical_occupancy")
        if want:
            seen["from the file"] += 1
            pairs = [(got.get("value"), want["occupancy_pct"]), (value(metrics, "ks__blocks_per_sm"), want["blocks_per_sm"]),
                     (value(metrics, "ks__warps_per_sm"), want["active_warps"]),
                     (in_its_words(value(metrics, "ks__occupancy_limiter")), "+".join(sorted(want["limiters"])))]
            if any(a is None or (abs(a - b) > 0.005 if isinstance(b, float) else a != b) for a, b in pairs):
                bad.append(f"{k['demangled'][:50]}: {pairs}")
        elif cc in ARCH:
            seen["from the table"] += 1
            want_pct = occupancy(cc, c)
            if got.get("value") is None or abs(got["value"] - want_pct) > 0.005:
                bad.append(f"{k['demangled'][:50]}: {got.get('value')}, by the table {want_pct}")
        elif cc is None:
            seen["no capability"] += 1
            if (got.get("refusal") or {}).get("code") != "unknown_arch" or got.get("value") is not None:
                bad.append(f"{k['demangled'][:50]}: {got}, wanted unknown_arch")
    return bad, seen


def wrong_csv(path, report):
    """The metric CSV says what the JSON says."""
    r = tap.run("--ks-sqlite", path, "--set", "full", "--csv")
    rows = list(csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline="")))
    want = collections.Counter()
    for k in report["kernels"]:
        for s in k["sections"]:
            for m in s["metrics"]:
                want[(k["name"], s["name"], m["name"], m["value"] is None, (m.get("refusal") or {}).get("code") or "")] += 1
    got = collections.Counter((x["kernel"], x["section"], x["metric"], x["value"] == "", x["refusal_code"]) for x in rows)
    bad = [f"only in one: {x}" for x in list((want - got) + (got - want))[:5]]
    if r.rc != 0 or not r.out.endswith(b"\r\n"):
        bad.append(f"exit {r.rc}, last bytes {r.out[-2:]!r}")
    numbers = {(k["name"], s["name"], m["name"]): m["value"] for k in report["kernels"] for s in k["sections"] for m in s["metrics"]}
    for x in rows:
        v = numbers.get((x["kernel"], x["section"], x["metric"]))
        if isinstance(v, (int, float)) and not isinstance(v, bool) and float(x["value"]) != v:
            bad.append(f"{x['metric']}: CSV {x['value']}, JSON {v}")
    return bad[:10]


def wrong_launches(path, want):
    r = tap.run("--ks-sqlite", path, "--launch-csv")
    sums, bad = {}, []
    index = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(r.out.decode("utf-8"), newline="")):
        ns = int(row["end_ns"]) - int(row["start_ns"])
        if ns != int(row["duration_ns"]):
            bad.append(f"duration {row['duration_ns']} of {row['start_ns']}..{row['end_ns']}")
        s = sums.setdefault(row["kernel"], [0, 0])
        s[0] += 1
        s[1] += ns
        index[row["kernel"]].append((int(row["launch_index"]), int(row["start_ns"])))
    if sums != {n: [w["count"], w["total"]] for n, w in want.items()}:
        bad.append("sums per kernel differ from the expected ones")
    for name, rows in index.items():
        if [i for i, _ in rows] != list(range(len(rows))) or [s for _, s in rows] != sorted(s for _, s in rows):
            bad.append(f"launches of {name[:50]} are not numbered by start")
    return bad


def check_with_kernels(name, path, expected, report, occupancies):
    want = merged(expected)
    tap.none(wrong_kernels(report, want), f"{name}: count, total, min, max, mean of {len(want)} kernels")
    tap.none(wrong_configs(report, want), f"{name}: launch configurations")
    tap.none(wrong_devices(report, expected), f"{name}: kernel time and its union per device")
    tap.none(wrong_sums(report, expected), f"{name}: streams, devices, processes and configurations add up")
    tap.none(wrong_places(report, expected), f"{name}: devices, processes and streams of each kernel")
    bad, seen = wrong_occupancy(path, report, expected)
    occupancies.update(seen)
    tap.none(bad, f"{name}: occupancy ({', '.join(f'{n} {k}' for k, n in sorted(seen.items())) or 'several configurations each'})")
    tap.none(wrong_csv(path, report), f"{name}: CSV and JSON agree")
    tap.none(wrong_launches(path, want), f"{name}: launch rows add up and are numbered by start")


def check_without_kernels(name, path, expected, report):
    tap.equal(len(kernels_of(report)), 0, f"{name}: no kernel is invented")
    text = tap.run("--ks-sqlite", path)
    shown = text.out.decode("utf-8")
    tap.equal(text.rc, 0, f"{name}: exit 0 with what the file holds")
    missing = []
    for table, rows in (("memcpy", (expected["memcpy"] or {}).get("rows")), ("memset", (expected["memset"] or {}).get("rows")),
                        ("nvtx", (expected["nvtx"] or {}).get("rows") if isinstance(expected["nvtx"], dict) else None),
                        ("api", expected["tables"].get("CUPTI_ACTIVITY_KIND_RUNTIME"))):
        plain = shown.replace(",", "").replace("\u202f", "")
        if rows and str(rows) not in plain:
            missing.append(f"{table}: {rows} rows are not mentioned")
    tap.none(missing, f"{name}: copies, memsets, NVTX and API calls are counted")


def main():
    if not os.path.isdir(FOLDER):
        tap.skip_all(f"no {FOLDER}")
    tap.need_bin()
    occupancies = collections.Counter()
    files = sorted(glob.glob(FOLDER + "/*.sqlite"))
    for path in files:
        name = os.path.basename(path)[:-len(".sqlite")]
        with open(path[:-len(".sqlite")] + ".expected.json", encoding="utf-8") as f:
            expected = json.load(f)
        r = tap.run("--ks-sqlite", path, "--set", "full", "--format", "json")
        if name == "not_nsys_dlprof_db":
            tap.equal((r.rc, r.out, r.err.count(b"\n")), (1, b"", 1), f"{name}: one line, exit 1")
            continue
        if not tap.ok(r.rc == 0, f"{name}: exit 0", f"exit {r.rc}", r.err.decode("utf-8", "replace")):
            continue
        report = json.loads(r.out)
        if expected["kernel_rows"]:
            check_with_kernels(name, path, expected, report, occupancies)
        else:
            check_without_kernels(name, path, expected, report)
    tap.ok(len(files) >= 45, f"all {len(files)} files were read", "45 were there when this was written")
    tap.ok(all(occupancies[k] > 0 for k in ("from the file", "from the table", "no capability")),
           "every kind of occupancy answer occurred", dict(occupancies))
    tap.done()


main()
