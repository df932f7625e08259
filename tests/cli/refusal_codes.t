#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every refusal code is either raised by this version, and a test makes the program raise it, or it is planned and
says what is missing until then. The list is that of `kernoscope remedy --json`; a code that nobody raises, and a
planned one that something raises, both fail."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin  # noqa: E402
import export  # noqa: E402
import made  # noqa: E402
import report  # noqa: E402
import tap  # noqa: E402

raised = {}  # code => how


def codes_in(node):
    if isinstance(node, dict):
        yield from (node[key] for key in ("code", "weak_because") if isinstance(node.get(key), str))
        for value in node.values():
            yield from codes_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from codes_in(value)


def raise_by(how, *args, env=None, rc=0):
    r = tap.run(*args, env=env)
    good = r.rc == rc
    if good and rc == 0:
        for code in codes_in(json.loads(r.out)):
            raised.setdefault(code, how)
    tap.ok(good, how, r.rc, r.err)
    return r


def machine(name, tools=(), gpu=None, nvbit=False, ncu=None):
    """The environment of a made-up machine; None where its GPU cannot be made."""
    root = os.path.join(tap.TMP, name)
    for folder in ("tools", "lib", "home"):
        os.makedirs(os.path.join(root, folder))
    for tool in tools:
        path = os.path.join(root, "tools", tool)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\n" + (ncu if tool == "ncu" and ncu else "exit 0\n"))
        os.chmod(path, 0o755)
    if gpu is not None:
        fake = os.path.join(tap.ROOT, "tests", "fixtures", "fake", "nvml.c")
        cc = os.environ.get("CC", "cc").split()
        if not shutil.which(cc[0]) or subprocess.run([*cc, "-shared", "-fPIC", *gpu, "-o", os.path.join(root, "lib", "libnvidia-ml.so.1"), fake],
                                                     stderr=subprocess.DEVNULL, check=False).returncode:
            return None
    none = os.path.join(root, "none")
    env = {"HOME": os.path.join(root, "home"), "KS_TOOL_SEARCH_DIRS": os.path.join(root, "tools"), "NVBIT_PATH": none,
           "LD_LIBRARY_PATH": os.path.join(root, "lib"), "KS_NV_PARAMS": none, "KS_PROC_STATUS": none}
    if nvbit:
        os.makedirs(os.path.join(root, "nvbit", "core"))
        open(os.path.join(root, "nvbit", "core", "libnvbit.a"), "w", encoding="utf-8").close()
        env["NVBIT_PATH"] = os.path.join(root, "nvbit")
    return env


BARE = not any(shutil.which(t) for t in ("nsys", "ncu", "cuobjdump", "nvdisasm", "nvidia-smi")) and not [
    p for pattern in ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg", "/usr/local/cuda*", "/opt/cuda", "/opt/nvidia")
    for p in glob.glob(pattern)]


def machines():
    if not BARE:
        tap.skip("this machine has tools or a driver of its own: machines without them cannot be shown")
        return False
    raise_by("capabilities where there is nothing", "capabilities", "--json", env=machine("nothing"))
    raise_by("capabilities where ncu cannot be asked", "capabilities", "--json", env=machine("ncu", ["ncu"]))
    gpu = machine("gpu", gpu=[])
    if gpu is None:
        tap.skip("no C compiler: machines with a GPU cannot be shown")
        return False
    raise_by("capabilities with a GPU and no tool", "capabilities", "--json", env=gpu)
    raise_by("capabilities with NVBit", "capabilities", "--json", env=machine("nvbit", ["nsys"], gpu=[], nvbit=True))
    raise_by("capabilities where ncu is denied", "capabilities", "--probe", "--json",
             env=machine("denied", ["nsys", "ncu"], gpu=[], ncu="echo ERR_NVGPUCTRPERM >&2; exit 1\n"))
    # a driver without its library: /proc/driver/nvidia is made in a name space of this test's own
    folder = os.path.join(tap.TMP, "proc")
    os.makedirs(os.path.join(folder, "nvidia", "gpus", "0000:01:00.0"))
    with open(os.path.join(folder, "nvidia", "version"), "w", encoding="utf-8") as f:
        f.write("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n")
    with open(os.path.join(folder, "nvidia", "gpus", "0000:01:00.0", "information"), "w", encoding="utf-8") as f:
        f.write("Model: \t\t Test GPU\nIRQ:   \t\t 1\nGPU UUID: \t GPU-00010203-0405-0607-0809-0a0b0c0d0e0f\n")
    env = dict(os.environ, **machine("driver", ["nsys"]))
    command = f"mount --bind '{folder}' /proc/driver && exec '{tap.BIN}' capabilities --json"
    p = subprocess.run(["unshare", "-rm", "sh", "-c", command], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False) if shutil.which("unshare") else None
    if p is None or (p.returncode and not p.stdout):
        tap.skip("no name space for a made-up /proc/driver here: no_nvml is shown by tests/unit/verdict/test_capability.c only")
        return False
    for code in codes_in(json.loads(p.stdout)):
        raised.setdefault(code, "capabilities with a driver and no NVML")
    tap.ok("no_nvml" in raised, "capabilities with a driver and no NVML", p.stdout[:600])
    return True


