#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every JSON that the program writes, against the schema that is published for it, by another program: Python's
jsonschema. Then each schema must be able to fail: a required key taken out, a value of another type, a name that
is not in a list, a key nobody knows, at every place that the documents reach."""
import collections
import copy
import glob
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin   # noqa: E402
import made    # noqa: E402
import report  # noqa: E402
import tap     # noqa: E402
import trace   # noqa: E402

tap.need_bin()
SYSTEM = "/usr/bin/python3"
try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    if sys.executable == SYSTEM or not os.access(SYSTEM, os.X_OK):
        tap.skip_all("no Python package jsonschema here")
    os.rmdir(tap.TMP)
    os.execv(SYSTEM, [SYSTEM, "-B", os.path.abspath(__file__)])  # a package of the system is seen by its Python only

os.chdir(tap.TMP)
SMALL = 400_000  # bytes of a document that is mutated; larger ones are validated only


# --- the published schemas ---------------------------------------------------------------------------------
listed = json.loads(tap.run("schema", "--json").out)
SCHEMA, VALIDATOR = {}, {}
faults = []
for entry in listed["schemas"]:
    name = entry["name"]
    r = tap.run("schema", name)
    committed = os.path.join(tap.ROOT, "schema", name + ".schema.json")
    if not os.path.exists(committed) or open(committed, "rb").read() != r.out:
        faults.append(f"{name}: not the bytes of schema/{name}.schema.json")
    if len(r.out) != entry["bytes"] or r.rc or r.err:
        faults.append(f"{name}: {len(r.out)} bytes, rc {r.rc}, {r.err[:100]!r}")
    SCHEMA[name] = json.loads(r.out)
    Validator.check_schema(SCHEMA[name])
    VALIDATOR[name] = Validator(SCHEMA[name])
tap.none(faults, "each listed schema is printed, is the committed one, and is a schema of draft 2020-12")
tap.equal(sorted(os.path.basename(p) for p in glob.glob(os.path.join(tap.ROOT, "schema", "*"))),
          sorted(n + ".schema.json" for n in SCHEMA), "schema/ holds these and nothing else")


# --- documents ---------------------------------------------------------------------------------------------
DOCUMENTS = collections.defaultdict(list)
wrong = []


def take(name, data, label):
    """One document, or a line that says why there is none."""
    try:
        document = json.loads(data)
    except ValueError as e:
        wrong.append(f"{name}, {label}: {e}: {data[:80]!r}")
        return None
    errors = [f"{name}, {label}: {'/'.join(map(str, e.absolute_path))[:120]}: {e.message[:160]}"
              for e in list(VALIDATOR[name].iter_errors(document))[:3]]
    wrong.extend(errors)
    if len(data) <= SMALL:
        DOCUMENTS[name].append(document)
    return document


def out(name, *args, label=None, **more):
    if name not in SCHEMA:
        return None
    r = tap.run(*args, **more)
    label = label or " ".join(args)[-90:]
    if r.rc:
        wrong.append(f"{name}, {label}: rc {r.rc}: {r.err[:200]!r}")
        return None
    return take(name, r.out, label)


def trace_documents(path, full):
    out("report", "--ks-sqlite", path, "--format", "json", "--set", "full",
        *(["--ks-json-launches"] if full else []))
    out("packet", "--ks-sqlite", path, "--packet", "-")
    if full:
        out("perfetto", "--ks-sqlite", path, "--format", "perfetto", "--ks-perfetto", "t.json", "-f")


HOSTILE = [b"plain()", b"\x1b]0;x\x07", b"nul\0l", b"<b>&\"'\\\r\n\t", "\u202ebidi\u2028".encode(), b"\xff\xc0\xaf", b"x" * 70000,
           "核函数()".encode(), b"", b"   "]


def hostile():
    path = os.path.join(tap.TMP, "hostile.sqlite")
    names = {i + 1: n for i, n in enumerate(HOSTILE)}
    rows = [dict(start=1000 * i, end=1000 * i + 10 + i, demangledName=i + 1, shortName=i + 1, mangledName=i + 1)
            for i in range(len(HOSTILE))]
    trace.make(path, rows, names)
    return path


def timeline_json(source):
    """The Chrome form is chosen by the name of the file."""
    target = os.path.join(tap.TMP, "timeline.json")
    r = tap.run(*source, "--ks-perfetto", target, "-f", "--quiet")
    if r.rc == 0 and os.path.exists(target):
        take("perfetto", open(target, "rb").read(), "timeline of " + " ".join(source)[-60:])
        os.remove(target)
    elif r.rc:
        wrong.append(f"perfetto of {source}: rc {r.rc}: {r.err[:200]!r}")


TRACES = [made.make(fill, gpus=2) for fill in made.ALL]
STEPS, CHAINS = made.make(made.steps), made.make(made.chains)
HOST = hostile()
SHARED = sorted(glob.glob(os.path.join(tap.SHARED, "data", "nsys-sqlite", "*.sqlite")))

for path in TRACES + [HOST]:
    out("report", "--ks-sqlite", path, "--format", "json", "--set", "full", "--ks-json-launches")
    out("packet", "--ks-sqlite", path, "--packet", "-")
    timeline_json(["--ks-sqlite", path])
out("report", "--ks-sqlite", STEPS, "--format", "json", "--within", "10.02us..10.09us")
out("packet", "--ks-sqlite", STEPS, "--packet", "-", "--within", "10.02us..10.09us")
out("report", "--ks-sqlite", STEPS, "--format", "json", "--ks-nvtx", "overlap", "--set", "full")
out("report", "--ks-sqlite", STEPS, "--format", "json", "--ks-rule", "own:ks__trace_span_ms>0", "--ks-rule", "low_use=off",
    "--ks-rule", "gone:ks__comm_kernel_ms<1")
for redact in ("--redact", "--redact=names"):
    out("report", "--ks-sqlite", CHAINS, "--format", "json", redact)
    out("packet", "--ks-sqlite", CHAINS, "--packet", "-", redact)
    out("explain", "explain", "gpu__time_duration.sum", CHAINS, "--json", redact)
    timeline_json(["--ks-sqlite", CHAINS, redact])
out("report", "--ks-synthetic", "--format", "json", "--ks-json-launches", "--set", "full")
out("report", "--ks-synthetic", "--format", "json", "--lang", "zh")
with open(os.path.join(tap.TMP, "k.cubin"), "wb") as f:
    f.write(cubin.elf(80, [cubin.kernel("k"), cubin.kernel("d", entry=False)]))
with open(os.path.join(tap.TMP, "odd.fatbin"), "wb") as f:
    f.write(cubin.fatbin([cubin.member(80, cubin.elf(80, [cubin.kernel("k")]), flags=0xa011, plain=9)]))
for code in ("k.cubin", "odd.fatbin"):
    out("report", "--ks-cubin", os.path.join(tap.TMP, code), "--format", "json", "--set", "full")
    out("packet", "--ks-cubin", os.path.join(tap.TMP, code), "--packet", "-")
out("report", "--ks-sqlite", CHAINS, "--ks-cubin", os.path.join(tap.TMP, "k.cubin"), "--format", "json", "--set", "full")
TELEMETRY = ["# TYPE DCGM_FI_PROF_PCIE_TX_BYTES counter", 'DCGM_FI_PROF_PCIE_TX_BYTES{gpu="0"} 5', 'DCGM_FI_DEV_POWER_USAGE{gpu="0"} 71.5',
             'DCGM_FI_DEV_POWER_USAGE{gpu="0"} 72', 'DCGM_FI_DEV_FB_USED{gpu="0",GPU_I_ID="3"} NaN', "DCGM_FI_DEV_NEW_THING 1", "no line of it", ""]
SECTIONS = ["#" * 20, "# idle :: query", "# $ nvidia-smi --query-gpu=index,power.draw --format=csv", "#" * 20, "index, power.draw [W]", "0, 10 W",
            "#" * 20, "# idle :: dmon", "# $ nvidia-smi dmon", "#" * 20, "x", ""]
for name, lines in (("node.prom", TELEMETRY), ("capture.txt", SECTIONS)):
    with open(name, "w") as f:
        f.write("\n".join(lines))
    out("report", "--ks-synthetic", "--ks-telemetry", name, "--format", "json")
    out("report", "--ks-telemetry", name, "--format", "json")
out("report", "--ks-synthetic", "--ks-telemetry", "none.prom", "--format", "json")
out("packet", "--ks-synthetic", "--packet", "-")
out("packet", "--ks-synthetic", "--packet", "-", "--lang", "zh")
timeline_json(["--ks-synthetic"])
timeline_json(["--ks-synthetic", "--ks-timeline-limit", "3"])
tap.none(wrong, "reports, packets and timelines of made and hostile traces")

wrong.clear()
if SHARED:
    for i, path in enumerate(SHARED):
        if "not_nsys" in path:
            continue
        out("packet", "--ks-sqlite", path, "--packet", "-")
        if os.path.getsize(path) < 8_000_000:
            out("report", "--ks-sqlite", path, "--format", "json", "--set", "full")
        if i % 6 == 0 and os.path.getsize(path) < 2_000_000:
            timeline_json(["--ks-sqlite", path])
    tap.none(wrong, f"the same of {len(SHARED)} real exports")
else:
    tap.skip("no shared/data here")

# our own reports, read again, and reports of the original with what only they hold
wrong.clear()
for source in (["--ks-synthetic"], ["--ks-sqlite", CHAINS], ["--ks-sqlite", HOST]):
    tap.run(*source, "-o", "again", "-f", "--ks-perfetto", "none", "--quiet", "--no-case", "--packet", "again.packet.json")
    take("packet", open("again.packet.json", "rb").read(), "a packet beside its report")
    out("report", "-i", "again.ksreport.json", "--format", "json")
    out("packet", "-i", "again.ksreport.json", "--packet", "-")
    out("explain", "explain", "gpu__time_duration.sum", "again.ksreport.json", "--json")


def full_of_decisions(codes):
    """A report of the original with more decisions and refusals than a packet has room for."""
    r = report.Report(kernels={f"kernel_{i}": 1000000 + i for i in range(12)})
    r.meta["clock_lock"] = {"state": "locked", "source": "s", "min_mhz": 1, "max_mhz": 1, "note": ""}
    r.meta["calibration"] = "profile.json:8fd9"
    r.meta["memtrace"] = {"name": "t.txt", "sha256": "ab" * 32}
    r.meta["selfcheck"] = {"band": {"dram_bytes_pct": {"lo": -2.5, "hi": 9.5}}, "mdd": {"dram_bytes_pct": 5.5, "kernel_time_pct": 0.75}}
    r.meta["degraded"] = "device-only"
    r.meta["environment_refusals"] = [
        {"code": c, "message": "m" * 200, "severity": "blocking", "observed": {"n": 1}, "threshold": {"n": 2},
         "remedy": {"action": "do " + "x" * 90, "command": "", "cost_s": None, "cost_kind": "manual", "then_answers": []}}
        for c in codes[:10]]
    for i, c in enumerate(codes):
        r.refuse(f"kernel_{i % 12}", f"est__made_up_{i}", c, "because " + "y" * 100)
    for name, value in (("est__dram_bytes_total", 1e9), ("est__dram_bytes_per_launch", 1e8), ("est__roofline_pct", 40.0),
                        ("ks__window_coverage_pct", 10.0), ("est__dram_throughput_pct_of_peak", 140.0)):
        r.row("kernel_11", name, value, "estimated")
    r.write("original.ksreport.json")


CODES = SCHEMA["packet"]["$defs"]["code"]["enum"]
for some in (CODES[:4], CODES[:40], CODES, ["code_of_another_version"]):
    full_of_decisions(some)
    out("report", "-i", "original.ksreport.json", "--format", "json")
    out("packet", "-i", "original.ksreport.json", "--packet", "-")
for path in sorted(glob.glob(os.path.join(tap.SHARED, "data", "rtx4090-runs", "*.ksreport.json"))):
    out("report", "-i", path, "--format", "json")
    out("packet", "-i", path, "--packet", "-")
tap.none(wrong, "reports that were read again, of this program and of the original")

# reports with pieces changed at random: what is accepted gives a packet that its schema accepts, in its size, with
# an entry for every code it cites
SEED = int(os.environ.get("KS_SEED", "5"))
VALUES = (None, True, -1, 0, 0.5, 1e308, -1e-300, 2**63 - 1, "", "x" * 5000, "\u202e\u0000<&\"", [], {}, [[]], "no_such_code")


def changed(rng, document):
    """A copy with one to four values replaced, taken out or repeated."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 4)):
        node = document
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(node[key], (dict, list)) and node[key] and rng.random() < 0.85:
                node = node[key]
                continue
            what = rng.random()
            if what < 0.7:
                node[key] = rng.choice(VALUES)
            elif what < 0.85:
                del node[key]
            elif isinstance(node, list):
                node.extend([node[key]] * rng.randint(1, 30))
            break
    return document


