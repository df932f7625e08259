#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--plan: what a command line says it would do, and what strace sees it do. Every file that is opened, every
program that is started and every connection is in the plan; what the plan says is written is there
afterwards; and the plan itself does nothing."""
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402

STRACE = shutil.which("strace")
SYSTEM = re.compile(r"^(/lib|/usr/lib|/etc/ld\.so|/usr/share/locale|/proc/self/maps|/proc/self/status$|/sys/devices/system/cpu|/dev/(null|tty|urandom)|"
                    r"/usr/share/zoneinfo|/etc/localtime|/proc/(sys|meminfo|stat)|/etc/nsswitch|/proc/self/exe)")
CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+|\?)")
BORN = re.compile(r"^(\d+) +(?:<\.\.\. )?(?:vfork|fork|clone3?)\b.*= (\d+)$")
HOME = os.path.join(tap.TMP, "home")
os.makedirs(HOME)
ENV = dict(os.environ, HOME=HOME, XDG_CONFIG_HOME=os.path.join(HOME, ".config"), PATH="/usr/bin:/bin", TMPDIR=tap.TMP)
for name in ("KS_TOOL_SEARCH_DIRS", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "NVBIT_PATH", "KS_CUPTI_LIB"):
    ENV.pop(name, None)


def path(name):
    return os.path.join(tap.TMP, name)


def run(*args, env=None, cwd=None):
    p = subprocess.run([tap.BIN, *args], env=dict(ENV, **(env or {})), cwd=cwd or tap.TMP, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    return p


def plan_of(args, env, cwd):
    p = run(*args, "--plan-json", env=env, cwd=cwd)
    if p.returncode != 0:
        tap.ok(False, f"{' '.join(args)} --plan-json succeeds", p.stdout[-400:], p.stderr)
        return None
    return json.loads(p.stdout)


def listed(plan, key):
    return [item for step in plan["steps"] for item in step.get(key, [])]


def traced(args, env, cwd):
    log = path("strace.log")
    p = subprocess.run([STRACE, "-f", "-q", "-s", "4096", "-o", log, "-e",
                        "trace=open,openat,creat,execve,connect,socket,rename,renameat,renameat2,mkdir,unlink,unlinkat,link,linkat,symlink,symlinkat,%process",
                        tap.BIN, *args], env=dict(ENV, **(env or {})), cwd=cwd, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=180, check=False)
    with open(log, encoding="utf-8", errors="replace") as f:
        return p, f.read().splitlines()


def absolute(p, cwd):
    return os.path.normpath(os.path.join(cwd, p))


class Allowed:
    def __init__(self, plan, cwd, env):
        self.cwd = cwd
        self.writes = {absolute(w, cwd) for w in listed(plan, "writes")}
        self.reads = [absolute(r, cwd) for r in listed(plan, "reads")]
        self.commands = [c.split()[0] for c in listed(plan, "commands")]
        self.origins = listed(plan, "network_origins")
        self.spill = any(s["id"] == "spill" for s in plan["steps"])
        self.temp = env.get("TMPDIR", tap.TMP) if env else tap.TMP

    def read(self, p):
        if SYSTEM.match(p) or any(w.endswith("kernoscope-XXXXXX") and p.startswith(w[:-6]) for w in self.writes) or os.path.basename(p).startswith(".kernoscope-"):
            return True
        for r in self.reads + sorted(self.writes):
            if "*" in r and re.match("^" + re.escape(r).replace(r"\*", "[^/]*") + "(/|$)", p):
                return True
            if p == r or p in (r + "-wal", r + "-journal", r + "-shm") or p == os.path.dirname(r) or p.startswith(r + "/"):
                return True
        return False

    def network(self, call, rest):
        """Of a listed origin, which these tests give as an address and a port."""
        parts = [o.split("//")[1].split(":") for o in self.origins]
        return bool(parts) if call == "socket" else any(f"htons({port})" in rest and f'"{host}"' in rest for host, port in parts)

    def write(self, p):
        if p in self.writes or p in ("/dev/null", "/dev/tty"):
            return True
        folder = os.path.dirname(p)
        if os.path.basename(p).startswith(".kernoscope-") and any(os.path.dirname(w) == folder for w in self.writes):
            return True
        if any(w.endswith("kernoscope-XXXXXX") and re.match(re.escape(w[:-6]) + r"\w{6}(/|$)", p) for w in self.writes):
            return True
        # folders of an output that was asked for, and the folder a nameless spill is opened in
        return any(w.startswith(p + "/") for w in self.writes) or (self.spill and (p == self.temp or folder == self.temp and ".kernoscope-" in p))


def faults(lines, plan, cwd, env):
    allow, bad = Allowed(plan, cwd, env), []
    own = lines[0].split()[0]
    children = {m.group(2) for m in map(BORN.match, lines) if m and m.group(1) == own}
    for line in lines:
        m = CALL.match(line)
        if not m:
            continue
        pid, (call, rest, result) = line.split()[0], m.groups()
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
        if call == "execve":
            if result == "0" and pid in children and os.path.basename(strings[0]) not in [os.path.basename(c) for c in allow.commands]:
                bad.append(f"starts {strings[0]}")   # what a listed program starts in turn is its own affair
            continue
        if call in ("connect", "socket"):
            if not allow.network(call, rest) and (result != "-1" or call == "connect"):
                bad.append(f"{call} {rest[:80]}")
            continue
        if result == "-1" or not strings or pid != own:
            continue   # what a child does is its own; that it is started is in the plan
        p = absolute(strings[-1] if call.startswith("rename") else strings[0], cwd)
        if call in ("open", "openat", "creat"):
            wants_write = re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE", rest) is not None
            if wants_write and not allow.write(p):
                bad.append(f"opens for writing {p}")
            elif not wants_write and not allow.read(p):
                bad.append(f"reads {p}")
        elif not allow.write(p):
            bad.append(f"{call} {p}")
    return bad


def snapshot():
    seen = {}
    for folder, _, names in os.walk(tap.TMP):
        for name in names:
            if name == "strace.log":
                continue
            full = os.path.join(folder, name)
            seen[full] = os.stat(full).st_mtime_ns
    return seen


def check(what, args, env=None, cwd=None, rc=0, never_written=()):
    cwd = cwd or tap.TMP
    before = snapshot()
    plan = plan_of(args, env, cwd)
    if plan is None:
        return
    tap.ok(snapshot() == before, f"{what}: the plan touches no file")
    keys = {"id", "label", "target", "detail", "external", "effects", "annotations"}
    shape = all(keys <= set(s) and len(s["effects"]) == 8 and len(s["annotations"]) == 4 for s in plan["steps"])
    needs = any(s["effects"][e] for s in plan["steps"] for e in ("writes_filesystem", "may_discard_data", "mutates_target"))
    tap.ok(shape and plan["requires_approval"] == needs, f"{what}: the plan has its keys and says whether consent is needed")
    if STRACE is None:
        tap.skip("strace is not here")
        return
    p, lines = traced(args, env, cwd)
    if not lines:
        tap.skip("strace may not trace here")
        return
    bad = faults(lines, plan, cwd, env)
    if p.returncode != rc:
        bad.append(f"exit {p.returncode}, expected {rc}: {p.stderr[-300:]!r}")
    for w in listed(plan, "writes"):
        if not w.endswith("XXXXXX") and w not in never_written and not os.path.exists(absolute(w, cwd)):
            bad.append(f"says it writes {w}, which is not there")
    opened = "\n".join(lines)
    for step in plan["steps"]:
        for r in step.get("reads", []):
            if step["id"] == "read_inputs" and f'"{r}"' not in opened:
                bad.append(f"says it reads {r}, and does not")
    tap.none(bad, f"{what}: does what the plan says and nothing else")


trace = made.make(made.copies)
report = path("kept")
run("--ks-sqlite", trace, "-o", report, "--packet", path("kept.packet.json"), "--no-case")

# --- the main command --------------------------------------------------------------------------------------
check("a trace, text", ["--ks-sqlite", trace])
check("the synthetic trace", ["--ks-synthetic"])
check("every file of -o", ["--ks-sqlite", trace, "-o", path("all"), "--launch-csv", "--packet", path("all.packet.json"), "--html", path("all.html"),
                           "--report-md", path("all.md"), "--export-name-map", path("all.csv"), "--log-file", path("all.log")])
check("the same again with -f", ["--ks-sqlite", trace, "-o", path("all"), "-f", "--launch-csv", "--packet", path("all.packet.json")])
check("-o into folders that are not there", ["--ks-sqlite", trace, "-o", path("new/deep/run")])
check("without a case directory", ["--ks-sqlite", trace, "-o", path("bare"), "--no-case", "--ks-perfetto", "none"])
check("a timeline elsewhere", ["--ks-sqlite", trace, "-o", path("else"), "--no-case", "--ks-perfetto", path("elsewhere.json")])
for form in ("screen", "json", "csv", "svg", "timeline-svg", "histogram-svg", "occupancy-svg", "occupancy-csv", "folded", "nvtx-csv",
             "perfetto", "html", "md"):
    check(f"--format {form}", ["--ks-sqlite", trace, "--format", form])
check("a report again", ["-i", report + ".ksreport.json", "-o", path("again")])
check("a packet again", ["-i", path("kept.packet.json")])
with open(path("selfcheck.json"), "w", encoding="utf-8") as f:
    f.write('{"ok": true, "mdd": {"kernel_time_pct": 1.5}}')
check("a trace with a self-test", ["--ks-sqlite", trace, "--ks-selfcheck", path("selfcheck.json")])
with open(path("node.prom"), "w", encoding="utf-8") as f:
    f.write('DCGM_FI_DEV_POWER_USAGE{gpu="0"} 71.5\n')
check("telemetry in a file", ["--ks-sqlite", trace, "--ks-telemetry", path("node.prom")])
check("telemetry alone", ["--ks-telemetry", path("node.prom")])
with socket.socket() as s:  # nobody listens: the port is taken and not served
    s.bind(("127.0.0.1", 0))
    check("telemetry by URL", ["--ks-sqlite", trace, "--ks-telemetry", f"http://127.0.0.1:{s.getsockname()[1]}/metrics"])
    text = run("--ks-synthetic", "--ks-telemetry", f"http://127.0.0.1:{s.getsockname()[1]}/metrics", "--plan").stdout
    tap.ok(b"uses the network" in text, "the plan in words names the network", text)
check("report FILE", ["report", trace])
check("a relative name", ["--ks-sqlite", os.path.basename(trace), "-o", "rel"], cwd=tap.TMP)
check("the name map alone", ["--export-name-map", path("map.json")])

# --- a native file: the plan names the program that will be run --------------------------------------------------
tools = path("tools")
os.makedirs(tools)
with open(os.path.join(tools, "nsys"), "w", encoding="utf-8") as f:
    f.write(f"""#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -o) out=$2; shift ;; esac; shift; done
