#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--ks-selfcheck: what a self-test found on the card says how large a difference must be to be one. The values are
those of the file; a file that is none, or is of another card, is left out with a word and changes nothing else."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import made    # noqa: E402
import report  # noqa: E402
import tap     # noqa: E402

tap.need_bin()
os.chdir(tap.TMP)
BAND = {"basis": "copy, read, write", "high": 9.5, "low": -2.5, "n": 9}


def kernels(db):
    db.launch(0, 1000, 4000, "gemm()", 1)
    db.launch(50, 4000, 5000, "add()", 2)


TRACE = made.make(kernels)
CARD = json.loads(tap.run("--ks-sqlite", TRACE, "--format", "json").out)["device"]["name"]


def selfcheck(name, **keys):
    with open(name, "w", encoding="utf-8") as f:
        json.dump(dict({"schema_version": 1, "ok": True, "gpu": CARD, "band": {"dram_bytes_pct": BAND, "excluded": {"matmul": "no"}},
                        "mdd": {"dram_bytes_pct": 5.5, "kernel_time_pct": 0.75, "basis": "text"}}, **keys), f)
    return name


def decisions(*args):
    r = tap.run(*args, "--packet", "-", "--screen", "off")
    p = json.loads(r.out) if r.rc == 0 else {"verdicts": [], "cost": {}}
    return r, {v["id"]: (v.get("band"), v.get("mdd")) for v in p["verdicts"]}, p["cost"].get("selftest_band")


# --- a trace -----------------------------------------------------------------------------------------------
good = selfcheck("good.json")
tap.ok(CARD, "the trace names its card", CARD)
r, plain, band = decisions("--ks-sqlite", TRACE)
tap.ok(set(plain.values()) == {(None, None)} and band is False, "without a self-test no decision has a smallest difference", plain)
r, got, band = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", good)
tap.equal((r.rc, r.err), (0, b""), "a self-test of this card is taken without a word")
tap.equal(got["kernel_time"], (None, 0.75), "kernel_time: the smallest difference of kernel times")
tap.equal([v for k, v in got.items() if k not in ("kernel_time", "occupancy")], [(None, None)] * (len(got) - ("occupancy" in got) - 1),
          "what it says nothing of has none")
tap.ok(band is True, "and the packet says that there is a band")
for other in (CARD.replace("NVIDIA ", ""), "NVIDIA " + CARD.replace("NVIDIA ", ""), f" {CARD} "):
    _, got, _ = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", selfcheck("same.json", gpu=other))
    tap.equal(got["kernel_time"], (None, 0.75), f"the card may be called {other!r}")
_, got, _ = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", selfcheck("nameless.json", gpu=None))
tap.equal(got["kernel_time"], (None, 0.75), "a self-test that does not name its card is believed")

for form, lang in (("screen", "en"), ("html", "en"), ("md", "en"), ("md", "zh")):
    r = tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", good, "--format", form, "--lang", lang)
    tap.ok(b"MDD 0.75 %" in r.out, f"{form} shows it ({lang})", r.out[:400])

# --- left out ----------------------------------------------------------------------------------------------
r, got, band = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", selfcheck("other.json", gpu="NVIDIA Other 9"))
tap.ok(r.rc == 0 and got == plain and band is False, "a self-test of another card changes nothing", r.rc, got)
tap.ok(b"warn: other.json is the self-test of another GPU" in r.err, "and a word says so", r.err)
with open("broken.json", "w", encoding="utf-8") as f:
    f.write('{"mdd": ')
for name, why in (("absent.json", b"does not exist"), ("broken.json", b"is not valid JSON"),
                  (selfcheck("failed.json", ok=False), b"ok is not true"),
                  (selfcheck("list.json", mdd=[1]), b"mdd is not an object"),
                  (selfcheck("text.json", mdd={"kernel_time_pct": "x"}), b"kernel_time_pct is not a number")):
    r, got, band = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", name)
    tap.ok(r.rc == 0 and got == plain and band is False, f"{name}: the report stands without it", r.rc, got)
    tap.ok(why in r.err and b"--ks-selfcheck is left out" in r.err and r.err.count(b"\n") == 2, f"{name}: two lines say why", r.err)
r = tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", "absent.json", "--lang", "zh")
tap.ok("未采用".encode() in r.err, "in Chinese as well", r.err)

# --- a report ----------------------------------------------------------------------------------------------
_, once, _ = decisions("--ks-sqlite", TRACE, "--ks-selfcheck", good)
tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", good, "-o", "with", "--no-case", "--quiet")
tap.equal(decisions("-i", "with.ksreport.json")[1:], (once, True), "a report carries its self-test")
tap.run("--ks-sqlite", TRACE, "-o", "without", "--no-case", "--quiet")
tap.equal(decisions("-i", "without.ksreport.json", "--ks-selfcheck", good)[1:], (once, True), "-i takes one that was made later")
tap.run("-i", "without.ksreport.json", "--ks-selfcheck", good, "-o", "later", "--no-case", "--quiet")
tap.equal(decisions("-i", "later.ksreport.json")[1:], (once, True), "and writes it with the report")
with open("later.ksreport.json", encoding="utf-8") as a, open("without.ksreport.json", encoding="utf-8") as b:
    later, without = json.load(a), json.load(b)
tap.equal({k: v for k, v in later["meta"].items() if k != "selfcheck"}, without["meta"], "beside what was there")
tap.equal(later["meta"]["selfcheck"]["band"]["dram_bytes_pct"], BAND, "with its band")
r = report.Report().row("(device)", "est__dram_bytes_total", 1.5, "estimated", "MB")
r.row("(device)", "ks__sampler_window_coverage_pct", 90.0, "derived", "%")
r.write("bytes.ksreport.json")
_, got, _ = decisions("-i", "bytes.ksreport.json", "--ks-selfcheck", selfcheck("any.json", gpu=None))
tap.equal(got["dram_bytes"], (BAND, 5.5), "decisions on bytes have a band as well")

# --- manners -----------------------------------------------------------------------------------------------
tap.run("--ks-sqlite", TRACE, "--packet", "p.json", "--quiet")
r = tap.run("-i", "p.json", "--ks-selfcheck", good)
tap.ok(r.rc == 2 and b"--ks-selfcheck" in r.err, "a packet is decided already", r.rc, r.err)
before = open(good, "rb").read()
r = tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", good, "--packet", good, "-f")
tap.ok(r.rc == 2 and open(good, "rb").read() == before, "it is an input and never written over", r.rc, r.err)
plan = json.loads(tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", good, "--plan-json").out)
tap.equal([s["reads"] for s in plan["steps"] if s["id"] == "read_inputs"], [[TRACE, good]], "a plan lists it as read")
secret = os.path.join(tap.TMP, "secret-name.json")
r = tap.run("--ks-sqlite", TRACE, "--ks-selfcheck", secret, "--redact")
tap.ok(r.rc == 0 and b"secret-name" not in r.err + r.out, "--redact takes its name out of what is said", r.err)
tap.done()
