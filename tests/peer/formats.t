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


def explained_names():
    """First column of the table in docs/differences.md: names in back quotes."""
    with open(os.path.join(tap.ROOT, "docs", "differences.md"), encoding="utf-8") as f:
        return set(re.findall(r"`([^`]+)`", "\n".join(line.split("|")[1] for line in f if line.startswith("| `"))))


def main():
    if not os.path.exists(PEER):
        tap.skip_all("the original is not installed: make peer, or set KS_PEER")
    tap.need_bin()
    explained = explained_names()
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