cp '{trace}' "$out"
""")
os.chmod(os.path.join(tools, "nsys"), 0o755)
with open(path("run.nsys-rep"), "wb") as f:
    f.write(b"NVIDIA Tegra Profiler Report " + bytes(64))
with_tools = {"PATH": tools + ":/usr/bin:/bin"}
check("a native report", ["--ks-nsys-rep", path("run.nsys-rep")], env=with_tools)
p = run("--ks-nsys-rep", path("run.nsys-rep"), "--plan", env=with_tools)
tap.ok(b"nsys export" in p.stdout, "the plan in words names the program", p.stdout)

# --- device code: the file, and the disassembler where one is and a section needs it -----------------------------
with open(path("k.cubin"), "wb") as f:
    f.write(cubin.elf(80, [cubin.kernel("k")]))
code = ["--ks-cubin", path("k.cubin")]
check("device code without a disassembler", code)
for tool, text in (("cuobjdump", "exit 1"), ("nvdisasm", "printf '.target sm_80\\n.text.k:\\n/*0000*/ EXIT ;\\n'")):
    with open(os.path.join(tools, tool), "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\n{text}\n")
    os.chmod(os.path.join(tools, tool), 0o755)
check("device code with two of them", code, env=with_tools)
check("device code beside a trace", ["--ks-sqlite", trace, *code, "-o", path("code")], env=with_tools)
check("device code without its instructions", [*code, "--set", "basic"], env=with_tools)
p = run(*code, "--plan", env=with_tools)
tap.ok(b"cuobjdump -sass" in p.stdout, "the plan in words names the disassembler", p.stdout)

# --- the other commands -----------------------------------------------------------------------------------------
check("explain", ["explain", "gpu__time_duration.sum", trace])
check("explain a report", ["explain", "gpu__time_duration.sum", report + ".ksreport.json"])
check("stats", ["stats", "cuda_gpu_kern_sum", trace])
check("stats --list", ["stats", "--list"])
check("find", ["find", "kernel", trace])
check("show", ["show", "kernel:-:1", "--ks-synthetic"])
check("ncu-command", ["ncu-command", "kernel:-:1", "--ks-synthetic"])
check("remedy", ["remedy", "no_price"])
check("route", ["route", "which kernel is slow"])
check("capabilities", ["capabilities"])
check("capabilities into a file", ["capabilities", "--json", "-o", path("cap.json")])
check("capabilities, brief, into a file", ["capabilities", "--brief", "--out", path("brief.json")])
check("doctor without a probe", ["doctor", "--no-probe"])
with open(os.path.join(tools, "ncu"), "w", encoding="utf-8") as f:
    f.write("#!/bin/sh\necho ERR_NVGPUCTRPERM; exit 1\n")
os.chmod(os.path.join(tools, "ncu"), 0o755)
check("doctor with its probe", ["doctor"], env=with_tools)
check("schema", ["schema", "packet"])
check("completion", ["completion", "bash"])
check("config", ["config"])
check("config KEY VALUE", ["config", "lang", "en"])

# --- words -----------------------------------------------------------------------------------------------------------
p = run("--plan", "doctor")
tap.ok(p.returncode == 2 and b"kernoscope doctor --plan" in p.stderr, "--plan before a command says where it belongs", p.stderr)
p = run("--plan", "--", "doctor")
tap.ok(b"doctor --plan" not in p.stderr, "behind -- a command's name is a program", p.stderr)
p = run("--ks-sqlite", trace, "--plan")
tap.ok(p.returncode == 0 and b"changes nothing" in p.stdout and b"Nothing was done" in p.stdout, "a harmless plan says so", p.stdout)
p = run("--ks-sqlite", trace, "-o", path("x"), "--plan", "--lang", "zh")
tap.ok("写入结果" in p.stdout.decode() or "写出结果" in p.stdout.decode(), "the plan speaks Chinese", p.stdout)
plan = json.loads(run("--ks-sqlite", trace, "-o", path("x"), "--plan-json", "--lang", "zh").stdout)
tap.equal([s["id"] for s in plan["steps"]], [s["id"] for s in json.loads(run("--ks-sqlite", trace, "-o", path("x"), "--plan-json").stdout)["steps"]],
          "ids are the same in every language")
kept = json.loads(run("--ks-sqlite", trace, "-o", path("x"), "--plan-json").stdout)
forced = json.loads(run("--ks-sqlite", trace, "-o", path("x"), "-f", "--plan-json").stdout)
discards = [[s["annotations"]["destructive_hint"] for s in p["steps"] if s["id"] == "write_outputs"] for p in (kept, forced)]
tap.equal(discards, [[False], [True]], "only -f can replace a file, and only then is that an effect")
p = run("--plan")
tap.ok(p.returncode != 0 and p.stderr, "a plan of nothing is an error", p.stderr)
tap.done()
