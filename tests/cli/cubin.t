#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--ks-cubin: alone, beside a recording, with a disassembler and without, and what cannot be read. The cubins are made of bytes
that tests/lib/cubin.py names, the disassemblers are scripts that print lines counted here by hand."""
import csv
import io
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin  # noqa: E402
import tap  # noqa: E402
import trace  # noqa: E402

TOOLS = os.path.join(tap.TMP, "tools")
NONE = dict(PATH="/usr/bin:/bin", KS_TOOL_SEARCH_DIRS="")
WITH = dict(NONE, KS_TOOL_SEARCH_DIRS=TOOLS)
os.makedirs(TOOLS)


def path(name, data=None):
    p = os.path.join(tap.TMP, name)
    if data is not None:
        with open(p, "wb") as f:
            f.write(data)
    return p


def tool(name, body):
    p = os.path.join(TOOLS, name)
    with open(p, "w", encoding="ascii") as f:
        f.write("#!/bin/sh\n" + body)
    os.chmod(p, 0o755)


def drop(name):
    os.unlink(os.path.join(TOOLS, name))


def report(*args, env=None):
    r = tap.run(*args, "--format", "json", env=env or NONE)
    return (json.loads(r.out) if r.rc == 0 else None), r


def rows(kernel):
    return {m["name"]: m for s in kernel["sections"] for m in s["metrics"]}


def kernels(doc):
    return {k["name"]: rows(k) for k in doc["kernels"]}


SAXPY = cubin.kernel("_Z5saxpyPfS_f", registers=40, shared=1024, stack=16, const=380, barriers=1)
TILE = cubin.kernel("tile", registers=64, const=368)
ONE = path("one.cubin", cubin.elf(80, [SAXPY, TILE, cubin.kernel("helper", entry=False)]))
FAT = cubin.fatbin([cubin.member(80, cubin.elf(80, [SAXPY])), cubin.member(90, cubin.elf(90, [dict(SAXPY, registers=48)])),
                    cubin.member(90, b".version 8.0", kind=1)])
LIB = path("lib.so", cubin.host([FAT, cubin.fatbin([cubin.member(80, cubin.elf(80, [TILE]))])]))
tap.need_bin()

# --- alone -----------------------------------------------------------------------------------------

doc, r = report("--ks-cubin", ONE)
tap.equal((r.rc, r.err), (0, b""), "a cubin alone is a report")
names = kernels(doc)
tap.equal(sorted(names), ["(device)", "saxpy(float*, float*, float)", "tile"], "its kernels, demangled; the device function is none")
got = names["saxpy(float*, float*, float)"]
tap.equal({k: v["value"] for k, v in got.items() if k.startswith("ks__cubin")},
          {"ks__cubin_arch": "sm_80", "ks__cubin_registers_per_thread": 40, "ks__cubin_shared_bytes": 1024, "ks__cubin_stack_bytes": 16,
           "ks__cubin_local_bytes": 0, "ks__cubin_constant_bytes": 380, "ks__cubin_barriers": 1, "ks__cubin_code_bytes": 256},
          "every resource is there, with its own value")
tap.equal({v["provenance"] for k, v in got.items() if k.startswith("ks__cubin")}, {"exact"}, "and exact")
tap.equal(got["gpu__time_duration.sum"].get("refusal", {}).get("code"), "no_launch_activity", "time is refused, never 0")
tap.ok("ks__theoretical_occupancy_pct" not in got, "no occupancy: the file knows no block size")
tap.equal(got["ks__static_sass_instructions"]["refusal"]["code"], "cuobjdump_missing", "without a disassembler the mix is refused")
tap.equal(got["ks__static_sass_instructions"]["refusal"]["remedy"]["command"], "apt-get install nvidia-cuda-toolkit", "with the one line that gets it")
tap.equal((names["(device)"]["ks__code_kernels"]["value"], names["(device)"]["ks__code_device_functions"]["value"]), (2, 1), "both are counted")
tap.ok(not [n for n in names["(device)"] if "copies" in n or "device_0" in n], "nothing is said about a device or copies")

doc, r = report("--ks-cubin", LIB)
tap.equal(sorted((k["function"], rows(k)["ks__cubin_arch"]["value"], rows(k)["ks__cubin_registers_per_thread"]["value"]) for k in doc["kernels"][:-1]),
          [("saxpy", "sm_80", 40), ("saxpy", "sm_90", 48), ("tile", "sm_80", 64)], "a shared object: kernels of each container and architecture")
tap.equal(kernels(doc)["(device)"]["ks__code_ptx_members"]["value"], 1, "PTX is listed")
doc, r = report("--ks-cubin", LIB, "--ks-cubin", ONE)
tap.equal([k["name"] for k in doc["kernels"] if k["function"] == "tile"], ["tile"], "what two files have alike is one kernel")
unknown = bytearray(open(ONE, "rb").read())
unknown[7] = 77     # a header of a kind nobody knows
doc, r = report("--ks-cubin", ONE, "--ks-cubin", path("unknown.cubin", bytes(unknown)))
tap.equal(sorted(k["name"] for k in doc["kernels"] if k["function"] == "tile"), ["tile [sm_80]", "tile [sm_?]"], "an architecture that is not known is not 0")
doc, r = report("report", "--ks-cubin", ONE)
tap.equal(r.rc, 0, "report takes it as well")

r = tap.run("--ks-cubin", ONE, env=NONE)
text = r.out.decode()
tap.ok(text.startswith("2 kernels in the code;") and " 40 " in text and "tile" in text, "the table for people", text)
r = tap.run("--ks-cubin", ONE, "--lang", "zh", "--print-details", "all", env=NONE)
tap.equal(r.rc, 0, "in Chinese with every detail")
r = tap.run("--ks-cubin", ONE, "--csv", env=NONE)
lines = list(csv.DictReader(io.StringIO(r.out.decode())))
tap.ok(any(c["kernel"] == "tile" and c["metric"] == "ks__cubin_registers_per_thread" and c["value"] == "64" for c in lines), "--csv has the rows")
r = tap.run("--ks-cubin", ONE, "-o", path("run"), "--csv", env=NONE)
direct = r.out
tap.equal(sorted(n for n in os.listdir(tap.TMP) if n.startswith("run")), ["run.case", "run.ksreport.json"], "-o writes a report and no timeline")
r = tap.run("-i", path("run.ksreport.json"), "--csv", env=NONE)
tap.equal((r.rc, r.out), (0, direct), "-i gives the same rows")
r = tap.run("-i", path("run.ksreport.json"), env=NONE)
tap.ok(b"Kernels of the code" in r.out, "and the same table", r.out)
for form in ("svg", "html", "screen"):
    tap.equal(tap.run("--ks-cubin", ONE, "--format", form, env=NONE).rc, 0, f"--format {form} does not fail on it")
tap.equal(tap.run("--ks-cubin", ONE, "--packet", "-", env=NONE).rc, 0, "nor does --packet")

doc, r = report("--ks-cubin", ONE, "-k", "saxpy")
tap.equal([k["function"] for k in doc["kernels"][:-1]], ["saxpy"], "-k chooses among them")
r = tap.run("--ks-cubin", ONE, "-k", "saxpi", env=NONE)
tap.ok(r.rc == 1 and b"nearest: saxpy" in r.err and b"[no_match]" in r.err, "-k that matches none names the nearest", r.err)
for args, word in ((["--format", "timeline-svg"], b"--format timeline-svg needs a recording"), (["--launch-csv"], b"--launch-csv needs a recording"),
                   (["--within", "0..1"], b"--within needs a recording")):
    r = tap.run("--ks-cubin", ONE, *args, env=NONE)
    tap.ok(r.rc == 2 and word in r.err, f"{args[0]} needs a recording", r.err)

HOSTILE = 'k\x1b[31m"\n,\\<b>&\x07'
doc, r = report("--ks-cubin", path("hostile.cubin", cubin.elf(80, [cubin.kernel(HOSTILE)])))
tap.equal([k["function"] for k in doc["kernels"][:-1]], [HOSTILE], "a name may hold any bytes")
for form in ("text", "csv", "html", "screen"):
    r = tap.run("--ks-cubin", path("hostile.cubin"), "--format", form, "--print-details", "all", env=NONE)
    tap.ok(r.rc == 0 and b"\x1b" not in r.out and b"\x07" not in r.out and (form != "html" or b"<b>&" not in r.out), f"--format {form} tames it", r.out[:300])

# --- disassemblers -----------------------------------------------------------------------------------

DUMP = r"""cat <<'EOF'
	code for sm_80
		Function : _Z5saxpyPfS_f
        /*0000*/                   MOV R1, c[0x0][0x28] ;   /* 0x00000a0000017a02 */
                                                            /* 0x000fe40000000f00 */
        /*0010*/                   LDG.E R2, [R4.64] ;
        /*0020*/              @P0 HMMA.16816.F32 R4, R8, R6, R4 ;
        /*0030*/                   EXIT ;