def cited(packet):
    codes = set(packet["env"]["blocked_by"]) | {u["code"] for u in packet["unmeasured"]}
    codes |= {v["refusal"]["code"] for v in packet["verdicts"] if "refusal" in v}
    codes |= {n["code"] for n in packet.get("next", []) if "code" in n}
    return codes | {e["code"] for e in packet.get("environment_refusals", [])}


wrong.clear()
rng = random.Random(SEED)
full_of_decisions(CODES[:12])
bases = [json.load(open("original.ksreport.json")), json.load(open("again.ksreport.json"))]
accepted = 0
for i in range(160):
    with open("changed.ksreport.json", "w") as f:
        json.dump(changed(rng, bases[i % 2]), f)
    r = tap.run("-i", "changed.ksreport.json", "--packet", "-")
    if r.rc not in (0, 1, 2) or (r.rc and r.out):
        wrong.append(f"change {i}: rc {r.rc}: {r.err[:200]!r}")
    if r.rc:
        continue
    accepted += 1
    packet = json.loads(r.out)
    wrong += [f"change {i}: {e.message[:160]}" for e in list(VALIDATOR["packet"].iter_errors(packet))[:2]]
    known = set(packet["refusals"]) | set(packet.get("refusals_omitted", {}).get("codes", []))
    if cited(packet) - known:
        wrong.append(f"change {i}: nothing is said about {sorted(cited(packet) - known)}")
    if len(r.out.rstrip(b"\n")) > 4096:
        wrong.append(f"change {i}: {len(r.out)} bytes")
