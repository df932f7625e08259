#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The original's case directory and Markdown report beside ours on the same input: the same files, keys and
headings, so that what reads one reads the other. Where they differ, the reason stands here."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

tap.need_bin()
PEER = os.environ.get("KS_PEER") or os.path.join(tap.BUILD, "peer", "bin", "kernoscope")
if not os.access(PEER, os.X_OK):
    tap.skip_all("the original is not installed: make peer")
EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")
# the original says no device for every recording; ours names the one in the trace
VALUES = {"device"}


def place(name):
    path = os.path.join(tap.TMP, name)
    os.mkdir(path)
    return path


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as f:
        return f.read()


def both(name, *source):
    """Folders of both programs' runs on one input."""
    o, t = place(name + "-ours"), place(name + "-theirs")
    r = tap.run(*source, "-o", "P", "--packet", "p.json", "--format", "csv", cwd=o)
    p = subprocess.run([PEER, *source, "-o", "P", "--packet", "p.json", "--report-md", "m.md", "--screen", "off"], cwd=t,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120, check=False)
    good = tap.ok(r.rc == 0 and p.returncode == 0, f"{name}: both programs write", r.err, p.stderr)
    with open(os.path.join(o, "m.md"), "wb") as f:
        f.write(tap.run(*source, "--format", "md").out)
    return (o, t) if good else (None, None)


def shape(v, where=""):
    """Every key of a document, lists by their first item, values by their type."""
    if isinstance(v, dict):
        return {w for k, x in v.items() for w in {f"{where}.{k}"} | shape(x, f"{where}.{k}")}
    if isinstance(v, list):
        return shape(v[0], where + "[]") if v else set()
    return {f"{where}:{'number' if isinstance(v, (int, float)) and not isinstance(v, bool) else type(v).__name__}"}


def unlike(ours, theirs):
    """Keys in one only. Which outputs, verdicts and codes there are is a matter of the run, not of the format."""
    free = re.compile(r"^\.(outputs|verdicts|trimmed|refusals)\.|\.(" + "|".join(VALUES) + r"|code|hint|cmd|calibration|memtrace):")
    return sorted(k for k in ours ^ theirs if not free.search(k) and k not in {".trimmed[]:str", ".refusals[]:str"})


def headings(text):
    out, fenced = [], False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            out.append(line)
    return out


for name, source in (("synthetic", ("--ks-synthetic",)), ("example", ("--ks-sqlite", EXAMPLE))):
    o, t = both(name, *source)
    if o is None:
        continue
    ours, theirs = os.path.join(o, "P.case"), os.path.join(t, "P.case")
    tap.equal(sorted(os.listdir(ours)), sorted(os.listdir(theirs)), f"{name}: the same files")
    mo, mt = json.loads(read(ours, "manifest.json")), json.loads(read(theirs, "manifest.json"))
    tap.equal(list(mo), list(mt), f"{name}: the manifest has the same keys in the same order")
    tap.none(unlike(shape(mo), shape(mt)), f"{name}: down to the last level")
    tap.none(unlike(shape(json.loads(read(ours, "env.json"))), shape(json.loads(read(theirs, "env.json")))), f"{name}: env.json too")
    jo, jt = (json.loads(read(x, "journal.jsonl").split("\n")[0]) for x in (ours, theirs))
    tap.equal(list(jo), list(jt), f"{name}: a line of the journal has the same keys in the same order")
    tap.none(unlike(shape(jo), shape(jt)), f"{name}: and types")
    # the timeline is a protobuf file here (contract 01, first table)
    tap.equal({k: v for k, v in mo["outputs"].items() if k != "perfetto"}, {k: v for k, v in mt["outputs"].items() if k != "perfetto"},
              f"{name}: outputs have the same keys and paths")
    tap.equal([{k: v["status"] for v in m["verdicts"] if (k := v["id"]) == "kernel_time"} for m in (mo, mt)], [{"kernel_time": "ok"}] * 2, f"{name}: both rank")
    p = subprocess.run([PEER, "gate", "--packet", os.path.join(ours, mo["outputs"]["packet"]), "--require", "kernel_time"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    tap.equal(p.returncode, 0, f"{name}: its gate follows our path to the packet")

    ho, ht = headings(read(o, "m.md")), headings(read(t, "m.md"))
    tap.equal([h for h in ho if re.match(r"## \d", h)], [h for h in ht if re.match(r"## \d", h)], f"{name}: Markdown has the same sections")
    tap.equal([h for h in ho if h.startswith("### 2.")], [h for h in ht if h.startswith("### 2.")], f"{name}: and dimensions")
    # ours has three further headings of level 3: what is missing, the command, the path
    tap.none([h for h in ht if h.startswith("### ") and not re.match(r"### (2\.|Priority)", h) and h not in ho], f"{name}: and every other heading of its own")
    columns = [re.search(r"^\| (Metric .*) \|$", read(x, "m.md"), re.M).group(1) for x in (o, t)]
    tap.equal(columns[0], columns[1], f"{name}: and columns")
    tap.ok(all(re.search(r"^### Priority 1 — ", read(x, "m.md"), re.M) and "**Expected impact:**" in read(x, "m.md") and "**Effort:**" in read(x, "m.md") for x in (o, t)),
           f"{name}: directions have the same parts")

# inputs of the protocol: what its manifest names, ours names after reading its report
profile = os.path.join(tap.SHARED, "data", "rtx4090-runs", "machine-profile.json")
if not os.path.exists(profile):
    tap.skip("no ../shared/data/rtx4090-runs: no machine profile to name")
else:
    o, t = place("inputs-ours"), place("inputs-theirs")
    subprocess.run([PEER, "--ks-synthetic", "-o", "P", "--ks-calibration", profile], cwd=t, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    tap.run("-i", os.path.join(t, "P.ksreport.json"), "-o", "P", "--format", "csv", cwd=o)
    got = [json.loads(read(x, "P.case", "manifest.json"))["protocol_inputs"] for x in (o, t)]
    tap.equal(got[0], got[1], "the manifest names the same machine profile with the same hash")
    tap.ok(re.fullmatch(r"machine-profile\.json:[0-9a-f]{16}", got[0]["calibration"]), "which is one", got)

# paths of the command line: the same arguments become the same words
w = {}
for who, binary in (("ours", tap.BIN), ("theirs", PEER)):
    w[who] = place("paths-" + who)
    for sub in ("run", "run/sub", "far"):
        os.mkdir(os.path.join(w[who], sub))
    args = ["--ks-synthetic", "-o", f"{w[who]}/run/P", f"--packet={w[who]}/run/p.json", f"--log-file={w[who]}/run/sub/log", "--export-name-map", f"{w[who]}/far/map.json"]
    subprocess.run([binary, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
got = [json.loads(read(w[who], "run", "P.case", "manifest.json"))["command"] for who in ("ours", "theirs")]
tap.equal(got[0], got[1], "both replace the same absolute paths by the same words")
tap.equal(got[0][2:], ["../P", "--packet=../p.json", "--log-file=../sub/log", "--export-name-map", "<abs>/map.json"], "as the contract has them")
tap.done()
