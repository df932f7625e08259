#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The case directory PREFIX.case: what is in it, that the journal only grows, that two runs may share it, that it
can be handed on, and that whatever stops a run leaves no half file. Judged by Python's JSON reader and the packet."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made    # noqa: E402
import tap     # noqa: E402

tap.need_bin()
FILES = ["README.md", "env.json", "journal.jsonl", "manifest.json", "next.md"]
MANIFEST = ["schema_version", "created", "tool_version", "packet_schema", "protocol_hash", "protocol_basis", "window_mode",
            "protocol_inputs", "env", "command", "outputs", "verdicts", "refusals", "next_actions"]
JOURNAL = ["ts", "command", "rc", "packet_bytes", "trimmed", "verdicts", "refusals", "outputs"]
SHIM = os.path.join(tap.BUILD, "torture.so")


def place(name):
    path = os.path.join(tap.TMP, name)
    os.mkdir(path)
    return path


def read(*parts):
    with open(os.path.join(*parts), "rb") as f:
        return f.read()


def write(content, *parts):
    with open(os.path.join(*parts), "wb") as f:
        f.write(content)


def journal(folder):
    return [json.loads(line) for line in read(folder, "journal.jsonl").decode("utf-8").splitlines()]


def record(where, *more, env=None):
    return tap.run("--ks-synthetic", "-o", "P", "-f", "--format", "csv", *more, cwd=where, env=env)


# --- one run -----------------------------------------------------------------------------------------------
w = place("one")
case = os.path.join(w, "P.case")
r = record(w, "--packet", "p.json")
tap.equal(r.rc, 0, "a run with -o makes a case directory")
tap.equal(sorted(os.listdir(case)), FILES, "of five files")
manifest = json.loads(read(case, "manifest.json"))
packet = json.loads(read(w, "p.json"))
tap.equal(list(manifest), MANIFEST, "the manifest has the keys of the contract, in its order")
tap.equal((manifest["schema_version"], manifest["packet_schema"]), (1, [1, "1.4"]), "and its schema numbers")
tap.equal([(v["id"], v["status"]) for v in manifest["verdicts"]], [(v["id"], v["status"]) for v in packet["verdicts"]], "verdicts are those of the packet")
tap.equal(manifest["refusals"], sorted(packet["refusals"]), "and so are the codes")
items = manifest["next_actions"]["items"]
tap.equal([(i["for"], i["code"]) for i in items][:4], [(n["for"], n.get("code")) for n in packet.get("next", [])] or [(i["for"], i["code"]) for i in items][:4],
          "and the next steps")
tap.ok(manifest["next_actions"]["count"] == len(items) <= 8, "at most eight of them", len(items))
tap.none([i for i in items if list(i) != ["for", "code", "hint", "cmd"] or (i["code"] is None) == (i["hint"] is None)], "each a code or a hint")
tap.equal(manifest["protocol_hash"], packet["protocol"]["hash"], "the protocol is that of the packet")
tap.equal(json.loads(read(case, "env.json")), manifest["env"], "env.json is the manifest's env")
tap.equal({k: manifest["env"][k] for k in ("tier", "tier_name", "counter_state", "blocked_by")},
          {k: packet["env"][k] for k in ("tier", "tier_name", "counter_state", "blocked_by")}, "which is the packet's")
tap.equal(manifest["command"], ["--ks-synthetic", "-o", "P", "-f", "--format", "csv", "--packet", "p.json"], "the command is as it was given")
tap.equal({k: manifest["outputs"].get(k) for k in ("report", "perfetto", "packet")},
          {"report": "../P.ksreport.json", "perfetto": "../P.perfetto-trace", "packet": "../p.json"}, "outputs are seen from the folder")