print(f"# seed {SEED}: {accepted} of 160 changed reports were accepted")
tap.none(wrong + ([] if accepted > 20 else ["hardly any was accepted"]), "packets of reports that were changed at random")

wrong.clear()
METRICS = ("gpu__time_duration.sum", "ks__launch_time_mean", "ks__theoretical_occupancy_pct", "ks__device_0__busy_ms",
           "ks__launch_time_median", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "ks__launch_time_mean@regex:k")
seen = 0
for path in (CHAINS, STEPS):
    for metric in METRICS:
        r = tap.run("explain", metric, path, "--json")
        if r.rc == 0:
            seen += 1
            take("explain", r.out, f"{metric} of {os.path.basename(path)}")
        else:
            take("error", r.err, f"explain {metric}")
for row in ("ks__launch_count", "est__dram_bytes_total", "ks__l2_status"):
    r = tap.run("explain", row, "--ks-synthetic", "--json")
    take("explain" if r.rc == 0 else "error", r.out if r.rc == 0 else r.err, f"explain {row}")
tap.none(wrong + ([] if seen >= 6 else [f"only {seen} explanations"]), "explanations of values and of refusals")

wrong.clear()
open("broken.sqlite", "wb").write(b"SQLite format 3\0" + b"\xff" * 3000)
open("text.json", "w").write('{"schema_version": 1, "kernels": [')
for args in (["--ks-sqlite", "nowhere.sqlite", "--format", "json"], ["--ks-sqlite", "broken.sqlite", "--format", "json"],
             ["-i", "text.json", "--format", "json"], ["explain", "nothing", CHAINS, "--json"],
             ["explain", "--json"], ["--ks-sqlite", STEPS, "--format", "json", "-k", "none such"]):
    r = tap.run(*args)
    if r.rc == 0 or r.out:
        wrong.append(f"{args}: rc {r.rc}, {r.out[:60]!r}")
    lines = r.err.splitlines()
    take("error", lines[-1] if lines else b"", " ".join(args)[-80:])
