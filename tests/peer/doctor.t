#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The original's doctor --json beside ours on the same made-up machines: its keys with their types, the same state of
the counters, the same tools. Where they differ, the reason stands here."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

tap.need_bin()
PEER = os.environ.get("KS_PEER") or os.path.join(tap.BUILD, "peer", "bin", "kernoscope")
if not os.access(PEER, os.X_OK):
    tap.skip_all("the original is not installed: make peer")
DENIED = "echo '==ERROR== ERR_NVGPUCTRPERM: not for this user'; exit 1"
NO_CAPS = "CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\n"
ADMIN = "CapEff:\t0000000000200000\nCapBnd:\t0000000000200000\n"


def machine(name, ncu=None, in_path=True, policy=None, status=NO_CAPS):
    """A folder with programs and policy files, and the environment that shows it."""
    root = os.path.join(tap.TMP, name)
    os.makedirs(os.path.join(root, "bin"))
    os.makedirs(os.path.join(root, "aside"))

    def write(path, text, mode):
        path = os.path.join(root, path)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    for tool in ("nsys", "cuobjdump"):
        write(os.path.join("bin", tool), "#!/bin/sh\necho 2025.1\n", 0o755)
    if ncu:
        write(os.path.join("bin" if in_path else "aside", "ncu"), f"#!/bin/sh\n{ncu}\n", 0o755)
    env = {"PATH": os.path.join(root, "bin") + ":/usr/bin:/bin", "HOME": root, "LC_ALL": "C.UTF-8",
           "KS_TOOL_SEARCH_DIRS": os.path.join(root, "aside"), "KS_PROC_STATUS": write("status", status, 0o644),
           "KS_PERF_PARANOID": write("paranoid", "1\n", 0o644), "KS_NV_PARAMS": os.path.join(root, "params")}
    if policy is not None:
        write("params", f"RmProfilingAdminOnly: {policy}\n", 0o644)
    return env


def asked(program, env, *args):
    p = subprocess.run([program, "doctor", "--json", *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       stdin=subprocess.DEVNULL, timeout=120, check=False)
    return p.returncode, json.loads(p.stdout) if p.stdout else {}


def kind(value):
    return type(value).__name__


def compare(name, env, *args):
    rc, ours = asked(tap.BIN, env, *args)
    peer_rc, theirs = asked(PEER, env, *args)
    if not tap.ok(rc == 0 and peer_rc == 0, f"{name}: both give a diagnosis", f"{rc} {peer_rc}"):
        return
    wrong = [k for k, v in theirs.items() if kind(ours.get(k)) != kind(v)]
    tap.ok(not wrong, f"{name}: every key of the original is there with its type", str(wrong))
    tap.equal(ours["schema_version"], theirs["schema_version"], f"{name}: the same schema number")
    tap.equal(ours["counter_state"], theirs["counter_state"], f"{name}: the same state of the counters")
    tap.equal(ours["ok"], theirs["ok"], f"{name}: the same ok")
    wrong = [t for t, v in theirs["tools"].items() for k in ("name", "path", "in_path", "found")
             if ours["tools"][t][k] != v[k]]
    tap.ok(not wrong, f"{name}: the same tools in the same places", str(wrong))
    groups = [{c["group"] for c in d["checks"]} for d in (ours, theirs)]
    tap.equal(groups[0], groups[1], f"{name}: the same groups of checks")
    wrong = [k for k in theirs["checks"][0] if any(k not in c for c in ours["checks"])]
    tap.ok(not wrong, f"{name}: a check has the original's keys", str(wrong))


compare("no ncu", machine("none"))
compare("refused by the probe", machine("refused", DENIED, policy=1))
compare("answered by the probe", machine("answered", "echo sm__cycles_elapsed", policy=0))
compare("locked by policy, not probed", machine("locked", DENIED, policy=1), "--no-probe")
compare("nothing known, not probed", machine("nothing", DENIED), "--no-probe")
compare("beside PATH, not probed", machine("beside", DENIED, in_path=False, policy=0), "--no-probe")

# The original calls it denied although the process has the capability that the driver accepts (contract 06 §22).
env = machine("admin", DENIED, policy=1, status=ADMIN)
ours, theirs = asked(tap.BIN, env, "--no-probe")[1], asked(PEER, env, "--no-probe")[1]
tap.equal(ours["counter_state"], "unknown", "with CAP_SYS_ADMIN a locked policy settles nothing")
tap.equal(theirs["counter_state"], "denied", "the original says denied: the difference is still there")
tap.done()