tap.none([p for p in manifest["outputs"].values() if not os.path.exists(os.path.join(case, p))], "and are there")
lines = journal(case)
tap.equal((len(lines), list(lines[0])), (1, JOURNAL), "the journal has one line with the keys of the contract")
tap.equal((lines[0]["rc"], lines[0]["packet_bytes"], lines[0]["verdicts"]), (0, len(read(w, "p.json")), {v["id"]: v["status"] for v in packet["verdicts"]}), "and what the run returned")
tap.ok(len(read(case, "README.md")) <= 1024, "the README is at most 1 KB")
steps = re.findall(r"^(\d+)\. ", read(case, "next.md").decode("utf-8"), re.M)
tap.equal(steps, [str(i + 1) for i in range(len(items))], "next.md numbers the same steps")
cmds = [i["cmd"] for i in items if i["cmd"]]
tap.ok(cmds and all(f"`{c}`" in read(case, "next.md").decode("utf-8") for c in cmds), "with the same commands")


def one_launch(db):
    db.kernel(0, 100, "k()")


# what to do about a group is the remedy of its rows, which may be nearer than that of the code in general
there = place("advice")
r = tap.run("--ks-sqlite", made.make(one_launch), "-o", "P", "--packet", "p.json", "--quiet", cwd=there)
advice = {c: x["action"] for c, x in json.loads(read(there, "p.json"))["refusals"].items() if "action" in x}
page = read(there, "P.case", "next.md").decode("utf-8")
steps = [x["code"] for x in json.loads(read(there, "P.case", "manifest.json"))["next_actions"]["items"] if x["code"] in advice]
tap.ok(advice.get("premise_failed") == "Record a longer part of the run", "one launch has no interval of the median", advice)
tap.none([c for c in steps if advice[c].rstrip("\u2026") not in page.replace("\\", "")], "next.md and the packet advise the same")
tap.ok("premise_failed" in steps, "and that was looked at", steps)


# --- further runs ------------------------------------------------------------------------------------------
write(b"my notes\n", case, "README.md")
write(b"more notes\n", case, "notes.txt")
r = record(w, "-k", "synthetic_elementwise", "--lang", "zh")
tap.equal((r.rc, len(journal(case))), (0, 2), "the next run adds a line")
tap.equal((read(case, "README.md"), read(case, "notes.txt")), (b"my notes\n", b"more notes\n"), "and leaves the README and what else lies there")
tap.ok("-k" in json.loads(read(case, "manifest.json"))["command"], "the manifest is that of the last run")
tap.ok(re.search("[\u4e00-\u9fff]", read(case, "next.md").decode("utf-8")), "next.md is in the reader's language")
journal_before = read(case, "journal.jsonl")
write(journal_before[:-20], case, "journal.jsonl")
r = record(w)
got = read(case, "journal.jsonl").split(b"\n")
tap.equal((r.rc, len(got), got[1]), (0, 4, journal_before[:-20].split(b"\n")[1]), "a line that a killed run left is ended, not continued")
tap.ok(json.loads(got[2])["rc"] == 0 and got[3] == b"", "the new line is whole")
epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
record(w, env=epoch)
first = read(case, "manifest.json")
record(w, env=epoch)
tap.ok(first == read(case, "manifest.json") and b"2023-11-14T22:13:20+0000" in first, "SOURCE_DATE_EPOCH makes the manifest repeat")
last = read(case, "journal.jsonl").split(b"\n")[-3:-1]
tap.equal(last[0], last[1], "and its line of the journal")