tap.none(wrong, "an error where the result is JSON is one such line")

# everything else that writes JSON; a command that a schema belongs to and that is not here is a fault
wrong.clear()
REFUSED = ["counters_denied", "no_kernels", "inconsistent_evidence"]
PLANS = [["--ks-synthetic"], ["--ks-synthetic", "--ks-telemetry", "http://127.0.0.1:9/metrics"], ["--ks-sqlite", CHAINS, "-o", "planned", "--packet", "p.json"], ["report", CHAINS],
         ["-i", "again.ksreport.json", "--log-file", "l.txt"], ["--ks-nsys-rep", "run.nsys-rep"]]
SHOWN = [[i["id"], p] for p in (CHAINS, STEPS) for k in ("kernel", "copy", "range", "api", "gap")
         for i in json.loads(tap.run("find", k, p, "--json", "--limit", "2").out)["items"]]
ONES = {
    "schema-list": [["schema", "--json"], ["schema", "--list", "--json"]],
    "plan": [[*p, "--plan-json"] for p in PLANS],
    "config": [["config", "--json"], ["config", "--json", "--config", "none"]],
    "doctor": [["doctor", "--json", "--no-probe"], ["doctor", "--json", "--no-probe", "--lang", "zh"]],
    "capabilities": [["capabilities", "--json"], ["capabilities", "--json", "--lang", "zh"]],
    "capabilities-brief": [["capabilities", "--brief"]],
    "route": [["route", "which kernel is slow", "--json"], ["route", "为什么这么慢", "--json"], ["route", "xyzzy", "--json"], ["route", "a page for my boss", "--json"]],
    "route-list": [["route", "--list", "--json"]],
    "remedy": [["remedy", c, "--json"] for c in REFUSED],
    "remedy-list": [["remedy", "--json"]],
    "stats": [["stats", t, p, "--format", "json"] for t in ("cuda_gpu_kern_sum", "cuda_gpu_trace") for p in (CHAINS, STEPS)],
    "stats-list": [["stats", "--list", "--json"]],
    "show": [["show", f"kernel:-:{n}", "--ks-synthetic", "--json"] for n in (1, 2, 25)] + [["show", *a, "--json"] for a in SHOWN],
    "ncu-command": [["ncu-command", *a, "--json"] for a in (["kernel:-:3", "--ks-synthetic"], ["regex:.", "--ks-synthetic"], ["regex:.", CHAINS], ["regex:.", STEPS])],
    "find": [["find", k, p, "--json", *a] for k in ("kernel", "copy", "range", "api") for p in (CHAINS, STEPS) for a in ([], ["--min-duration", "1us", "--pid", "1", "--within", "0..1s"])]
            + [["find", "gap", p, "--json"] for p in (CHAINS, STEPS)]
            + [["find", "kernel", "--ks-synthetic", "--json", "--device", "0", "--stream", "7", "--name", "synthetic_gemm"]],
}
for name, runs in ONES.items():
    for args in runs:
        out(name, *args)
