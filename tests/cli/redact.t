#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--redact on an export of our own making with a secret in every text that is read, on its report read
back, and in messages. Hashes are those of Python's hashlib and hmac."""
import csv
import hashlib
import hmac
import io
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import redaction  # noqa: E402
import tap  # noqa: E402

USER, HOST = "zoefischer", "gpunode17"
HOME = "/" + "home/" + USER
PATHS = [HOME + "/secretmodel/train.py", "/data/tenant9/weights.bin", "C:\\Users\\zoefischer\\x.cu"]
ADDRESSES = ["10.77.3.9", "2001:db8::9a", "00:1b:44:11:3a:b7", "zoefischer@corp.example", "https://corp.example/run/7"]
IDS = ["7fe06e87-5166-47d7-c8b8-437082124e19", "0000:5e:00.0"]
LINE = ["--customer=tenant9", "swordfish-2000"]
NAMES = ["secretgemm", "secretphase", "secretdomain", "secretframe", "secretthread", "secretprocess", "secretlib"]


def plant(path):
    db = export.Export(path, 0)
    db.row("TARGET_INFO_GPU", busLocation=IDS[1])
    db.db.execute("alter table TARGET_INFO_GPU add column uuid")
    db.db.execute("update TARGET_INFO_GPU set uuid = ?", (IDS[0],))
    db.db.execute("create table META_DATA_CAPTURE (name text, value text)")
    db.db.executemany("insert into META_DATA_CAPTURE values (?, ?)", [
        ("DEVICE_DISPLAY_NAME", HOST), ("PROCESS_0:USER_NAME", USER), ("PROCESS_0:COMMAND", PATHS[0]),
        ("PROCESS_0:ARGUMENT_0", LINE[0]), ("PROCESS_0:ENVIRONMENT_VARIABLE", f'TOKEN="{LINE[1]}"'),
        ("CAPTURE_EVENT_TYPE", "Cuda")])
    db.db.execute("create table TARGET_INFO_SYSTEM_ENV (globalVid, devStateName, name, nameEnum, value)")
    db.db.execute("insert into TARGET_INFO_SYSTEM_ENV values (1, 'x', 'Hostname', 1, ?)", (HOST,))
    db.db.execute("create table DIAGNOSTIC_EVENT (timestamp, source, severity, text, globalPid)")
    for text in PATHS + ADDRESSES + [HOST, USER, LINE[0], LINE[1], f"{HOST}: {IDS[0]} at {IDS[1]}"]:
        db.db.execute("insert into DIAGNOSTIC_EVENT values (0, 1, 3, ?, ?)", (f"see {text}, please", export.PROCESS))
    db.db.execute("create table PROCESSES (globalPid, pid, name)")
    db.db.execute("insert into PROCESSES values (?, ?, ?)",
                  (export.PROCESS, export.PID, f"/opt/{USER}/secretprocess {LINE[0]}"))
    db.db.execute(f'create table "spare {HOME}/t" (x)')
    db.row("ThreadNames", nameId=db.text(f"secretthread {HOST} 10.77.3.9"))
    db.domain(1, "secretdomain")
    db.nvtx(0, 9500, f"secretphase {PATHS[0]}")
    db.nvtx(100, 4000, f"secretphase {PATHS[1]}", domainId=1)
    db.nvtx(200, 300, "ncclAllReduce")
    for i in range(4):
        db.nvtx(1000 * i, 1000 * i + 900, f"step {i}")
        db.launch(1000 * i + 10, 6000 + 100 * i, 6050 + 100 * i, f"secretgemm<{i % 2}>(float*)", i + 1)
    db.call(9000, 9010, "cudaLaunchKernel_v7000", 9, callchainId=1)
    db.kernel(9100, 9200, "secretgemm<7>(float*)", correlationId=9)
    frames = [("cudaLaunchKernel", "/usr/lib/libcudart.so.12"), ("secretframe(int)", HOME + "/secretlib.so"),
              ("main", HOME + "/secretlib.so")]
    for depth, (symbol, module) in enumerate(frames):
        db.row("CUDA_CALLCHAINS", id=1, symbol=db.text(symbol), module=db.text(module), stackDepth=depth)
    db.copy(7000, 7100, 4096)
    db.close()