# --- two at once -------------------------------------------------------------------------------------------
w = place("crowd")
runs = [subprocess.Popen([tap.BIN, "--ks-synthetic", "-o", "P", "-f", "--format", "csv", "--ks-comm", f"run{i}" + "x" * 5000], cwd=w, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for i in range(8)]
errors = [(p.communicate()[1], p.returncode) for p in runs]
tap.none([e for e, rc in errors if rc != 0], "eight runs share a folder that none of them had seen")
lines = journal(os.path.join(w, "P.case"))
tap.equal(sorted(line["command"][-1][:4] for line in lines), [f"run{i}" for i in range(8)], "each has its line, whole")
tap.equal(sorted(os.listdir(os.path.join(w, "P.case"))), FILES, "and nothing else is left there")

# --- handing it on -----------------------------------------------------------------------------------------
w = place("secret-customer")
os.mkdir(os.path.join(w, "run"))
os.mkdir(os.path.join(w, "elsewhere"))
trace = os.path.join(w, "elsewhere", "in.sqlite")
shutil.copy(made.make(lambda db: db.kernel(0, 100, "k|`#<b>(int)")), trace)
r = tap.run("--ks-sqlite", trace, f"-o{w}/run/P", f"--packet={w}/run/sub.json", "--log-file", f"{w}/elsewhere/log.txt", "--format", "csv")
tap.equal(r.rc, 0, "absolute paths everywhere")
case = os.path.join(w, "run", "P.case")
tap.equal(json.loads(read(case, "manifest.json"))["command"],
          ["--ks-sqlite", "<abs>/in.sqlite", "-o../P", "--packet=../sub.json", "--log-file", "<abs>/log.txt", "--format", "csv"],
          "become relative within one step, and lose their folder beyond")
tap.none([f for f in FILES if b"secret-customer" in read(case, f) or tap.TMP.encode() in read(case, f)], "no file of it names a folder of this machine")

# --- whose folder it is ------------------------------------------------------------------------------------
w = place("foreign")
case = os.path.join(w, "P.case")
os.mkdir(case)
tap.equal(record(w).rc, 0, "an empty folder is taken")
for name, content in (("thesis.tex", b"years of work"), ("manifest.json", b'{"name": "somebody else\'s"}')):
    shutil.rmtree(case)
    os.mkdir(case)
    write(content, case, name)
    if name == "manifest.json":
        write(b"x", case, "index.js")
    before = sorted(os.listdir(case))
    r = record(w)
    tap.ok(r.rc == 1 and r.err.count(b"error:") == 1 and b"is no case directory" in r.err, f"a folder with {name} of others is refused", r.err)
    tap.equal((sorted(os.listdir(case)), read(case, name)), (before, content), "and left as it is")
shutil.rmtree(case)
os.mkdir(os.path.join(w, "real"))
os.symlink("real", case)
r = record(w)
tap.ok(r.rc == 1 and os.listdir(os.path.join(w, "real")) == [], "a symbolic link is not followed", r.err)
os.unlink(case)
write(b"old", case)
r = record(w)
tap.ok(r.rc == 1 and read(case) == b"old" and b"--no-case" in r.err, "nor is a file replaced; the line says how to do without", r.err)
os.unlink(case)
record(w)
for name in ("manifest.json", "journal.jsonl"):
    target = os.path.join(w, "target")
    write(b"precious", target)
    os.unlink(os.path.join(case, name))
    os.symlink(target, os.path.join(case, name))
    r = record(w)
    tap.ok(r.rc == 1 and read(target) == b"precious", f"a link in place of {name} is not written through", r.err)
    os.unlink(os.path.join(case, name))
for name in ("manifest.json", "env.json", "next.md"):
    os.unlink(os.path.join(case, name))
    os.mkfifo(os.path.join(case, name))
    out = subprocess.run(["timeout", "20", tap.BIN, "--ks-synthetic", "--quiet", "-o", "P", "-f"], cwd=w, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    tap.ok(out.returncode == 1 and name.encode() in out.stderr, f"a pipe in place of {name} is an error, and waits for nobody", out)
    os.unlink(os.path.join(case, name))
os.mkfifo(os.path.join(case, "journal.jsonl"))
r = record(w)
tap.ok(r.rc == 1 and b"journal.jsonl" in r.err, "a pipe in place of the journal is an error, and waits for nobody", r.err)

# --- without -----------------------------------------------------------------------------------------------
w = place("without")
r = record(w, "--no-case")
tap.ok(r.rc == 0 and not os.path.exists(os.path.join(w, "P.case")), "--no-case leaves it out", r.err)
r = record(w, "--strict", "--metrics", "sm__throughput.avg.pct_of_peak_sustained_elapsed")
tap.ok(r.rc == 2 and not os.path.exists(os.path.join(w, "P.case")), "and so does a run that --strict failed", r.rc, r.err)
r = tap.run("--ks-synthetic", "--packet", "q.json", "--format", "csv", cwd=w)
tap.ok(r.rc == 0 and not [n for n in os.listdir(w) if n.endswith(".case")], "without -o there is none")

# --- other inputs ------------------------------------------------------------------------------------------
w = place("others")
r = tap.run("--ks-sqlite", made.make(lambda db: db.copy(0, 1000, 4096)), "-o", "C", "--format", "csv", cwd=w)
m = json.loads(read(w, "C.case", "manifest.json"))
tap.ok(r.rc == 0 and m["verdicts"] == [{"id": "kernel_time", "status": "refused"}] and m["next_actions"]["items"][0]["code"] == "no_launch_activity",
       "a trace without kernels has one too: the refusal is the first step", r.err, m["verdicts"])
tap.run("--ks-synthetic", "-o", "P", "--format", "csv", cwd=w)
r = tap.run("-i", "P.ksreport.json", "-o", "Q", "--format", "csv", cwd=w)
a, b = (json.loads(read(w, x, "manifest.json")) for x in ("P.case", "Q.case"))
tap.ok(r.rc == 0 and all(a[k] == b[k] for k in ("verdicts", "protocol_hash", "env")), "a report that is read back decides the same", a, b)

# --- stopped at every step ---------------------------------------------------------------------------------
if not os.path.exists(SHIM):
    tap.skip("no torture.so: runs are not stopped on purpose")
else:
    w = place("stopped")
    case = os.path.join(w, "P.case")
    count = os.path.join(tap.TMP, "count")

    def under(**shim):
        return record(w, env=dict({k: str(v) for k, v in shim.items()}, LD_PRELOAD=SHIM))

    def faults(old_lines):
        bad = []
        for name in os.listdir(case) if os.path.isdir(case) else []:
            data = read(case, name)
            if name.startswith(".kernoscope-"):
                continue
            if name not in FILES or not data.endswith(b"\n") and name != "journal.jsonl":
                bad.append(f"{name} is half a file")
            if name.endswith(".json"):
                json.loads(data)
            if name == "journal.jsonl" and [x for x in data.split(b"\n")[:old_lines] if not x.endswith(b"}")]:
                bad.append("an old line of the journal is broken")
        return bad

    under(KS_T_COUNT=count)
    steps = int(read(count).split()[1])
    tap.ok(steps > 10, f"a run is {steps} steps on files")
    for what, shims in (("killed", "KS_T_KILL"), ("out of space", "KS_T_STEP")):
        bad = []
        for n in range(1, steps + 1):
            shutil.rmtree(case, ignore_errors=True)
            if n % 2 == 0:
                record(w)
            old = len(journal(case)) if n % 2 == 0 else 0
            r = under(**{shims: n})
            if shims == "KS_T_KILL" and r.rc != -signal.SIGKILL and not (old and r.rc == 0):    # a further run has fewer steps
                bad.append(f"step {n}: rc {r.rc}")
            try:
                bad += [f"step {n}: {f}" for f in faults(old)]
                again = record(w)
                if again.rc != 0:
                    bad.append(f"step {n}: the next run fails: {again.err[-200:]!r}")
                if json.loads(read(case, "journal.jsonl").split(b"\n")[-2])["rc"] != 0:
                    bad.append(f"step {n}: no line of the next run")
            except (ValueError, OSError, IndexError) as e:
                bad.append(f"step {n}: {e}")
        tap.none(bad, f"{what} at any of them, no file is half and the next run goes on")
    r = under(KS_T_TORN=1)
    tap.ok(r.rc == 0 and all(journal(case)), "writes of five bytes make whole lines", r.err)
tap.done()
