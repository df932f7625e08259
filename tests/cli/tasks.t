#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a new user comes for, in at most two commands: the first is one that the program itself names (its help,
or a question in words), the second is read out of what the first printed, and the answer stands in what that
prints or writes."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")
PATH = os.path.dirname(tap.BIN) + ":" + os.environ["PATH"]
CHINESE = re.compile("[\u4e00-\u9fff]")


def folder(name):
    """A folder of its own for each task, with a recording and nobody's settings."""
    path = os.path.join(tap.TMP, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    shutil.copy(EXAMPLE, os.path.join(path, "run.sqlite"))
    return path


def shell(command, at, lang=None):
    """Runs a command line as it was printed: (exit code, standard output, standard error)."""
    env = dict(os.environ, PATH=PATH, XDG_CONFIG_HOME=os.path.join(at, "config"), HOME=at, COLUMNS="100")
    if lang:
        env["KERNOSCOPE_LANG"] = lang
    p = subprocess.run(["bash", "-c", command], cwd=at, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120, check=False)
    return p.returncode, p.stdout.decode("utf-8"), p.stderr.decode("utf-8")


def listed(page):
    """The page `help tasks`: task to command."""
    lines = page.splitlines()
    return {lines[i - 1]: line.strip() for i, line in enumerate(lines) if i and line.startswith("    kernoscope ")}


def from_list(words, at, lang=None):
    """The command that the page of tasks gives for the task of these words."""
    found = [c for t, c in listed(shell("kernoscope help tasks", at, lang)[1]).items() if words in t]
    return found[0] if len(found) == 1 else f"false # {len(found)} tasks: {words}"


def from_question(question, at, lang=None):
    """The command that comes first when it is asked in words."""
    out = shell(f"kernoscope route '{question}'", at, lang)[1]
    found = re.findall(r"^   (kernoscope .*)$", out, re.M)
    return found[0] if found else f"false # no route: {question}"


def both_ways(at, words, words_zh, *questions):
    """The task is on the page in both languages, and every question leads to that same command."""
    command = from_list(words, at)
    others = [from_list(words_zh, at, "zh")]
    others += [from_question(q, at, "zh" if CHINESE.search(q) else None) for q in questions]
    tap.none([o for o in others if o != command], f"{words}: one command, from the page and from words")
    return command


def start():
    at = folder("start")
    rc, _, err = shell("kernoscope", at)
    tap.ok(rc != 0 and "--help" in err and "--ks-sqlite run.sqlite" in err, "alone it says what to give it and where help is", err)
    rc, out, _ = shell("kernoscope --help", at)
    for word in ("kernoscope help tasks", "--ks-sqlite run.sqlite", "remedy ", "doctor ", "config ", "route "):
        tap.ok(word in out, f"--help shows the way to: {word.strip()}", out)
    tasks, tasks_zh = [listed(shell("kernoscope help tasks", at, lang)[1]) for lang in ("en", "zh")]
    tap.ok(len(tasks) >= 12 and list(tasks.values()) == list(tasks_zh.values()), "the page of tasks has the same commands in both languages")
    tap.none([t for t in tasks_zh if not CHINESE.search(t)] + [t for t in tasks if CHINESE.search(t)], "each in its own words")


def slowest():
    at = folder("slowest")
    command = re.search(r"^usage: (?:kernoscope \[options\]) (--ks-sqlite run\.sqlite)", shell("kernoscope --help", at)[1], re.M)
    tap.ok(command, "the usage line of --help is a command")
    rc, out, _ = shell("kernoscope " + command.group(1), at)
    tap.ok(rc == 0 and out.startswith("gemv_f16_splitk takes 58.0 % of kernel time"), "1 the slowest kernel is the first thing said", out[:200])
    tap.equal(from_list("takes the most time", at), "kernoscope --ks-sqlite run.sqlite", "and the page of tasks has the same command")


def dram():
    at = folder("dram")
    command = both_ways(at, "no DRAM bytes", "没有 DRAM 字节", "why are there no DRAM bytes", "为什么没有 DRAM 字节数")
    rc, out, _ = shell(command, at)
    tap.ok(rc == 0 and "no device samples" in out.lower() and "do: " in out and "dram_bytes" in out,
           "2 why there are no DRAM bytes, and what would give them", out)


def strict():
    at = folder("strict")
    command = both_ways(at, "CI job fail", "CI 在", "make CI fail when a number is missing", "缺少数据时让 CI 失败")
    tap.equal(shell(command, at)[0], 0, "3 CI passes while the number is there")
    rc, _, err = shell(command.replace("ks__theoretical_occupancy_pct", "est__dram_bytes_total"), at)
    tap.ok(rc == 2 and "error(strict)" in err and "est__dram_bytes_total" in err, "and fails with 2 when it is missing, by its name", err)


def share():
    at = folder("share")
    command = both_ways(at, "without names", "不带名称", "send a report to a colleague", "把报告发给同事")
    rc, _, err = shell(command, at)
    files = [os.path.join(d, f) for d, _, fs in os.walk(at) for f in fs if f.startswith("shared") or "shared.case" in d]
    text = b"".join(open(f, "rb").read() for f in files)
    tap.ok(rc == 0 and any(f.endswith("shared.ksreport.json") for f in files), "4 a report to hand on is written", err, files)
    tap.none([w for w in ("gemv_f16_splitk", "decode step", at, os.uname().nodename) if re.search(rb"(?<!\w)%s(?!\w)" % re.escape(w).encode(), text)],
             "with no kernel, range, folder or host in it")


def page():
    at = folder("page")
    command = both_ways(at, "one page", "一页带图", "a page for my boss", "给老板看的报告")
    rc, _, err = shell(command, at)
    with open(os.path.join(at, "run.html"), encoding="utf-8") as f:
        text = f.read()
    tap.ok(rc == 0 and len(text.encode()) <= 64 * 1024 and "58.0 %" in text and "<svg" in text and "<script" not in text,
           "5 a page with charts", err)
    tap.ok("all 3 verdicts hold; weak ones: 2" in text, "that does not call what is weak certain")


def phase():
    at = folder("phase")
    command = both_ways(at, "which phase", "哪个阶段", "which part of my program costs most", "程序哪个阶段最费时间")
    rc, out, _ = shell(command, at)
    table = re.search(r"^ +kernel ms +share .*phase\n(.*)$", out, re.M)
    tap.ok(rc == 0 and table and re.search(r"105\.256 .*request", table.group(1)), "6 the phase that costs most stands first", out[:400])


def occupancy():
    at = folder("occupancy")
    command = both_ways(at, "limits the occupancy", "限制了各 kernel 的占用率", "what limits the occupancy of my kernel", "占用率受什么限制")
    rc, out, _ = shell(command, at)
    tap.ok(rc == 0 and re.search(r"ks__occupancy_limiter +registers", out), "7 what limits the occupancy", out[:400])
    tap.ok("__launch_bounds__" in out, "and what to try")


def counters():
    at = folder("counters")
    command = both_ways(at, "whether ncu can be used", "能不能用 ncu", "can I use ncu here", "我能用 ncu 吗")
    rc, out, _ = shell(command, at)
    tap.ok(rc == 0 and re.search(r"Hardware counters \(ncu\): ", out) and "What you can do" in out, "8 whether counters can be had here", out)


def plan():
    at = folder("plan")
    command = both_ways(at, "would write", "会写哪些文件", "what will this command write", "这条命令会写哪些文件")
    before = sorted(os.listdir(at))
    rc, out, _ = shell(command, at)
    tap.ok(rc == 0 and "writes: run.ksreport.json" in out and sorted(os.listdir(at)) == before, "9 what would be written, and nothing is", out)


def settings():
    at = folder("settings")
    command = both_ways(at, "choose a language", "把语言固定", "how do I get Chinese output for good", "怎么一直用中文")
    pager = re.search(r"`(config pager no)`", shell("kernoscope help tasks", at)[1])
    tap.ok(shell(command, at)[0] == 0 and pager and shell("kernoscope " + pager.group(1), at)[0] == 0, "10 both can be set for good")
    out = shell("kernoscope --ks-sqlite run.sqlite", at)[1]
    tap.ok(CHINESE.search(out.splitlines()[0]), "then it speaks Chinese", out[:200])
    tap.ok(re.search(r"^pager = no", shell("kernoscope config", at)[1], re.M), "and does not page")


def launches():
    at = folder("launches")
    command = both_ways(at, "one row per launch", "每次启动一行", "per-launch data for pandas", "把每次启动导出到电子表格")
    rc, _, err = shell(command, at)
    with open(os.path.join(at, "launches.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    tap.ok(rc == 0 and len(rows) == 2608 and all(int(r["duration_ns"]) > 0 for r in rows), "11 one row for each of 2,608 launches", err, len(rows))


def events():
    at = folder("events")
    command = both_ways(at, "single launches", "单次启动", "which is the longest launch", "最长的拷贝在哪")
    rc, out, _ = shell(command, at)
    event = re.search(r"^(kernel:\S+:\d+) ", out, re.M)
    tap.ok(rc == 0 and event and "(kernel), longest first" in out, "the longest launches, each with an id", out[:300])
    rc, out, _ = shell(f"kernoscope show {event.group(1)} run.sqlite", at)
    tap.ok(rc == 0 and "launched by" in out, "an id shows what launched it", out[:300])
    rc, out, _ = shell(f"kernoscope ncu-command {event.group(1)} run.sqlite", at)
    tap.ok(rc == 0 and "--launch-skip" in out.splitlines()[0], "and gives the line for ncu", out[:300])


def code():
    at = folder("code")
    for question in ("what does share_too_low mean", "share_too_low 是什么意思"):
        command = from_question(question, at)
        rc, out, _ = shell(command, at)
        tap.ok(command == "kernoscope remedy share_too_low" and rc == 0 and "95 %" in out and "do: Run the kernel alone" in out,
               f"12 {question}", command, out)
    tap.ok("raised" not in shell("kernoscope route 'I have no price'", at)[1], "words that are no code lead to none")


def agent():
    """An agent reads JSON alone: from the brief to the next layer, from a packet to the remedies it cites."""
    at = folder("agent")
    brief = json.loads(shell("kernoscope capabilities --brief", at)[1])
    rc, out, _ = shell(brief["next_layer"]["command"], at)
    tap.ok(rc == 0 and len(json.loads(out)["answers"]) == 17, "the brief says what to ask next, and there every question stands")
    command = from_list("give an agent", at)
    rc, out, _ = shell(command, at)
    packet = json.loads(out)
    tap.ok(rc == 0 and len(out.encode()) <= 4096 and packet["verdicts"][0]["facts"]["share_pct"] > 58, "the packet ranks")
    bad = [c for c in packet["refusals"] if json.loads(shell(f"kernoscope remedy {c} --json", at)[1])["code"] != c]
    tap.none(bad, "every code it cites has its remedy")
    task = json.loads(shell("kernoscope route 'a page for my boss' --json", at)[1])["tasks"][0]
    tap.equal((task["id"], task["command"]), ("page", from_list("one page", at)), "route answers in JSON too")
    found = json.loads(shell("kernoscope route 'which kernel is slow' --json", at)[1])
    tap.ok(found["tasks"] == [] and found["matched"], "a question about a number is no task")


if not os.path.exists(EXAMPLE):
    tap.skip_all("the example trace is not built: make demo, or make check")
for step in (start, slowest, dram, strict, share, page, phase, occupancy, counters, plan, settings, launches, events, code, agent):
    step()
tap.done()