def hashed(name, key=b""):
    name = name.encode()
    return (hmac.new(key, name, hashlib.sha256) if key else hashlib.sha256(name)).hexdigest()[:12]


def kernels(report):
    return {k["name"]: k for k in report["kernels"] if k["name"] != "(device)"}


def report_of(source, *options, **more):
    return json.loads(tap.run(*source, "--format", "json", "--set", "full", *options, **more).out)


def every_output(trace):
    who = set([USER, HOST, os.path.basename(trace), trace, "corp.example", "tenant9"] + PATHS + ADDRESSES + IDS + LINE)
    own = b"".join(redaction.outputs(None, source="--ks-synthetic").values())
    plain = redaction.outputs(trace)
    there = {s for s in who | set(NAMES) if redaction.leaks(plain, {s}, own)}
    tap.none(sorted(set(PATHS + ADDRESSES + IDS + NAMES + [USER, HOST] + LINE) - there),
             "without --redact each secret stands in some output")
    redacted = redaction.outputs(trace, "--redact")
    tap.none(redaction.leaks(redacted, who, own), "--redact: none of who, where and how it was called")
    everything = b"".join(redacted.values())
    tap.none([n for n in ("secretgemm", "secretphase", "secretdomain", "secretframe", "secretthread")
              if n.encode() not in everything], "names of the program stay")
    both = redaction.outputs(trace, "--redact=names")
    tap.none(redaction.leaks(both, who | set(NAMES), own), "--redact=names: no name either")
    folder = os.path.join(tap.TMP, "keep")
    os.makedirs(folder)
    saved = os.path.join(folder, "zoefischer.ksreport.json")
    with open(saved, "wb") as f:
        f.write(plain["r.ksreport.json"])
    tap.none(redaction.leaks(redaction.reread(saved, "--redact"), who | {saved}, own), "a report read back: the same")
    tap.none(redaction.leaks(redaction.reread(saved, "--redact=names"), who | set(NAMES) | {saved}, own),
             "a report read back: no name either")
    return saved


def hashes(trace, saved):
    plain, both = report_of(("--ks-sqlite", trace)), report_of(("--ks-sqlite", trace), "--redact=names")
    want = {"kernel_" + hashed(n): (k["launch_count"], k["total_ns"]) for n, k in kernels(plain).items()}
    tap.equal({n: (k["launch_count"], k["total_ns"]) for n, k in kernels(both).items()}, want,
              "each kernel is called by the hash of its full name")
    tap.equal({k["function"] for k in kernels(both).values()}, {"kernel_" + hashed("secretgemm")},
              "and its function by that of the function's")
    text = tap.run("--ks-sqlite", trace, "--print-details", "all", "--redact=names").out.decode()
    tap.ok(text.split(" takes ")[0] in want, "the headline calls a kernel as every table does", text[:120])
    gaps = {m for line in re.findall(r"after .*, before .*", text) for m in re.findall(r"kernel_[0-9a-f]{12}", line)}
    tap.ok(gaps <= set(want), "and so do the idle gaps", sorted(gaps - set(want)))
    one = tap.run("--ks-sqlite", trace, "--redact=names", "-k", text.split(" takes ")[0], "--csv")
    tap.equal(one.rc, 0, "-k takes that name")
    again = report_of(("-i", saved), "--redact=names")
    tap.equal(set(kernels(again)), set(want), "a report read back has the same hashes")
    rows = csv.DictReader(io.StringIO(tap.run("--ks-sqlite", trace, "--csv", "--redact=names").out.decode()))
    tap.none([r for r in rows if r.get("Kernel Name", r.get("kernel", "(device)")) not in set(want) | {"(device)"}],
             "and so has the CSV")
    phases = {p["name"] for p in both["timeline"]["nvtx"]["phases"]}
    tap.none(sorted({"range_" + hashed(p["name"]) for p in plain["timeline"]["nvtx"]["phases"]} - phases),
             "ranges are called by the hashes of their names")
    key = {"KERNOSCOPE_REDACT_KEY": "sesame"}
    keyed = report_of(("--ks-sqlite", trace), "--redact=names", env=key)
    tap.equal(set(kernels(keyed)), {"kernel_" + hashed(n, b"sesame") for n in kernels(plain)},
              "a key makes it an HMAC")
    twice = report_of(("--ks-sqlite", trace), "--redact=names")
    del both["generated_at"], twice["generated_at"]
    tap.equal(twice, both, "two redacted reports of one trace are equal")
    tap.equal((both["meta"]["redacted"], "redaction" in both["sources"]), ("names", True), "the report says so")
    tap.equal(report_of(("--ks-sqlite", trace), "--redact")["meta"]["redacted"], "yes", "and whether names were left")