EOF
"""
tool("cuobjdump", f'[ "$1" = -sass ] && [ "$2" = "{ONE}" ] || exit 3\n' + DUMP)
doc, r = report("--ks-cubin", ONE, env=WITH)
got = kernels(doc)["saxpy(float*, float*, float)"]
tap.equal(got["ks__static_sass_instructions"]["value"], 4, "cuobjdump: instructions are counted")
tap.equal({k[len("ks__static_sass_share_"):]: v["value"] for k, v in got.items() if "_share_" in k},
          {"tensor": 25, "fp": 0, "alu": 25, "memory": 25, "sync": 0, "control": 25, "communication": 0, "other": 0}, "by class, in percent")
tap.equal(got["ks__static_sass_top"]["value"], "EXIT 1, HMMA 1, LDG 1, MOV 1", "and by mnemonic")
tap.equal(kernels(doc)["tile"]["ks__static_sass_instructions"]["refusal"]["code"], "metric_absent", "a kernel it does not list is refused")
doc, r = report("--ks-cubin", ONE, "--section", "LaunchStats", env=WITH)
tap.ok("ks__static_sass_instructions" not in kernels(doc)["tile"], "a chosen section needs no disassembler")
tool("cuobjdump", DUMP + "exit 1\n")
doc, r = report("--ks-cubin", ONE, env=WITH)
why = kernels(doc)["saxpy(float*, float*, float)"]["ks__static_sass_instructions"]["refusal"]
tap.equal((why["code"], why["observed"]), ("metric_absent", {"tool": "cuobjdump", "exit_status": 1}), "what a tool that fails has printed is no count")
tool("nvdisasm", '[ "$1" = -c ] || exit 3\ncat <<\'EOF\'\n\t.target\tsm_80\n.text.tile:\n        /*0000*/   NOP ;\n        /*0010*/   BRA `(.L_x_0);\nEOF\n')
doc, r = report("--ks-cubin", ONE, env=WITH)
tap.equal(kernels(doc)["tile"]["ks__static_sass_instructions"]["value"], 2, "nvdisasm stands in for it")
drop("nvdisasm")
NOISE = "printf 'code for sm_80\\nFunction : tile\\n/*0000*/ MO'; echo warning >&2; printf 'V R1, R2 ;\\n/*0010*/ EXIT ;\\n'\n"
tool("cuobjdump", NOISE)
doc, r = report("--ks-cubin", ONE, env=WITH)
tap.equal(kernels(doc)["tile"]["ks__static_sass_top"]["value"], "EXIT 1, MOV 1", "what it says on standard error falls into no line")
tool("cuobjdump", "i=0; printf 'code for sm_80\\nFunction : tile\\n'; while [ $i -lt 5000 ]; do echo \"/*0000*/ OP$i ;\"; i=$((i+1)); done\n")
doc, r = report("--ks-cubin", ONE, env=WITH)
tap.equal((r.rc, kernels(doc)["tile"]["ks__static_sass_instructions"]["refusal"]["code"]), (0, "metric_absent"), "nonsense is no count, and no lack of memory")
with open(os.path.join(TOOLS, "cuobjdump"), "wb") as f:
    f.write(b"no program\n")
doc, r = report("--ks-cubin", ONE, env=WITH)
tap.equal(kernels(doc)["tile"]["ks__static_sass_instructions"]["refusal"]["observed"]["exit_status"], 126, "nor is what cannot be started")
drop("cuobjdump")
tool("nvdisasm", 'cat <<\'EOF\'\n\t.target\tsm_80\n.text.tile:\n        /*0000*/   NOP ;\n        /*0010*/   BRA `(.L_x_0);\nEOF\n')
doc, r = report("--ks-cubin", ONE, env=WITH)
tap.equal(kernels(doc)["tile"]["ks__static_sass_share_control"]["value"], 100, "also where there is no cuobjdump")
doc, r = report("--ks-cubin", LIB, env=WITH)
tap.equal(kernels(doc)["tile"]["ks__static_sass_instructions"]["refusal"]["code"], "cuobjdump_missing", "but for a shared object cuobjdump is needed")
drop("nvdisasm")

# --- beside a recording --------------------------------------------------------------------------------

NAMES = {1: "saxpy(float*, float*, float)", 2: "saxpy", 3: "_Z5saxpyPfS_f", 4: "tile", 5: "stranger(int)", 6: "stranger"}
TRACE = path("t.sqlite")
trace.make(TRACE, [dict(start=0, end=100, demangledName=1, shortName=2, mangledName=3, registersPerThread=40, staticSharedMemory=1024),
                   dict(start=200, end=290, demangledName=4, shortName=4, registersPerThread=72),
                   dict(start=300, end=380, demangledName=5, shortName=6)], NAMES)
doc, r = report("--ks-sqlite", TRACE, "--ks-cubin", LIB)
got = kernels(doc)
one, two = got["saxpy(float*, float*, float)"], got["tile"]
tap.equal((one["ks__cubin_arch"]["value"], one["ks__cubin_registers_per_thread"]["value"]), ("sm_80", 40), "the code of the device's architecture")
tap.equal(one["ks__cubin_registers_per_thread"]["note"], "as recorded at the launch", "that it agrees is said")
tap.equal((two["launch__registers_per_thread"]["value"], two["ks__cubin_registers_per_thread"]["value"]), (72, 64), "where they differ both are there")
tap.ok(two["ks__cubin_registers_per_thread"]["note"].startswith("the launch recorded 72"), "and the difference is told", two["ks__cubin_registers_per_thread"])
tap.equal(two["ks__registers_used_for_occupancy"]["value"], 72, "occupancy rests on the launch")
tap.equal(got["stranger(int)"]["ks__static_sass_instructions"]["refusal"]["code"], "no_static_input", "a kernel that no file has is refused")
tap.equal({k: v["value"] for k, v in got["(device)"].items() if k.startswith("ks__code_") and "member" not in k},
          {"ks__code_kernels": 3, "ks__code_device_functions": 0, "ks__code_matched_kernels": 2, "ks__code_unmatched_kernels": 1,
           "ks__code_unused_kernels": 1}, "what is without the other is counted")
tap.ok("1 kernels of this report were not found in the code" in " ".join(doc["meta"].get("notes", []) or doc.get("notes", [])), "and said in one line",
       doc.get("notes"))
plain, _ = report("--ks-sqlite", TRACE, "--set", "full")
tap.equal([k["total_ns"] for k in plain["kernels"]], [k["total_ns"] for k in doc["kernels"]], "no time is changed by it")
r = tap.run("--ks-sqlite", TRACE, "--ks-cubin", LIB, "--redact=names", "--format", "json", env=NONE)
tap.ok(r.rc == 0 and b"saxpy" not in r.out and b"lib.so" not in r.out and json.loads(r.out) and kernels(json.loads(r.out))["(device)"]["ks__code_matched_kernels"]["value"] == 2,
       "redacted, it is matched and tells no name", r.err, r.out[:300])

TWO = path("two.sqlite")
trace.make(TWO, [dict(start=0, end=100, demangledName=1, shortName=2), dict(start=200, end=290, demangledName=3, shortName=2)],
           {1: "foo(int)", 2: "foo", 3: "foo(float)"})
FOO = path("foo.cubin", cubin.elf(80, [cubin.kernel("_Z3food")]))
for args in ([], ["-k", "foo(int)", "--kernel-name-base", "demangled"]):
    doc, r = report("--ks-sqlite", TWO, "--ks-cubin", FOO, *args)
    tap.equal(kernels(doc)["foo(int)"]["ks__static_sass_instructions"]["refusal"]["code"], "no_static_input",
              "two kernels of the recording have this function name, also where -k leaves one out")

# --- what cannot be read ---------------------------------------------------------------------------------

for what, file, word in (("a file that is not there", path("nothing"), b"does not exist"), ("a folder", tap.TMP, b"no regular file"),
                         ("text", path("text", b"hello"), b"is no device code"), ("an empty file", path("empty", b""), b"is no device code"),
                         ("a program without device code", path("host", cubin.host([]).replace(b".nv_fatbin", b".nv_nothing"[:10])), b"without device code"),
                         ("a cubin that is cut", path("cut", open(ONE, "rb").read()[:-100]), b"is damaged"),
                         ("a fatbin that is cut", path("torn", FAT[:40]), b"is damaged")):
    r = tap.run("--ks-cubin", file, env=NONE)
    tap.ok(r.rc == 1 and word in r.err and r.out == b"" and r.err.count(b"\n") == 1, f"{what} is an error of one line", r.rc, r.err)
    r = tap.run("--ks-sqlite", TRACE, "--ks-cubin", file, "--csv", env=NONE)
    tap.ok(r.rc == 0 and word in r.err and b"without this file" in r.err and r.out.count(b"\n") > 10, f"{what} beside a recording is said and left out", r.err)
doc, r = report("--ks-cubin", path("nothing"), "--ks-cubin", ONE)
tap.ok(r.rc == 0 and b"does not exist" in r.err, "one of two files is enough", r.err)
bad = bytearray(cubin.elf(80, [SAXPY]))
bad[40:44] = b"\xff\xff\xff\x7f"
doc, r = report("--ks-cubin", path("mixed.fatbin", cubin.fatbin([cubin.member(80, bytes(bad)), cubin.member(90, cubin.elf(90, [TILE]), flags=0xa011, plain=9),
                                                                 cubin.member(86, cubin.elf(86, [TILE]))]) + FAT[:50]))
got = kernels(doc)
one, two = (got["(device)"][f"ks__code_member_{i}_kernels"]["refusal"] for i in (1, 2))
tap.equal((one["code"], one["observed"]["arch"], one["observed"]["bytes"]), ("metric_absent", "sm_80", len(bad)), "a damaged part is listed with its architecture and size")
tap.equal((two["code"], two["observed"]["arch"]), ("not_built_in", "sm_90"), "one that cannot be unpacked as well")
tap.equal((got["tile"]["ks__cubin_arch"]["value"], got["(device)"]["ks__code_unread_members"]["value"]), ("sm_86", 2), "the rest is read")
tap.ok(any("mixed.fatbin ends within a container" in n for n in doc["meta"].get("notes", []) or doc.get("notes", [])), "and where the file breaks off is said")
r = tap.run("--ks-cubin", ONE, "-i", path("run.ksreport.json"), "--csv", env=NONE)
tap.ok(r.rc == 0 and b"does not change a report" in r.err, "a report that is read again stays as it is", r.err)
r = tap.run("--ks-cubin", ONE, "./program", env=NONE)
tap.ok(r.rc == 2 and b"./program is no command" in r.err, "a program is not taken for nothing", r.err)

# --- the plan ------------------------------------------------------------------------------------------------

tool("cuobjdump", DUMP)
plan = json.loads(tap.run("--ks-cubin", ONE, "--plan-json", env=WITH).out)
steps = {s["id"]: s for s in plan["steps"]}
tap.ok(ONE in steps["read_inputs"]["reads"], "the plan reads the file", plan)
tap.equal(steps["static_dump"]["commands"], [f"{TOOLS}/cuobjdump -sass {ONE}"], "and names the program that it starts")
plan = json.loads(tap.run("--ks-cubin", ONE, "--set", "basic", "--plan-json", env=WITH).out)
tap.ok("static_dump" not in {s["id"] for s in plan["steps"]}, "none where no section needs it")
plan = json.loads(tap.run("--ks-cubin", ONE, "--plan-json", env=NONE).out)
tap.equal([s.get("commands", []) for s in plan["steps"] if s["id"] == "static_dump"], [[]], "none where there is none")
shutil.rmtree(TOOLS)
tap.done()
