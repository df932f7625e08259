#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`--ks-cubin` alone on every file of ../shared/data/cubin, against what NVIDIA's cuobjdump said of it
(NAME.expected.json), and on two files that cuobjdump cannot read, against a second reader below. Where nvcc is
here, on a library with several containers as well: ptxas -v is the judge, and cuobjdump where it is found."""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "cubin")
NO_TOOLS = dict(PATH="/usr/bin:/bin", KS_TOOL_SEARCH_DIRS="")
KEYS = {"reg": "ks__cubin_registers_per_thread", "stack": "ks__cubin_stack_bytes", "shared": "ks__cubin_shared_bytes",
        "local": "ks__cubin_local_bytes", "const": "ks__cubin_constant_bytes", "bar": "ks__cubin_barriers"}


def report(path, *args, env=None):
    out = os.path.join(tap.TMP, "r")
    r = tap.run("--quiet", "--ks-cubin", path, "--force-overwrite", "--no-case", "-o", out, *args, env=env)
    if r.rc != 0:
        return None, r
    with open(out + ".ksreport.json", encoding="utf-8") as f:
        return json.load(f), r


def rows(kernel):
    return {m["name"]: m for s in kernel["sections"] for m in s["metrics"]}


def functions(doc):
    """(symbol, architecture) -> rows."""
    found = {}
    for k in doc["kernels"][:-1]:
        got = rows(k)
        found.setdefault((k["mangled"], got["ks__cubin_arch"]["value"]), []).append((k, got))
    return found


def value(got, key):
    return got[KEYS[key]]["value"]


def counts(doc):
    return {n[len("ks__code_"):]: m["value"] for n, m in rows(doc["kernels"][-1]).items() if n.startswith("ks__code_")}


# --- what cuobjdump said ---------------------------------------------------------------------------

def differences(expected, found):
    """Kernels are those that have a constant bank."""
    bad = []
    kernels = [f for f in expected["functions"] if "0" in f["constants"]]
    for f in kernels or expected["functions"]:
        same = [v for (name, arch), v in found.items() if name == f["function"] and f["arch"] in (None, arch)]
        if len(same) != 1 or len(same[0]) != 1:
            bad.append(f"{f['function']}: {len(same)} found")
            continue
        kernel, got = same[0][0]
        want = {"reg": f["reg"]}
        if kernels:
            want.update(stack=f["stack"], shared=f["shared"], local=f["local"], const=f["constants"]["0"])
        elif f["reg"] == 0:      # left to the linker: unknown, and not 0
            want = {"reg": None}
            if got[KEYS["reg"]]["refusal"]["code"] != "metric_absent":
                bad.append(f"{f['function']}: registers are not refused")
        for key, v in want.items():
            if value(got, key) != v:
                bad.append(f"{f['function']}: {key} is {value(got, key)}, cuobjdump says {v}")
        if kernel["launch_count"] != 0 or got["gpu__time_duration.sum"]["value"] is not None:
            bad.append(f"{f['function']} has a time")
    if len(found) != len(kernels or expected["functions"]):
        bad.append(f"{len(found)} are listed: {sorted(found)}")
    return bad


def check_expected(path):
    name = os.path.basename(path)
    with open(path + ".expected.json", encoding="utf-8") as f:
        expected = json.load(f)
    doc, r = report(path, env=NO_TOOLS)
    if not tap.ok(doc is not None, f"{name} is read", r.err):
        return
    found = functions(doc)
    if expected["cuobjdump_rc"] == 0:
        tap.none(differences(expected, found), f"{name}: {len(found)} functions as cuobjdump has them")
    else:
        tap.none(second_opinion(path, found), f"{name}: {len(found)} kernels as a second reader has them")
    kernels = [f for f in expected["functions"] if "0" in f["constants"]]
    if expected["cuobjdump_rc"] == 0:
        tap.equal((counts(doc)["kernels"], counts(doc)["device_functions"]),
                  (len(kernels), len(expected["functions"]) - len(kernels)), f"{name}: kernels and device functions are counted")


# --- a second reader of the format -----------------------------------------------------------------

def elf(data):
    """Sections by name: (offset, size, info, flags, type)."""
    shoff, = struct.unpack_from("<Q", data, 40)
    count, strings = struct.unpack_from("<HH", data, 60)
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(count)]
    at = raw[strings][4]
    name = [data[at + s[0]:data.index(b"\0", at + s[0])].decode() for s in raw]
    return {n: (s[4], s[5], s[7], s[2], s[1]) for n, s in zip(name, raw)}


def attributes(data, section):
    at, size = section[:2]
    end = at + size
    while at + 4 <= end:
        kind, attribute, v = struct.unpack_from("<BBH", data, at)
        at += 4
        yield attribute, data[at:at + v] if kind == 4 else v
        at += v if kind == 4 else 0


def second_reader(path):
    with open(path, "rb") as f:
        data = f.read()
    sections = elf(data)
    symtab, strtab = sections[".symtab"], sections[".strtab"]
    name, entry = {}, set()
    for i in range(symtab[1] // 24):
        text, info, other = struct.unpack_from("<IBB", data, symtab[0] + 24 * i)
        at = strtab[0] + text
        name[i] = data[at:data.index(b"\0", at)].decode()
        if info & 15 == 2 and other & 0x10:
            entry.add(name[i])
    per = {}
    for attribute, v in attributes(data, sections[".nv.info"]):
        if isinstance(v, bytes) and len(v) == 8 and attribute in (0x2f, 0x23, 0x12):
            symbol, number = struct.unpack("<II", v)
            per.setdefault(name[symbol], {})[attribute] = number
    found = {}
    for kernel in entry:
        text = sections[".text." + kernel]
        own = dict((a, v) for a, v in attributes(data, sections[".nv.info." + kernel])) if ".nv.info." + kernel in sections else {}
        a = per.get(kernel, {})
        found[kernel] = {
            "reg": a.get(0x2f, text[2] >> 24), "stack": a.get(0x23, a.get(0x12)),
            "shared": sections.get(".nv.shared." + kernel, (0, 0))[1], "local": sections.get(".nv.local." + kernel, (0, 0))[1],
            "const": sections.get(".nv.constant0." + kernel, (0, None))[1], "bar": own.get(0x4c, text[3] >> 20 & 0x7f)}
    return found


def second_opinion(path, found):
    want = second_reader(path)
    bad = [f"{len(want)} kernels and {len(found)} listed"] if len(want) != len(found) or not want else []
    for (name, arch), entries in found.items():
        got = {k: value(entries[0][1], k) for k in KEYS}
        if got != want.get(name):
            bad.append(f"{name} for {arch}: {got}, not {want.get(name)}")
    return bad


# --- a library of nvcc -----------------------------------------------------------------------------

SOURCE_A = r"""
template <typename T> __global__ void scale(T *p, T f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= f; }
__global__ void tile(const float *a, float *b) { __shared__ float s[3][256]; int t = threadIdx.x; s[0][t] = a[t]; __syncthreads();
    s[1][t] = s[0][255 - t]; asm volatile("bar.sync 5, 128;"); s[2][t] = s[1][t ^ 1]; __syncthreads(); b[t] = s[2][t] * s[0][t ^ 3]; }
