#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command that is shown to somebody can be run: those of docs/, of remedies, of routes, of what
doctor and capabilities advise, and of the packets of every real export. A command of ours must
succeed word for word in a folder that holds run.sqlite; one of another program must begin with
the name of a program that the document is about."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import cubin  # noqa: E402
import readings  # noqa: E402
import tap  # noqa: E402

EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")
DATA = os.path.join(tap.SHARED, "data", "nsys-sqlite")
FOLDER = os.path.join(tap.TMP, "w")
CODE = cubin.elf(80, [cubin.kernel("gemv_f16_splitk")])
ENV = dict(os.environ, PATH=os.path.dirname(tap.BIN) + ":" + os.environ["PATH"], HOME=os.path.join(tap.TMP, "home"),
           XDG_CONFIG_HOME=os.path.join(tap.TMP, "home", ".config"), COLUMNS="100")
# programs of others that a document or a remedy may name, and what must be set up before they do anything
OTHERS = {"nsys", "ncu", "nvidia-smi", "srun", "sudo", "apt-get", "docker", "podman", "kubectl", "modprobe", "update-initramfs", "setcap", "echo",
          "make", "apptainer", "singularity", "reboot"}
# words that stand for something of the reader's
PLACES = {"NAME": "gemv_f16_splitk", "N": "0", "CODE": "no_nvtx", "TABLE": "cuda_gpu_kern_sum", "FILE": "run.sqlite"}


def fresh():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    shutil.copy(EXAMPLE, os.path.join(FOLDER, "run.sqlite"))
    for name, data in (("app.cubin", CODE), ("app.so", cubin.host([cubin.fatbin([cubin.member(80, CODE)])]))):
        with open(os.path.join(FOLDER, name), "wb") as f:
            f.write(data)
    for name, text in (("node.prom", readings.scrape(2)), ("gpus.csv", readings.query(2))):
        with open(os.path.join(FOLDER, name), "w", encoding="ascii") as f:
            f.write(text)
    os.makedirs(ENV["HOME"], exist_ok=True)
    subprocess.run([tap.BIN, "--ks-sqlite", "run.sqlite", "-o", "run", "--packet", "run.packet.json", "--no-case"], cwd=FOLDER, env=ENV,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def fault(command, cwd=FOLDER, want=0):
    """None when the command does what it is shown for."""
    filled = re.sub(r"\b(%s)\b" % "|".join(PLACES), lambda m: PLACES[m.group(1)], command)
    try:
        first = shlex.split(filled, comments=True)[0]
    except (ValueError, IndexError):
        return f"no command: {command!r}"
    if first in OTHERS:
        return None
    if first != "kernoscope" and not re.match(r"^[A-Z_]+=", first) and first not in ("cp", "cat", "tail", "sed", "source", "eval", "python3", "."):
        return f"begins with {first!r}: {command}"
    p = subprocess.run(["bash", "-c", filled], cwd=cwd, env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=120, check=False)
    return None if p.returncode == want else f"{command} => {p.returncode}: {p.stderr.decode('utf-8', 'replace').strip()[-200:]}"


def shown_in(path):
    block = None
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("```"):
                block = line.strip()[3:] if block is None else None
            elif block == "sh" and line.strip() and not line.lstrip().startswith("#"):
                yield line.rstrip("\n")


def documents():
    for path in sorted(glob.glob(os.path.join(tap.ROOT, "docs", "*.md"))):
        fresh()
        bad, n = [], 0
        text, lines = "", list(shown_in(path))
        for line in lines:
            text += line
            if text.endswith("\\"):
                text = text[:-1] + "\n"
                continue
            m = re.search(r"# exit (\d+)", text)
            bad.append(fault(text, want=int(m.group(1)) if m else 0))
            text, n = "", n + 1
        tap.none([b for b in bad if b], f"docs/{os.path.basename(path)}: {n} commands")


def listed():
    fresh()
    for made in glob.glob(os.path.join(FOLDER, "run.*")):
        if not made.endswith("sqlite"):
            os.remove(made)   # a remedy speaks to somebody who has the recording alone
    rows = json.loads(tap.run("remedy", "--json").out)["refusals"]
    found = [r["remedy"]["command"] if isinstance(r.get("remedy"), dict) else r.get("command") for r in rows]
    commands = [c for c in found if c]
    tap.ok(len(commands) >= 5, "remedies have commands", rows[:2])
    tap.none([f for f in map(fault, commands) if f], f"remedy: {len(commands)} commands")
    routes = json.loads(tap.run("route", "--list", "--json").out)["routes"]
    tap.none([f for f in (fault(r["command"]) for r in routes if r["command"]) if f], f"route: {len(routes)} commands")
    advice = json.loads(tap.run("capabilities", "--json").out)
    commands = [a["command"] for a in advice["next_actions"] if a.get("command")]
    tap.none([f for f in map(fault, commands) if f], f"capabilities: {len(commands)} commands")
    brief = json.loads(tap.run("capabilities", "--brief").out)
    tap.none([f for f in map(fault, [brief["next_layer"]["command"]] + [n["cmd"] for n in brief["next"] if n.get("cmd")]) if f], "capabilities --brief")


def of_packets():
    files = sorted(glob.glob(os.path.join(DATA, "*.sqlite")))
    if not files:
        tap.skip("../shared/data is not here")
        return
    bad, n, hints = [], 0, 0
    for path in files:
        r = tap.run("--ks-sqlite", path, "--set", "full", "--packet", "-")
        if r.rc != 0:
            continue
        packet = json.loads(r.out)
        for remedy in packet["refusals"].values():
            if remedy.get("cmd"):
                bad.append(fault(remedy["cmd"]))
                n += 1
        for verdict in packet["verdicts"]:
            m = re.match(r"add (-k .*?) to see", verdict.get("next", ""))
            if m:
                bad.append(fault(f"kernoscope --ks-sqlite {shlex.quote(path)} {m.group(1)}"))
                hints += 1
    tap.ok(n > 20 and hints > 20, f"packets hold commands ({n}) and hints ({hints})")
    tap.none(sorted({b for b in bad if b}), "every command and hint of every packet runs")


def every_option():
    """Every live option of the reference stands in a test that runs the program, and so does every command."""
    text = ""
    for path in glob.glob(os.path.join(tap.ROOT, "tests", "*", "*.t")) + glob.glob(os.path.join(tap.ROOT, "tests", "unit", "cmd", "*.c")):
        if os.path.basename(path) != "completion.t":   # it names them all, and uses none
            with open(path, encoding="utf-8") as f:
                text += f.read()
    with open(os.path.join(tap.ROOT, "docs", "reference", "options.md"), encoding="utf-8") as f:
        rows = [line.split(" | ") for line in f if line.startswith("| `")]
    options = [r[0].strip("| `") for r in rows if r[0].startswith("| `--") and "live" in r[4:5]]
    commands = [r[0].strip("| `").split()[0] for r in rows if re.match(r"\| `[a-z]", r[0]) and len(r) == 3 and r[1] == "live"]
    tap.ok(len(options) > 50 and len(commands) > 10, f"the reference lists {len(options)} options and {len(commands)} commands")
    tap.none([o for o in options if not re.search(re.escape(o.split("`")[0]) + r"\b(?!-)", text)], "every live option is used by a test")
    tap.none([c for c in commands if not re.search(r"""(["' ]%s["' ,])""" % re.escape(c), text)], "every live command is used by a test")


if not os.path.exists(EXAMPLE):
    tap.skip_all("the example trace is not built: make demo, or make check")
documents()
every_option()
listed()
of_packets()
tap.done()
