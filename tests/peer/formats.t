#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published original beside ours: its gate, diff and -i read what we write, ours reads what it
writes, and where both publish a number it is the same one, or docs/differences.md says why not."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import report  # noqa: E402
import tap  # noqa: E402

PEER = os.environ.get("KS_PEER") or os.path.join(tap.BUILD, "peer", "bin", "kernoscope")
EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")
DATA = os.path.join(tap.SHARED, "data", "nsys-sqlite")


def peer(*args):
    return subprocess.run([PEER, *args], cwd=tap.TMP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          stdin=subprocess.DEVNULL, check=False)


def path(name):
    return os.path.join(tap.TMP, name)


def load(name):
    with open(path(name), encoding="utf-8") as f:
        return json.load(f)


def make_both(name, *source, ours=()):
    """NAME-ours and NAME-theirs: report and packet of one input by both programs."""
    r = tap.run(*source, *ours, "-o", path(name + "-ours"), "--packet", path(name + "-ours.packet.json"))
    p = peer(*source, "-o", path(name + "-theirs"), "--packet", path(name + "-theirs.packet.json"), "--no-case", "--screen", "off")
    return tap.ok(r.rc == 0 and p.returncode == 0, f"{name}: both programs write report and packet", r.err, p.stderr)


def reads_ours(name):
    p = peer("gate", "--packet", path(name + "-ours.packet.json"), "--require", "kernel_time", "--json")
    tap.ok(p.returncode == 0 and json.loads(p.stdout)["passed"], f"{name}: its gate passes our packet", p.stdout, p.stderr)
    p = peer("gate", "--packet", path(name + "-ours.packet.json"), "--report", path(name + "-ours.ksreport.json"),
             "--max-metric", "ks__launch_time_min=1e9", "--json")
    tap.ok(p.returncode == 0, f"{name}: its gate finds a metric of every kernel in our report", p.stdout, p.stderr)
    p = peer("gate", "--packet", path(name + "-ours.packet.json"), "--report", path(name + "-ours.ksreport.json"),
             "--max-metric", "ks__launch_time_min=0", "--json")
    tap.equal(p.returncode, 1, f"{name}: its gate fails where the limit is exceeded")
    for kind in (".packet.json", ".ksreport.json"):
        p = peer("diff", path(name + "-ours" + kind), path(name + "-ours" + kind), "--json")
        good = p.returncode == 0 and json.loads(p.stdout)["protocol"]["same"]
        tap.ok(good, f"{name}: its diff compares our {kind[1:]}", p.stdout[:600], p.stderr)
    p = peer("-i", path(name + "-ours.ksreport.json"), "--csv")
    rows = p.stdout.decode("utf-8").count("gpu__time_duration.sum")
    kernels = [k for k in load(name + "-ours.ksreport.json")["kernels"] if k["name"] != "(device)"]
    tap.equal((p.returncode, rows), (0, len(kernels)), f"{name}: its -i shows every kernel of our report")
    p = peer("-i", path(name + "-ours.ksreport.json"))
    tap.ok(p.returncode == 0 and kernels[0]["name"][:30] in p.stdout.decode("utf-8"), f"{name}: its -i prints our report as text", p.stderr)


def ours_reads(name):
    theirs = load(name + "-theirs.ksreport.json")
    r = tap.run("-i", path(name + "-theirs.ksreport.json"), "--format", "json")
    if not tap.ok(r.rc == 0, f"{name}: our -i reads its report", r.err):
        return
    again = json.loads(r.out)
    want = {k["name"]: (k["launch_count"], k["total_ns"], k["min_ns"], k["max_ns"]) for k in theirs["kernels"]}
    got = {k["name"]: (k["launch_count"], k["total_ns"], k["min_ns"], k["max_ns"]) for k in again["kernels"]}
    tap.equal(got, want, f"{name}: with the same kernels, counts and times")
    bad = []
    ours = metrics_of(again)
    for key, m in metrics_of(theirs).items():
        o = ours.get(key)
        # a launch that ran does not have 0 %: the original's table of architectures lacks the GPU (docs/differences.md)
        if m["value"] == 0 and "occupancy" in key[2] and o and (o.get("refusal") or {}).get("code") == "inconsistent_evidence":
            continue
        if o is None or o["value"] != m["value"] or o["provenance"] != m["provenance"]:
            bad.append(f"{key}: {m['value']} [{m['provenance']}] became {o and (o['value'], o['provenance'])}")
    tap.none(bad, f"{name}: and every metric row as it was")
    r = tap.run("-i", path(name + "-ours.ksreport.json"), "--format", "json")
    tap.ok(r.rc == 0, f"{name}: our -i reads our own report", r.err)
    mine = load(name + "-ours.ksreport.json")
    again = json.loads(r.out) if r.rc == 0 else {"kernels": []}
    faults = unlike(again["kernels"], mine["kernels"])
    lineage = [x for x in faults if ".inputs" in x]
    tap.none([x for x in faults if x not in lineage], f"{name}: and writes the same kernels back")
    tap.none(lineage, f"{name}: with the inputs of every row, so that explain works on a report")