def choices(trace, saved):
    for source in (("--ks-sqlite", trace), ("-i", saved)):
        for choice in ("secretgemm", "regex:^secret", "kernel_" + hashed("secretgemm")):
            r = tap.run(*source, "-k", choice, "--format", "json", "--redact=names")
            got = json.loads(r.out) if r.rc == 0 else {"kernels": []}
            tap.equal((r.rc, len(kernels(got))), (0, 3) if kernels(got) else (0, -1),
                      f"{source[0]}: -k {choice} means what it means without --redact")
            tap.ok(b"secret" not in r.out + r.err, f"{source[0]}: -k {choice} is not repeated", r.out, r.err)
    r = tap.run("--ks-sqlite", trace, "--within", f"nvtx:secretphase {PATHS[0]}", "--format", "json", "--redact=names")
    tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), "--within by name works and is not repeated")
    for wrong in (["-k", "secretgem"], ["--within", "nvtx:secretphas"], ["-k", "regex:secretx("]):
        r = tap.run("--ks-sqlite", trace, *wrong, "--redact=names")
        tap.equal((r.rc != 0, b"secret" in r.out + r.err), (True, False), f"{wrong}: the error names nobody")
    r = tap.run("explain", "gpu__time_duration.sum@secretgemm", trace, "--redact=names")
    tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), "explain finds a kernel and does not repeat it")
    for table in ("cuda_gpu_kern_sum", "nvtx_sum", "cuda_gpu_trace"):
        r = tap.run("stats", table, trace, "--redact=names")
        tap.equal((r.rc, b"secret" in r.out + r.err), (0, False), f"stats {table} names nobody")


def packets(trace):
    packet = os.path.join(tap.TMP, "keep", "p.json")
    tap.run("--ks-sqlite", trace, "--packet", packet)
    r = tap.run("-i", packet)
    tap.ok(b"secretgemm" in r.out, "a packet names the kernel", r.out, r.err)
    r = tap.run("-i", packet, "--redact=names")
    tap.equal((r.rc, b"secret" in r.out + r.err, b"redacted" in r.out), (0, False, True),
              "read back with --redact=names it does not, and says so")


def messages():
    gone = HOME + "/tenant9-run.sqlite"
    for line in (["--ks-sqlite", gone, "--redact"], ["--redact", "--bogus", gone], ["--redact=nonsense", "--ks-sqlite", gone],
                 ["--redact", "-i", "tenant9-run.ksreport.json"], ["--redact", "--ks-sqlite", "tenant9-run.nsys-rep"],
                 ["explain", "gpu__time_duration.sum", gone, "--redact"], ["--redact", "./tenant9-run", "--customer=tenant9"],
                 ["--redact", "--ks-sqlite", gone, "--format", "json"]):
        r = tap.run(*line)
        tap.equal((r.rc != 0, b"tenant9" in r.err + r.out, b"zoefischer" in r.err + r.out), (True, False, False),
                  f"{' '.join(line)}: the error names no path")
    r = tap.run("--ks-sqlite", gone)
    tap.ok(gone.encode() in r.err, "without --redact it does", r.err)
    r = tap.run("--ks-sqlite", gone, env={"KERNOSCOPE_REDACT": "yes"})
    tap.equal((r.rc != 0, b"tenant9" in r.err), (True, False), "nor with KERNOSCOPE_REDACT")
    r = tap.run("--redact=")
    tap.equal(r.rc, 2, "an empty choice is a usage error")


def main():
    tap.need_bin()
    trace = os.path.join(tap.TMP, "tenant9-run.sqlite")
    plant(trace)
    saved = every_output(trace)
    hashes(trace, saved)
    choices(trace, saved)
    packets(trace)
    messages()
    tap.done()


main()