# a machine with devices and tools, as tests/cli/doctor.t makes it
def made_up_machine():
    for folder in ("bin", "lib"):
        os.makedirs(folder, exist_ok=True)
    for tool in ("nsys", "cuobjdump", "nvdisasm", "nvidia-smi", "ncu"):
        with open(os.path.join("bin", tool), "w") as f:
            f.write("#!/bin/sh\nexit 0\n")
        os.chmod(os.path.join("bin", tool), 0o755)
    for source, library in (("nvml.c", "libnvidia-ml.so.1"), ("cuda.c", "libcuda.so.1")):
        path = os.path.join(tap.ROOT, "tests", "fixtures", "fake", source)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", os.path.join("lib", library), path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    open("params", "w").write("RmProfilingAdminOnly: 1\n")
    return {"PATH": f"{tap.TMP}/bin:/usr/bin:/bin", "LD_LIBRARY_PATH": f"{tap.TMP}/lib", "KS_NV_PARAMS": f"{tap.TMP}/params"}


try:
    machine = made_up_machine()
except (OSError, subprocess.CalledProcessError):
    machine = None
if machine and "doctor" in SCHEMA:
    out("doctor", "doctor", "--json", env=machine, label="doctor on a machine with devices")
    out("capabilities", "capabilities", "--json", env=machine, label="capabilities there")
    out("capabilities-brief", "capabilities", "--brief", env=machine, label="the same in brief")