def unlike(a, b, where="kernels"):
    """Where two documents differ."""
    if type(a) is not type(b):
        return [f"{where}: {str(a)[:80]} against {str(b)[:80]}"]
    if isinstance(a, dict):
        return [f"{where}.{k}: only in one" for k in set(a) ^ set(b)] + [x for k in set(a) & set(b) for x in unlike(a[k], b[k], f"{where}.{k}")]
    if isinstance(a, list):
        short = [f"{where}: {len(a)} against {len(b)} items"] if len(a) != len(b) else []
        return short + [x for i, (x1, x2) in enumerate(zip(a, b)) for x in unlike(x1, x2, f"{where}[{i}]")]
    return [] if a == b else [f"{where}: {str(a)[:80]} against {str(b)[:80]}"]


def metrics_of(report):
    """(kernel, section, metric, nth of that name) => row."""
    out, seen = {}, {}
    for k in report["kernels"]:
        for s in k["sections"]:
            for m in s["metrics"]:
                key = (k["name"], s["name"], m["name"])
                seen[key] = seen.get(key, -1) + 1
                out[key + (seen[key],)] = m
    return out


def family(name):
    """ks__device_3__kernel_ms and ks__device_0__kernel_ms are one subject."""
    name = re.sub(r"^est__copy_\w+_\w+_gbs$", "est__copy_{kind}_{size}_gbs", name)
    return re.sub(r"_\d+(?=__)", "_N", re.sub(r"ks__cfg_\w+?__(?=\w+$)", "ks__cfg_C__", name))


