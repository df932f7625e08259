#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--format md: one kernel in seven numbered sections. The judge of Markdown is cmark-gfm (Debian: cmark-gfm),
GitHub's own parser, told to let raw HTML through: whatever a name manages to become shows in its tree. Numbers
are judged by the JSON report of the same input."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import export  # noqa: E402
import made    # noqa: E402
import report  # noqa: E402
import tap     # noqa: E402

tap.need_bin()
NS = "{http://commonmark.org/xml/1.0}"
CMARK = shutil.which("cmark-gfm")
EXAMPLE = os.path.join(tap.BUILD, "example.sqlite")

# heading level and the number it begins with
TREE = [(1, ""), (2, "0."), (3, ""), (3, ""), (3, ""), (2, "1."), (2, "2."), (3, "2.1"), (3, "2.2"), (3, "2.3"),
        (3, "2.4"), (3, "2.5"), (3, "2.6"), (3, "2.7"), (2, "3."), (3, ""), (2, "4."), (2, "5."), (2, "6.")]
ENGLISH = ["0. Profiling setup", "1. Headline numbers", "2. Per-dimension analysis", "3. Summary diagnosis",
           "4. Optimization directions (ranked by impact)", "5. Confidence & caveats", "6. Reproduction"]
DIMENSIONS = ["2.1 SM occupancy & launch geometry", "2.2 Thread-block balance (tail effect)",
              "2.3 Instruction-level stall analysis", "2.4 Tensor Core utilization", "2.5 SM utilization timeline",
              "2.6 Memory access pattern", "2.7 Additional findings"]

NAMES = [
    "plain(float*)", "a|b|c(int)", "| --- | --- |", "`tick`", "``` sh", "a``b`c```d", "# heading", "\n\n# heading\n\n",
    "<script>alert(1)</script>", "<img src=x onerror=y>", "</td></tr><h1>x</h1>", "<!-- comment", "&lt;b&gt; &amp; &#35;",
    "[link](http://x.y)", "![image](http://x.y/z.png)", "[ref]: http://x.y", "http://x.y/z www.x.y a@b.cc", "<http://x.y>",
    "*bold* **more** _under_ ~~gone~~", "- item", "1. item", "> quote", "---", "===", "    code", "\tcode", "\\|", "a\\",
    "\\`", "|\\", "\u202egnp.exe\u2066", "\x1b[31mred", "$$x$$", "a\r\n| 1 | 2 |", " lead and trail ", "x" * 5000,
    "operator|(int)", "void f<(bool)1, 2>(char const*, ...)", "核函数<float>(float*)", "[x]", "- [ ] task", "^[note]",
]