def no_arch(db):
    db.kernel(0, 1000, "gemm()", correlationId=1)


def two_gpus(db):
    for i in range(2):
        db.kernel(100 * i, 100 * i + 50, "gemm()", correlationId=i + 1, deviceId=i)


def mixed(db):
    db.kernel(0, 50, "gemm()", correlationId=1, gridX=4)
    db.kernel(60, 90, "gemm()", correlationId=2, gridX=8)


def only_copies(db):
    db.copy(0, 100, 4096)


def recordings():
    raise_by("the made-up trace", "--ks-synthetic", "--set", "full", "--format", "json")
    raise_by("the packet of the made-up trace", "--ks-synthetic", "--packet", "-")
    for fill, gpus in ((no_arch, 0), (two_gpus, 2), (mixed, 1), (only_copies, 1), (made.graph_only, 1)):
        path = made.make(fill, gpus)
        raise_by(f"an export: {fill.__name__}", "--ks-sqlite", path, "--set", "full", "--format", "json")
        raise_by(f"its packet: {fill.__name__}", "--ks-sqlite", path, "--packet", "-")
    r = tap.run("--ks-synthetic", "-k", "no_such_kernel")
    if tap.ok(r.rc == 1 and b"[no_match]" in r.err, "-k that matches nothing is an error, exit code 1", r.err):
        raised["no_kernel_match"] = "-k that matches nothing"
    # telemetry by URL where the library it needs is none: nothing is asked
    folder = os.path.join(tap.TMP, "nocurl")
    os.makedirs(folder)
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write("no library\n")
    raise_by("telemetry by URL without libcurl", "--ks-synthetic", "--ks-telemetry", "http://127.0.0.1:9/metrics", "--format", "json",
             env={"LD_LIBRARY_PATH": folder})
    raise_by("telemetry of a file that is not there", "--ks-synthetic", "--ks-telemetry", os.path.join(folder, "none"), "--format", "json")
    raise_by("route to instructions", "route", "which SASS instructions does my kernel contain", "--json")


# Codes that need a report with rows this version does not make: tests that read such reports back.
ELSEWHERE = {
    "env_shared_gpu": "cli/verdicts.t", "env_throttled": "cli/verdicts.t", "env_reading_unknown": "cli/verdicts.t",
    "clock_not_locked": "cli/verdicts.t", "coverage_too_low": "cli/verdicts.t", "share_too_low": "cli/verdicts.t",
    "calibration_caliber_mismatch": "cli/verdicts.t", "no_tokens": "cli/verdicts.t", "no_price": "cli/verdicts.t",
    "no_energy": "cli/verdicts.t", "no_instr_hist": "cli/verdicts.t", "no_kernels": "cli/verdicts.t",
    "legacy_report": "cli/explain.t", "inconsistent_evidence": "known/occupancy.t",
}


def device_code():
    """A cubin without a disassembler, and a part of a fatbin that is packed in no known way."""
    one = cubin.elf(80, [cubin.kernel("k")])
    for name, data in (("one.cubin", one), ("odd.fatbin", cubin.fatbin([cubin.member(80, one, flags=0xa011, plain=9)]))):
        with open(os.path.join(tap.TMP, name), "wb") as f:
            f.write(data)
        env = {"PATH": "/usr/bin:/bin", "KS_TOOL_SEARCH_DIRS": ""}
        raise_by(f"device code: {name}", "--ks-cubin", os.path.join(tap.TMP, name), "--format", "json", env=env)


def unknown_reason():
    path = report.Report().refuse("(device)", "est__dram_bytes_total", "a_code_of_tomorrow").write(os.path.join(tap.TMP, "t.ksreport.json"))
    raise_by("a report that names a code of tomorrow", "-i", path, "--format", "json")


tap.need_bin()
whole = machines()
recordings()
device_code()
unknown_reason()
rows = json.loads(tap.run("remedy", "--json").out)["refusals"]
tap.ok(len(rows) >= 58 and export, "remedy --json lists the codes")

bad = []
for row in rows:
    code, named = row["code"], ELSEWHERE.get(row["code"])
    if row["state"] == "planned":
        bad += [f"{code} is planned and does not say what is missing"] if not row["later"] else []
        continue
    if named is not None:
        with open(os.path.join(tap.ROOT, "tests", named), encoding="utf-8") as f:
            bad += [] if re.search(rf"\b{code}\b", f.read()) else [f"{code}: tests/{named} does not name it"]
    elif code not in raised and (whole or row["group"] != "machine" and code not in ("no_occupancy_probe", "no_instr_hist", "no_calibration")):
        bad.append(f"{code} is live and nothing here raises it")
tap.none(bad, "every live code is raised by a test, every planned one says what is missing")
planned = {row["code"] for row in rows if row["state"] == "planned"}
listed_only = {"route to instructions"}  # a route lists what may refuse, live or planned
tap.none([f"{c}: {raised[c]}" for c in sorted(planned & set(raised)) if raised[c] not in listed_only], "no planned code is raised")
tap.done()