r = tap.run("route", "--json")
take("route-error", r.out, "route without a question")
take("error", r.err, "the same on stderr")
tap.run("--ks-synthetic", "--export-name-map", "map.json", "-f", "--quiet")
take("name-map", open("map.json", "rb").read(), "--export-name-map")
if "case-manifest" in SCHEMA:
    os.mkdir("folder")
    for source in (["--ks-synthetic"], ["--ks-sqlite", CHAINS], ["--ks-sqlite", HOST]):
        r = tap.run(*source, "-o", "folder/run", "-f", "--quiet", "--packet", "folder/p.json")
        if r.rc or not os.path.isdir("folder/run.case"):
            wrong.append(f"no case directory of {source}: rc {r.rc}, {r.err[:200]!r}")
            continue
        take("case-manifest", open("folder/run.case/manifest.json", "rb").read(), "manifest.json")
        take("case-env", open("folder/run.case/env.json", "rb").read(), "env.json")
        for line in open("folder/run.case/journal.jsonl", "rb"):
            take("case-journal-line", line, "journal.jsonl")
tap.none(wrong, "what other commands and files hold")
tap.equal(sorted(n for n in SCHEMA if not DOCUMENTS[n]), [], "every schema had a document to judge")


# --- every schema can fail ---------------------------------------------------------------------------------
ALIEN = {"alien": [1]}  # of no scalar type; arrays and objects get a number


def resolved(schema, root):
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