def xml(text):
    p = subprocess.run([CMARK, "--unsafe", "-t", "xml", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist"],
                       input=text, stdout=subprocess.PIPE, check=True)
    return ET.fromstring(p.stdout)


def words(node):
    return "".join(n.text or "" for n in node.iter() if n.tag in (NS + "text", NS + "code"))


def headings(tree):
    return [(int(h.get("level")), words(h)) for h in tree.iter(NS + "heading")]


def structure_faults(tree, directions=True):
    """What a name, or anything else of the input, may have become."""
    bad = []
    for tag in ("html_block", "html_inline", "link", "image", "strikethrough", "block_quote", "thematic_break"):
        bad += [f"{tag}: {(n.text or words(n))[:60]!r}" for n in tree.iter(NS + tag)]
    got = [(level, t) for level, t in headings(tree) if not re.match(r"(Priority|优先级) \d", t)]
    if len(got) != len(TREE):
        return bad + [f"{len(got)} headings: {[t[:40] for _, t in got]}"]
    bad += [f"heading {t!r} in place of {w}" for (level, t), w in zip(got, TREE) if level != w[0] or not t.startswith(w[1])]
    rows = [r for t in tree.iter(NS + "table") for r in t]
    bad += [f"{len(r)} cells: {words(r)[:80]}" for r in rows if len(r) != 5]
    if len(list(tree.iter(NS + "table"))) != 1:
        bad.append("not exactly one table")
    return bad


def markdown(*args, **kw):
    return tap.run(*args, "--format", "md", **kw)


def of_name(name, device="Test GPU", folder="."):
    def fill(db):
        db.nvtx(0, 9000, name)
        db.launch(10, 1000, 3000, name, 1, localMemoryPerThread=16)
        db.launch(20, 3000, 5000, name, 2, gridX=80)
        db.launch(30, 6000, 6100, "other()", 3)
        db.copy(5000, 5900, 64)
        db.db.execute("update TARGET_INFO_GPU set name = ?", (device,))
    return made.make(fill)


# --- a report -------------------------------------------------------------------------------------------
r = markdown("--ks-sqlite", EXAMPLE)
text = r.out.decode("utf-8")
tap.equal(r.rc, 0, "the example has a report")
tap.equal(markdown("--ks-sqlite", EXAMPLE).out, r.out, "the same input gives the same bytes")
tap.equal([t[3:] for t in text.split("\n") if t.startswith("## ")], ENGLISH, "with the sections of the contract, in order")
tap.equal([t[4:] for t in text.split("\n") if re.match(r"### 2\.", t)], DIMENSIONS, "and the dimensions of section 2")
tap.ok(re.search(r"^\| .* \| exact \| `gpu__time_duration.sum` \|$", text, re.M), "a headline row has value, unit, provenance and source")
tap.ok(not re.search(r"\b20[2-9]\d-\d\d-\d\d", text), "no time of the run is in it")
zh = markdown("--ks-sqlite", EXAMPLE, "--lang", "zh").out.decode("utf-8")
tap.equal(len(re.findall(r"^##+ ", zh, re.M)), len(re.findall(r"^##+ ", text, re.M)), "in Chinese it has as many headings")
tap.ok(not re.search(r"[\u4e00-\u9fff]", text) and re.search(r"[\u4e00-\u9fff]", zh), "each in its own language")
tap.ok("= `512|1536|2752|16000`" in text and "u{7C}" not in text, "a bar outside a table is a bar")
tap.none(re.findall(r".*[\u4e00-\u9fff][,:(].*|.*[，：（][ ]?[,:].*|.*。 .*", re.sub(r"`[^`]*`", "``", zh)), "Chinese has its own commas, colons and stops")

# --- as a file ---------------------------------------------------------------------------------------------
where = os.path.join(tap.TMP, "as a file")
os.mkdir(where)
r = tap.run("--ks-synthetic", "--report-md", "it's.md", "--packet", "p.json", "--format", "csv", cwd=where)
with open(os.path.join(where, "it's.md"), encoding="utf-8") as f:
    written = f.read()
line = "kernoscope --ks-synthetic --report-md 'it'\\''s.md' --packet p.json --format csv"
tap.ok(r.rc == 0 and written.count(f"\n```sh\n{line}\n```\n") == 2, "--report-md writes it, with the command line in sections 0 and 6", written[:200])
tap.equal(subprocess.run(["sh", "-c", "printf '%s\n' " + line], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[3], "it's.md",
          "as a shell reads it")
tap.ok("- packet: `p.json`\n" in written and "- report:" not in written, "and the files of that run as artifacts")
r = tap.run("--ks-synthetic", "--report-md", "it's.md", cwd=where)
tap.ok(r.rc == 1 and b"exists already" in r.err, "an old file is not replaced without -f")

# --- its numbers ----------------------------------------------------------------------------------------
ROW = re.compile(r"^- `([^`]+)` = (?:(n/a) \(`([a-z_0-9]+)`\)|(\S+)(?: (\S+))?) \\\[(\w+)\\\]", re.M)


def human(v):
    """%.6g, and whole numbers as they are: how values are shown."""
    if isinstance(v, float) and not v.is_integer():
        return f"{v:.6g}"
    return str(int(v)) if isinstance(v, (int, float)) else str(v)


def number_faults(document, report):
    kernels = [k for k in report["kernels"] if k["name"] != "(device)"]
    allowed = {}
    for k in [kernels[0]] + [k for k in report["kernels"] if k["name"] == "(device)"]:
        for s in k["sections"]:
            for m in s["metrics"]:
                value = "n/a" if m.get("refusal") else human(m["value"]) if not isinstance(m["value"], str) else None
                allowed.setdefault(m["name"], set()).add((value, m["provenance"]))
    bad, seen = [], 0
    for name, na, code, value, unit, prov in ROW.findall(document):
        seen += 1
        got = "n/a" if na else value
        if name not in allowed:
            bad.append(f"{name} is no row of this kernel or the device")
        elif (got, prov) not in allowed[name] and (None, prov) not in allowed[name]:
            bad.append(f"{name}: {got} [{prov}] is none of {allowed[name]}")
    if seen < 20:
        bad.append(f"only {seen} rows were found")
    return bad


def report_of(*args):
    return json.loads(tap.run(*args, "--format", "json").out)


tap.none(number_faults(text, report_of("--ks-sqlite", EXAMPLE)), "every number is one of that kernel or of the device")
blocks = re.split(r"^### Priority \d+ ", text, flags=re.M)[1:]
tap.ok(2 <= len(blocks) <= 5, "directions are two to five here", len(blocks))
tap.none([b[:60] for b in blocks if not all(w in b for w in ("**Evidence:**", "**Expected impact:**", "**Effort:**"))],
         "each with evidence, expected impact and effort")
tap.none([b[:60] for b in blocks if not re.search(r"At most \d|not quantified: `[a-z_]+`", b.replace("**", ""))],
         "each bounded, or not quantified with a code")
bounds = [float(m.group(1)) for m in (re.search(r"impact:\*\* At most ([\d.]+) ms", b) for b in blocks) if m]
tap.ok(len(bounds) >= 2 and bounds == sorted(bounds, reverse=True), "those with a bound come by size", bounds)

# --- by hand: 2 launches of 2000 ns in a span of 1000..6100 ns; the device idles 100 ns, copies alone 900 ns ---------
r = markdown("--ks-sqlite", of_name("gemm(float*)"))
hand = r.out.decode("utf-8")
for want in ("`gpu__time_duration.sum` = 0.004 ms", "`ks__device_0__time_copy_ms` = 0.0009 ms",
             "**Expected impact:** At most 0.0009 ms, 17.6471 % of the span", "Each thread has 16 bytes of local memory",
             "The launches have 2 configurations"):
    tap.ok(want in hand, f"worked by hand: {want}")
tap.ok("keep the device busy" not in hand, "2 % idle time is no direction")

# --- what is not there ------------------------------------------------------------------------------------
def only_copies(db):
    db.copy(0, 1000, 4096)


r = markdown("--ks-sqlite", made.make(only_copies))
tap.ok(r.rc == 1 and r.out == b"" and r.err.count(b"\n") == 1 and b"no kernel for a Markdown report" in r.err,
       "without a kernel there is one line of advice and nothing else", r.rc, r.out, r.err)
r = markdown("--ks-synthetic", "-k", "synthetic_elementwise")
tap.ok(b"# Kernel report: `synthetic_elementwise(float*)`" in r.out and b"SYNTHETIC DATA" in r.out, "-k chooses the kernel; made-up data says so")
tap.ok(b"synthetic_gemm" not in r.out.split(b"## 6")[0].split(b"## 0")[1], "and the other one is not in it")

# a file need not list its kernels by time: whoever wrote it, the document is about the one with most
unsorted = markdown("-i", report.Report({"short": 1000000, "long": 7000000}).write(os.path.join(tap.TMP, "unsorted.ksreport.json")))
tap.ok(unsorted.out.startswith(b"# Kernel report: `long`"), "a report that lists the short kernel first is about the long one",
       unsorted.out[:80])

def two_cards(db):
    db.kernel(0, 100, "k()", correlationId=1)
    db.kernel(0, 100, "k()", correlationId=2, deviceId=1)


cards = [line for line in markdown("--ks-sqlite", made.make(two_cards, gpus=2)).out.decode("utf-8").splitlines() if line.startswith("- **GPU:**")]
tap.ok(len(cards) == 2 and "device 0, " in cards[0] and "device 1, " in cards[1], "two cards of one name are told apart", cards)

# --- hostile text -------------------------------------------------------------------------------------------
if CMARK is None:
    tap.skip("no cmark-gfm: what a Markdown parser sees is not judged")
else:
    bad = structure_faults(xml(r.out)) + structure_faults(xml(text.encode())) + structure_faults(xml(zh.encode()))
    tap.none(bad, "GitHub's parser sees the headings, one table of five columns, and nothing else")
    tap.none([x for x in ("# extra", "<b>x</b>", "[a](http://b)", "| a |\n| - |\n| b |", "m@x.y") if not structure_faults(xml(f"{text}\n{x}\n".encode()))],
             "a heading, a tag, a link, a table or an address would be noticed")
    bad = []
    for name in NAMES:
        r = markdown("--ks-sqlite", of_name(name, device=name))
        if r.rc != 0:
            bad.append(f"{name[:40]!r}: rc {r.rc} {r.err[:200]!r}")
            continue
        bad += [f"{name[:40]!r}: {f}" for f in structure_faults(xml(r.out))]
    tap.none(bad, f"{len(NAMES)} hostile names of kernels, ranges and devices change nothing of it")
    folder = os.path.join(tap.TMP, "a|b`c`<i>")
    os.mkdir(folder)
    path = os.path.join(folder, "``` x.sqlite")
    shutil.copy(of_name("k()"), path)
    r = markdown("--ks-sqlite", path)
    tap.none(structure_faults(xml(r.out)), "nor does the path of the input")
    titles = {"a|b|c(int)": "a|b|c(int)", "`tick`": "`tick`", "\n\n# heading\n\n": "\\n\\n# heading\\n\\n", "<script>alert(1)</script>": "<script>alert(1)</script>"}
    got = {n: headings(xml(markdown("--ks-sqlite", of_name(n)).out))[0][1].split(": ", 1)[-1] for n in titles}
    tap.equal({n: t.replace("Kernel report: ", "").strip() for n, t in got.items()}, titles, "and the title shows the name as it is")

# --- real files --------------------------------------------------------------------------------------------
files = sorted(glob.glob(os.path.join(tap.SHARED, "data", "nsys-sqlite", "*.sqlite")))[::6]
if not files:
    tap.skip("no ../shared/data/nsys-sqlite: real exports are not tried")
else:
    bad, done = [], 0
    for path in files:
        r = markdown("--ks-sqlite", path)
        if r.rc != 0:
            if b"no kernel for a Markdown report" not in r.err:
                bad.append(f"{os.path.basename(path)}: {r.err[:200]!r}")
            continue
        done += 1
        faults = number_faults(r.out.decode("utf-8"), report_of("--ks-sqlite", path))
        faults += structure_faults(xml(r.out)) if CMARK else []
        bad += [f"{os.path.basename(path)}: {f}" for f in faults]
    tap.none(bad, f"{done} real exports give sound reports")
    tap.ok(done >= 3, "and that were some", done)
tap.done()