def close(a, b):
    """The original rounds to at most four decimals; ours does not."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= max(0.0000501, 0.00006 * abs(b)) or f"{a:.1f}" == f"{b:.1f}"
    return a == b


def same_values(name, explained):
    """Where both give a value under one name it is the same, or a row of docs/differences.md names it."""
    ours, theirs = metrics_of(load(name + "-ours.ksreport.json")), metrics_of(load(name + "-theirs.ksreport.json"))
    bad, compared = [], 0
    several = phases_of_several(load(name + "-ours.ksreport.json"))
    for key, m in theirs.items():
        o = ours.get(key)
        if m["value"] is None or o is None or o["value"] is None:
            continue
        compared += 1
        if phase_of(key[2]) in several:
            continue
        if not close(o["value"], m["value"]) and family(key[2]) not in explained:
            bad.append(f"{key[2]} of {key[0][:40]}: ours {o['value']}, theirs {m['value']}")
        if o["provenance"] != m["provenance"] and family(key[2]) not in explained:
            bad.append(f"{key[2]}: ours [{o['provenance']}], theirs [{m['provenance']}]")
    tap.ok(not bad and compared > 0, f"{name}: {compared} values under the same name agree or are explained", *bad)
    verdicts = [{v["id"]: v for v in load(f"{name}-{w}.packet.json")["verdicts"]} for w in ("ours", "theirs")]
    bad = []
    for vid in set(verdicts[0]) & set(verdicts[1]):
        o, t = verdicts[0][vid], verdicts[1][vid]
        if o["status"] != t["status"] and f"verdict {vid}" not in explained:
            bad.append(f"{vid}: ours {o['status']}, theirs {t['status']}")
        elif o.get("value") is not None and t.get("value") is not None and not close(o["value"], t["value"]) and f"verdict {vid}" not in explained:
            bad.append(f"{vid}: ours {o['value']}, theirs {t['value']}")
    tap.none(bad, f"{name}: verdicts of both agree or are explained")


OMITTED = ("ks__nvtx_phase_count", "ks__nvtx_phase_omitted")


def rows_of_section(report, section):
    rows = [m for k in report["kernels"] if k["name"] == "(device)" for s in k["sections"] if s["name"] == section for m in s["metrics"]]
    return {m["name"]: m for m in rows}


def phase_of(metric):
    """"ks__nvtx_phase_0__step" of any row of that phase."""
    return re.sub(r"__(?:kernel_ms|share_pct|total_ms|kernels|instances)$", "", metric) if re.search(r"_phase_\d", metric) else None


def phases_of_several(report):
    """Phases that add up several ranges of one name: docs/differences.md says so."""
    return {phase_of(n) for n, m in rows_of_section(report, "NvtxPhases").items() if n.endswith("__instances") and m["value"] > 1}


def same_rows(name, explained):
    """Copies and phases: every row of the original, in its order, with a value where it has one."""
    ours, theirs = load(name + "-ours.ksreport.json"), load(name + "-theirs.ksreport.json")
    for section in ("CommLedger", "NvtxPhases"):
        o, t = rows_of_section(ours, section), rows_of_section(theirs, section)
        if section == "NvtxPhases" and [o[n]["value"] for n in OMITTED if n in o] != [t[n]["value"] for n in OMITTED if n in t]:
            t = {n: m for n, m in t.items() if phase_of(n) is None or n in o}  # ranges of one name are one phase here
        tap.equal([n for n in o if n in t], list(t), f"{name}: {section} has the original's {len(t)} rows in its order")
        bad = [f"{n}: ours {o[n]['refusal']['code']}, theirs {t[n]['value']}" for n in t
               if n in o and o[n]["value"] is None and t[n]["value"] is not None and family(n) not in explained]
        bad += [f"{n}: ours {o[n]['value']}, theirs {t[n]['refusal']['code']}" for n in t
                if n in o and t[n]["value"] is None and (o[n]["value"] is not None or o[n]["refusal"]["code"] != t[n]["refusal"]["code"])]
        tap.none(bad, f"{name}: {section} gives and refuses the same, or it is explained")


# --- decisions over reports that are read back ---------------------------------------------------------------

DEV = report.DEVICE


def money(r, procs=0, idle=0.0, limited=0.0):
    r.row(DEV, "meas__window_energy_j", 800.0, "measured", "J").row(DEV, "meas__window_power_mean_w", 400.0, "measured", "W")
    r.row(DEV, "ks__steps_in_window", 10, "derived")
    if procs is not None:
        r.row(DEV, "meas__other_procs_on_gpu", procs, "measured")
    return r.row(DEV, "meas__gpu_idle_pct", idle, "measured", "%").row(DEV, "meas__throttle_limited_pct", limited, "measured", "%")


def per_mtok(**env):
    r = money(report.Report(), **env).row(DEV, "ks__tokens_per_s", 5000.0, "derived", "token/s")
    return r.row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h").row(DEV, "ks__cost_per_mtok", 0.1389, "derived", "EUR/Mtoken")


def sampled(coverage, share):
    r = report.Report().row(DEV, "est__dram_bytes_total", 1620.5, "estimated", "MB").row(DEV, "est__dram_bytes_per_launch", 16.25, "estimated", "MB")
    r.row(DEV, "ks__sampler_window_coverage_pct", coverage, "derived", "%").row(DEV, "ks__matched_kernel_kernel_share_pct", share, "derived", "%")
    r.row(DEV, "est__dram_vs_ledger_err_pct", -4.2, "estimated", "%")
    r.meta["ledger_basis"] = "per-launch"
    return r


def roofed(owner="gemm"):
    return (report.Report().row(owner, "est__bound", "memory", "estimated").row(owner, "est__roofline_efficiency_pct", 91.2, "estimated", "%")
            .row(owner, "est__achieved_gbs", 830.5, "estimated", "GB/s"))


def with_meta(r, **meta):
    r.meta.update(meta)
    return r


RANGE = {"currency": "EUR", "ranked": [{"kernel": "gemm", "confidence": "measured", "pct_lo": 25.0, "pct_hi": 40.0}], "total_per_hour": 1.5}
CRAFTED = {
    "nothing but kernels": report.Report(),
    "cost of a million tokens": per_mtok(),
    "another process": per_mtok(procs=1),
    "a device that waits": per_mtok(idle=20.5),
    "limited clocks": per_mtok(limited=5.0),
    "clocks below the limit": per_mtok(limited=4.9),
    "cost of an hour": money(report.Report()).row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h").refuse(DEV, "ks__cost_per_mtok", "no_tokens"),
    "a price without energy": money(report.Report()).refuse(DEV, "ks__cost_per_hour", "no_energy").refuse(DEV, "ks__cost_per_mtok", "no_energy"),
    "tokens without a price": money(report.Report()).row(DEV, "ks__tokens_per_s", 5000.0, "derived", "token/s")
    .refuse(DEV, "ks__cost_per_hour", "no_price").refuse(DEV, "ks__cost_per_mtok", "no_price"),
    "neither price nor tokens": money(report.Report()).refuse(DEV, "ks__cost_per_hour", "no_price").refuse(DEV, "ks__cost_per_mtok", "no_price"),
    "a reading that is not there": money(report.Report(), procs=None).row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h"),
    "coverage that is not there": report.Report().row(DEV, "est__dram_bytes_total", 1620.5, "estimated", "MB"),
    "a reading that failed": money(report.Report(), procs=None).row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h").refuse(DEV, "meas__other_procs_on_gpu", "env_reading_unknown"),
    "bytes of a launch": sampled(80.0, 95.0),
    "coverage below both limits": sampled(49.9, 95.0),
    "coverage between the limits": sampled(79.9, 95.0),
    "share below the limit": sampled(80.0, 94.9),
    "a ledger of the total": with_meta(sampled(80.0, 94.9), ledger_basis="total"),
    "nothing sampled": report.Report().refuse(DEV, "est__dram_bytes_total", "no_nvml_samples"),
    "no calibration": report.Report().refuse(DEV, "est__dram_bytes_total", "no_calibration").row(DEV, "ks__sampler_window_coverage_pct", 90.0, "derived", "%"),
    "an access trace": report.Report().row("gemm", "est__dram_bytes_per_launch_trace", 15.25, "estimated", "MB").row("gemm", "ks__dram_trace_vs_nvml_pct", 92.5, "derived", "%"),
    "a trace that gave nothing": report.Report().refuse("gemm", "est__dram_bytes_per_launch_trace", "trace_unavailable"),
    "a side of a range": report.Report().row(DEV, "ks__ledger_range_verdict", "middle", "derived"),
    "a roofline": roofed(),
    "above the peak of the type": roofed().row("gemm", "ks__dtype_peak_exceeded_warning", 1, "derived"),
    "above the peak": roofed().row("gemm", "ks__over_peak_warning", 1, "derived"),
    "another kernel above the peak": roofed("add").row("gemm", "ks__over_peak_warning", 1, "derived"),
    "a device above the peak": roofed().row(DEV, "ks__over_peak_warning", 1, "derived"),
    "a mark that is 0": roofed().row("gemm", "ks__over_peak_warning", 0, "derived"),
    "issue slots": report.Report().row("gemm", "est__issue_slot_utilization_pct", 12.5, "estimated", "%").row("gemm", "est__stall_direction", "latency-bound", "estimated"),
    "more than all issue slots": report.Report().row("gemm", "est__issue_slot_utilization_pct", 150.0, "estimated", "%"),
    "an L2 model": report.Report().row("gemm", "est__l2_hit_rate_l2only_pct", 55.5, "estimated", "%"),
    "an instruction mix": report.Report().row("gemm", "ks__static_sass_instructions", 1000, "exact").row("gemm", "ks__static_sass_share_fp", 40.5, "exact", "%"),
    "achieved occupancy": report.Report().row("gemm", "ks__theoretical_occupancy_pct", 50.0, "derived", "%").row("gemm", "meas__achieved_occupancy_pct", 24.5, "measured", "%"),
    "a saving": with_meta(report.Report(), prescription=RANGE),
    "a saving without money": with_meta(report.Report(), prescription={**RANGE, "total_per_hour": None, "money_refusal": "no_price"}),
    "no saving": with_meta(report.Report(), prescription={**RANGE, "ranked": [], "refusal": "no_calibration", "refusal_message": "m"}),
    "a saving above the peak": with_meta(report.Report().row("add", "ks__over_peak_warning", 1, "derived"), prescription=RANGE),
    "a truth": with_meta(report.Report(), ncu_truth={"ncu_version": "2025.3", "actions": 2, "pairs_compared": 3, "pairs_total": 6, "max_abs_err_pct": 4.25}),
    "a truth nobody could compare": with_meta(report.Report(), ncu_truth={"ncu_version": "2025.3", "actions": 2, "pairs_compared": 0, "pairs_total": 6}),
}

# (report, decision) => the row of docs/differences.md that says why
DECIDED_OTHERWISE = {
    ("neither price nor tokens", "cost_per_token"): "verdict cost_per_token",
    ("a reading that failed", "cost_per_token"): "verdict cost_per_token, unread environment",
    ("a reading that is not there", "cost_per_token"): "verdict cost_per_token, unread environment",
    ("coverage that is not there", "dram_bytes"): "verdict dram_bytes, unread coverage",
    ("nothing sampled", "dram_bytes"): "verdict dram_bytes, nothing sampled",
    ("a mark that is 0", "over_peak"): "verdict over_peak, mark of 0",
    ("a mark that is 0", "roofline"): "verdict over_peak, mark of 0",
    ("more than all issue slots", "issue_slot"): "verdict issue_slot, above 102 %",
    ("an L2 model", "l2_locality"): "verdict l2_locality",
}


def decisions(text):
    out = {}
    for v in json.loads(text)["verdicts"]:
        premises = {p["id"]: p["ok"] for p in v.get("premises", []) if p["id"] != "kernel_time_pct_of_wall"}
        out[v["id"]] = (v["status"], v.get("refusal", {}).get("code"), v.get("value"), v.get("unit"), v["actionable"], premises)
    return out


def decided_alike(explained):
    """The same rows give the same decisions, or docs/differences.md says why not."""
    used = set()
    for name, r in CRAFTED.items():
        where = r.write(path("crafted.ksreport.json"))
        ours, theirs = tap.run("-i", where, "--packet", "-", "--screen", "off", "--quiet"), peer("-i", where, "--packet", "-", "--screen", "off", "--quiet")
        if not tap.ok(ours.rc == 0 and theirs.returncode == 0, f"{name}: both read it", ours.err, theirs.stderr):
            continue
        o, t, bad = decisions(ours.out), decisions(theirs.stdout.decode("utf-8").splitlines()[0]), []
        for vid in sorted(set(o) | set(t)):
            same = vid in o and vid in t and o[vid][:2] == t[vid][:2] and close(o[vid][2], t[vid][2]) and o[vid][4:] == t[vid][4:]
            same = same and (o[vid][3] or "count") == (t[vid][3] or "count")
            if not same and (name, vid) in DECIDED_OTHERWISE:
                used.add((name, vid))
            elif not same:
                bad.append(f"{vid}: ours {o.get(vid)}, theirs {t.get(vid)}")
        tap.none(bad, f"{name}: decided alike")
    tap.none([k for k in DECIDED_OTHERWISE if k not in used], "every difference that is explained is there")
    tap.none(sorted(set(DECIDED_OTHERWISE.values()) - explained), "and docs/differences.md has its row")


def explained_names():
    """First column of the table in docs/differences.md: names in back quotes."""
    with open(os.path.join(tap.ROOT, "docs", "differences.md"), encoding="utf-8") as f:
        return set(re.findall(r"`([^`]+)`", "\n".join(line.split("|")[1] for line in f if line.startswith("| `"))))


def main():
    if not os.path.exists(PEER):
        tap.skip_all("the original is not installed: make peer, or set KS_PEER")
    tap.need_bin()
    explained = explained_names()
    decided_alike(explained)
    sources = [("synthetic", ["--ks-synthetic", "--set", "full"]), ("example", ["--ks-sqlite", EXAMPLE])]
    if os.path.isdir(DATA):
        sources += [(n, ["--ks-sqlite", os.path.join(DATA, n + ".sqlite")])
                    for n in ("cloverleaf_a100_2024", "fuser_h200_2024", "rtx2080_2402_kernels", "mixq_a100_cutlass_names",
                              "h100_2gpu_nccl_2026", "power_iteration_t4_nvtx_2025", "memfusion_rtx3090_nvtx", "rtx4060ti_2026")]
    for name, source in sources:
        if source[0] == "--ks-sqlite":  # the original may live in a root of its own that shows only this folder
            shutil.copyfile(source[1], path(name + ".sqlite"))
            source = ["--ks-sqlite", path(name + ".sqlite"), *source[2:]]
        if make_both(name, *source, ours=("--ks-nvtx", "overlap")):  # the only reading the original has
            reads_ours(name)
            ours_reads(name)
            same_values(name, explained)
            same_rows(name, explained)
    tap.done()


main()