__global__ void spill(float *p, int k) { float l[64]; for (int i = 0; i < 64; i++) l[i] = p[i];
    for (int i = 0; i < 64; i++) l[(i * k) & 63] += i; for (int i = 0; i < 64; i++) p[i] = l[i]; }
extern "C" void go(float *p) { scale<float><<<1, 32>>>(p, 2.f, 3); scale<double><<<1, 32>>>((double *)p, 2., 3); tile<<<1, 256>>>(p, p); spill<<<1, 1>>>(p, 3); }
"""
SOURCE_B = '__global__ void other(int *p) { atomicAdd(p, 1); }\nextern "C" void go2(int *p) { other<<<1, 1>>>(p); }\n'
MODES = {"plain": ["--compress-mode", "none"], "zstd": ["--compress-mode", "size"],
         "lz4": ["--compress-mode", "speed", "-Xfatbin", "-compress-all"]}
ARCHS = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]


def ptxas_says(text):
    """(symbol, architecture) -> registers, stack, barriers, shared bytes, of -Xptxas -v."""
    said, at = {}, None
    for line in text.splitlines():
        m = re.search(r"Compiling entry function '(\S+)' for '(\S+)'", line)
        if m:
            at = m.groups()
            said[at] = {"shared": 0}
        for key, pattern in (("stack", r"(\d+) bytes stack frame"), ("reg", r"Used (\d+) registers"), ("bar", r"used (\d+) barriers"),
                             ("shared", r"(\d+) bytes smem"), ("const", r"(\d+) bytes cmem\[0\]")):
            m = re.search(pattern, line)
            if m and at:
                said[at][key] = int(m.group(1))
    return said


def cuobjdump_says(tool, path):
    """(symbol, architecture) -> rows of -res-usage."""
    out = subprocess.run([tool, "-res-usage", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    said, arch, name = {}, None, None
    for line in out.splitlines():
        if line.startswith("arch = "):
            arch = line.split()[-1]
        m = re.match(r"\s*Function (\S+):", line)
        name = m.group(1) if m else name
        pairs = dict(re.findall(r"([A-Z]+(?:\[\d\])?):(\d+)", line)) if "REG:" in line else {}
        if pairs:
            said[(name, arch)] = {"reg": int(pairs["REG"]), "stack": int(pairs["STACK"]), "shared": int(pairs["SHARED"]),
                                  "local": int(pairs["LOCAL"]), "const": int(pairs.get("CONSTANT[0]", 0))}
    return said


def instructions(tool, path):
    """(symbol, architecture) -> mnemonics of cuobjdump -sass, by the pattern of the contract."""
    out = subprocess.run([tool, "-sass", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    listed, arch, at = {}, None, None
    for line in out.splitlines():
        arch = line.split()[-1] if "code for sm_" in line else arch
        m = re.match(r"\s*Function : (\S+)", line)
        if m:
            at = listed.setdefault((m.group(1), arch), [])
        m = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s*(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)", line)
        if m and at is not None:
            at.append(m.group(1))
    return listed


def check_mix(tool, path, found, what):
    """Totals, and the classes whose members the vectors name."""
    bad, listed = [], instructions(tool, path)
    for key, ops in listed.items():
        got = found[key][0][1]
        n = got["ks__static_sass_instructions"]["value"]
        if n != len(ops):
            bad.append(f"{key}: {n} instructions, {len(ops)} in the dump")
            continue
        share = {m[len("ks__static_sass_share_"):]: v["value"] for m, v in got.items() if m.startswith("ks__static_sass_share_")}
        if abs(sum(share.values()) - 100) > 1e-9:
            bad.append(f"{key}: the shares add up to {sum(share.values())}")
        top = got["ks__static_sass_top"]["value"].split(", ")[0].split()
        if ops.count(top[0]) != int(top[1]) or int(top[1]) != max(ops.count(o) for o in ops):
            bad.append(f"{key}: {top} is not the most frequent")
        memory = sum(re.match(r"(LD|ST|LDG|STG|LDS|STS|LDL|STL|LDC|ATOM|ATOMG|ATOMS|RED|REDG|CCTL)$", o) is not None for o in ops)
        if abs(share["memory"] - 100 * memory / len(ops)) > 1e-9:
            bad.append(f"{key}: memory is {share['memory']} %, {memory} of {len(ops)}")
    tap.none(bad, f"{what}: the instructions of {len(listed)} functions as cuobjdump -sass lists them")


def build(nvcc):
    for name, text in (("a.cu", SOURCE_A), ("b.cu", SOURCE_B)):
        with open(os.path.join(tap.TMP, name), "w", encoding="ascii") as f:
            f.write(text)
    libs, said = {}, {}
    for mode, options in MODES.items():
        so = os.path.join(tap.TMP, f"{mode}.so")
        p = subprocess.run([nvcc, "-shared", "-Xcompiler", "-fPIC", "-Xptxas", "-v", *options, *ARCHS, "a.cu", "b.cu", "-o", so], cwd=tap.TMP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if p.returncode == 0:
            libs[mode] = so
            said[mode] = ptxas_says(p.stdout.decode())
    return libs, said


def check_built(mode, path, said):
    doc, r = report(path, env=NO_TOOLS)
    if not tap.ok(doc is not None, f"nvcc, {mode}: the library is read", r.err):
        return
    found, bad = functions(doc), []
    for key, want in said.items():
        if len(found.get(key, [])) != 1:
            bad.append(f"{key}: {len(found.get(key, []))} found")
            continue
        got = found[key][0][1]
        have = {k: value(got, k) for k in want}
        reserved = 1024 if key[1] == "sm_90" and want["shared"] > 0 else 0     # what the system takes from sm_90 on
        have["shared"] -= reserved
        if have != want:
            bad.append(f"{key}: {have}, ptxas says {want}")
    tap.none(bad, f"nvcc, {mode}: {len(said)} kernels of 2 containers and 2 architectures as ptxas -v has them")
    tap.equal(set(found), set(said), f"nvcc, {mode}: and no others")
    tap.equal((counts(doc)["ptx_members"], counts(doc)["unread_members"]), (2, 0), f"nvcc, {mode}: PTX is listed, and nothing is unread")
    tool = shutil.which("cuobjdump")
    if tool is None:
        tap.skip(f"nvcc, {mode}: no cuobjdump on PATH to compare with")
        return
    want = cuobjdump_says(tool, path)
    got = {key: {k: value(v[0][1], k) for k in ("reg", "stack", "shared", "local", "const")} for key, v in found.items()}
    tap.equal(got, want, f"nvcc, {mode}: as cuobjdump -res-usage has it")
    check_mix(tool, path, functions(report(path)[0]), f"nvcc, {mode}")


tap.need_bin()
paths = sorted(p for p in glob.glob(os.path.join(FOLDER, "*")) if p.endswith((".cubin", ".fatbin")))
for p in paths:
    check_expected(p)
if not paths:
    tap.skip("no ../shared/data/cubin here")
NVCC = shutil.which("nvcc")
LIBS, SAID = build(NVCC) if NVCC else ({}, {})
for MODE in LIBS:
    check_built(MODE, LIBS[MODE], SAID[MODE])
if not LIBS:
    tap.skip("no nvcc here to make a library with")
tap.done()
