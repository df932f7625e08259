#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""capabilities and route beside the published original on this machine: the same tier, states, codes and order of
next actions, every key of its JSON, and for the words of its own table the same question among our routes."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

PEER = os.environ.get("KS_PEER") or os.path.join(tap.BUILD, "peer", "bin", "kernoscope")
REAL = os.path.join(tap.SHARED, "data", "rtx4090-runs", "capabilities.json")


def peer(*args, env=None):
    p = subprocess.run([PEER, *args], cwd=tap.TMP, env=dict(os.environ, **(env or {})), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120, stdin=subprocess.DEVNULL, check=False)
    return p.stdout


def missing_keys(theirs, ours, where=""):
    """Keys of theirs that ours lacks, anywhere; lists by their first element."""
    if isinstance(theirs, dict):
        if not isinstance(ours, dict):
            return [where]
        return [f"{where}.{k}" for k in theirs if k not in ours] + [
            m for k in theirs if k in ours for m in missing_keys(theirs[k], ours[k], f"{where}.{k}")]
    if isinstance(theirs, list) and theirs and isinstance(ours, list) and ours:
        return missing_keys(theirs[0], ours[0], where + "[]")
    return []


def codes(doc):
    return {a["id"]: a.get("refusal", {}).get("code", a["state"]) for a in doc["answers"]}


def compare(name, env):
    theirs = json.loads(peer("capabilities", "--json", env=env))
    ours = json.loads(tap.run("capabilities", "--json", env=env).out)
    tap.none(missing_keys(theirs, ours), f"{name}: every key of the original's JSON is in ours")
    tap.equal(ours["tier"]["level"], theirs["tier"]["level"], f"{name}: the same tier")
    tap.equal(codes(ours), codes(theirs), f"{name}: every question has the same state and code")
    same = [{k: a[k] for k in ("code", "cost_kind", "cost_s", "unlocks")} for a in ours["next_actions"]]
    want = [{k: a[k] for k in ("code", "cost_kind", "cost_s", "unlocks")} for a in theirs["next_actions"]]
    tap.equal(same, want, f"{name}: the same next actions in the same order")
    short, brief = json.loads(peer("capabilities", "--brief", env=env)), json.loads(tap.run("capabilities", "--brief", env=env).out)
    for key in ("tier", "counter_state", "can_answer", "weak", "cannot_answer", "blocked_by", "blocked_by_unavailable"):
        tap.equal(brief[key], short[key], f"{name}: --brief says the same under {key}")


def tools(*names):
    folder = os.path.join(tap.TMP, "tools-" + "-".join(names))
    os.makedirs(folder)
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nexit 0\n")
        os.chmod(path, 0o755)
    return {"KS_TOOL_SEARCH_DIRS": folder}


def routes():
    words = ("duration", "寄存器", "占用率", "功耗", "多少钱", "带宽", "roofline", "轨迹", "发射槽", "缓存", "sass", "计数器", "stall",
             "nvlink", "哪个 kernel", "launch 配置", "memory bound", "latency bound", "tensor core", "warp 状态", "token 成本")
    bad = []
    for word in words:
        theirs = json.loads(peer("route", word, "--json"))
        ours = json.loads(tap.run("route", word, "--json").out)
        first = theirs["routes"][0]["id"]
        if first not in [r["id"] for r in ours["routes"]]:
            bad.append(f"{word}: {first}, ours {[r['id'] for r in ours['routes']]}")
    tap.none(bad, "words of the original's table lead to the original's question")
    theirs = json.loads(peer("route", "寄存器", "--json"))
    tap.none(missing_keys(theirs, json.loads(tap.run("route", "寄存器", "--json").out)), "every key of its route JSON is in ours")
    listed = json.loads(peer("route", "--list", "--json"))["routes"]
    ours = json.loads(tap.run("route", "--list", "--json").out)["routes"]
    tap.equal([(r["id"], r["tier"], r["answers"]) for r in ours], [(r["id"], r["tier"], r["answers"]) for r in listed], "the same list of questions")


tap.need_bin()
if not os.access(PEER, os.X_OK):
    tap.skip_all(f"the original is not at {PEER}; `make peer` installs it")
compare("as it is", {})
compare("with nsys and cuobjdump", tools("nsys", "cuobjdump"))
compare("with ncu outside PATH", tools("ncu"))
routes()
if os.path.exists(REAL):
    with open(REAL, encoding="utf-8") as f:
        real = json.load(f)
    tap.none(missing_keys({k: v for k, v in real.items()}, json.loads(tap.run("capabilities", "--json").out)), "a real run of the original has no key that ours lacks")
else:
    tap.skip(f"{REAL} is not there")
tap.done()