class Mutator:
    """Walks a document along its schema; each place is changed once, at the first document that reaches it."""

    def __init__(self, root):
        self.root, self.seen, self.made, self.passed = root, set(), 0, []
        self.places = set()
        self.all = set()
        self.count_places(root, "")

    def count_places(self, schema, where, depth=0):
        schema = resolved(schema, self.root)
        if depth > 24:
            return
        self.all.add(where)
        for key, value in schema.get("properties", {}).items():
            self.count_places(value, f"{where}.{key}", depth + 1)
        for part in ("items", "additionalProperties"):
            if isinstance(schema.get(part), dict):
                if where.count("[]") < 6:
                    self.count_places(schema[part], where + "[]", depth + 1)

    def reject(self, schema, value, where, what):
        self.made += 1
        if Validator(dict(schema, **{"$defs": self.root.get("$defs", {})})).is_valid(value):
            self.passed.append(f"{where or '(root)'}: {what}")

    def walk(self, schema, value, where):
        raw, schema = schema, resolved(schema, self.root)
        self.places.add(where)
        first = where not in self.seen
        self.seen.add(where)
        if first and schema.get("title") != "anything":
            self.types(raw, schema, value, where)
        if isinstance(value, dict) and "properties" in schema or isinstance(schema.get("additionalProperties"), dict):
            self.object(schema, value, where, first)
        elif isinstance(value, list) and isinstance(schema.get("items"), dict):
            for item in value[:40]:
                self.walk(schema["items"], item, where + "[]")

    def types(self, raw, schema, value, where):
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        self.reject(raw, 7.5 if "object" in kinds and "number" not in kinds else ALIEN, where, "a value of another type")
        if "string" in kinds and "number" not in kinds:
            self.reject(raw, 12, where, "a number for a text")
        if "enum" in schema or "const" in schema:
            self.reject(raw, "no such name", where, "a name that is not in the list")
        if "integer" in kinds and "number" not in kinds:
            self.reject(raw, 0.5, where, "half of a whole number")
        if schema.get("minimum") == 0:
            self.reject(raw, -1, where, "less than none")
        if "null" not in kinds and kinds:
            self.reject(raw, None, where, "null")

    def object(self, schema, value, where, first):
        if not isinstance(value, dict):
            return
        if first:
            for key in schema.get("required", []):
                less = copy.copy(value)
                if key in less:
                    del less[key]
                    self.reject(schema, less, where, f"without {key}")
            if schema.get("additionalProperties") is False:
                self.reject(schema, dict(value, alien=1), where, "with a key nobody knows")
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                self.walk(schema["properties"][key], inner, f"{where}.{key}")
            elif isinstance(schema.get("additionalProperties"), dict):
                self.walk(schema["additionalProperties"], inner, where + "[]")


# keys that no document here has, by their beginning, and what they wait for
UNSEEN = {
    "capabilities-brief.": "a machine on which some questions are answered weakly, or too much to say in one line",
    "capabilities.answers[].weak_because": "the same",
    "doctor.": "a machine with devices, where there is no compiler to make one up",
    "explain.": "lineage deeper or more tangled than that of these metrics",
    "packet.cost.over_budget": "nothing: a packet of a report can always be made small enough",
    "packet.environment_refusals_more.": "more codes than are listed",
    "packet.refusals_omitted.": "more codes than are listed",
    "packet.verdicts_more": "more than ten decisions",
    "packet.verdicts[].refusal.threshold": "a decision refused at a threshold",
    "report.kernels[].sections[].metrics[].refusal.causes": "a row refused because its inputs are",
    "report.kernels[].sections[].metrics[].refusal.rule": "numbers that contradict each other",
    "report.meta.": "settings of other runs",
    "case-journal-line.trimmed[]": "a case directory whose packet was trimmed",
}
total, passed, unseen = 0, [], []
for name in sorted(SCHEMA):
    m = Mutator(SCHEMA[name])
    for document in DOCUMENTS[name]:
        m.walk(SCHEMA[name], document, "")
    total += m.made
    passed += [f"{name}: {p}" for p in m.passed]
    unseen += [f"{name}{p}" for p in sorted(m.all - m.places)]
tap.none(passed, "every change that breaks a document is noticed")
tap.ok(total > 1000, "there were many such changes", f"{total} changes")
unseen = [u for u in unseen if not any(u.startswith(known) for known in UNSEEN)]
if SHARED:
    tap.none(unseen, "every key of a schema was seen in some document, or it is known what it waits for")
else:
    tap.skip("no shared/data here: not every key can be seen")
print(f"# {total} changes, {sum(map(len, DOCUMENTS.values()))} documents of {len(SCHEMA)} schemas")
tap.done()
