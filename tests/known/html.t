#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The evidence page through the real binary. Its judges are other programs: an XML reader, tidy, and a
headless Chromium that draws it in both languages, on a desk, on a phone, in the dark and printed, and
says which addresses it asked for. The pictures stay in the build folder, below html/."""
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import browser  # noqa: E402
import tap      # noqa: E402
import trace    # noqa: E402

LIMIT = 65536
PICTURES = os.path.join(tap.BUILD, "html")
HOSTILE = [
    b"<script>alert('x')</script> & \"quotes\" <!-- ]]> -->",
    b"</code></th></tr></table><h1>owned</h1>",
    b"<img src=http://example.invalid/x.png onerror=alert(1)>",
    b"&lt;b&gt; &amp;#60; %3Cb%3E",
    "\u202egnp.exe\u2066 bidi \u2069\u200f".encode(),
    b"with\0zero and \x1b[31m escape \x9b31m",
    b"\xff\xfe\x80 not UTF-8 \xed\xa0\x80 surrogate",
    b"line\nfeed\r\nand\ttab",
    ("e" + "\u0301" * 5000).encode(),
    b"x" * 200_000,
    "宽".encode() * 50_000,
    b"javascript:alert(1)",
]


def page_path(name):
    return os.path.join(tap.TMP, name + ".html")


def render(name, *options):
    """The page as bytes, and its file for the judges."""
    r = tap.run(*options, "--format", "html")
    tap.equal((r.rc, len(r.out) <= LIMIT), (0, True), f"{name}: a page within {LIMIT} bytes")
    with open(page_path(name), "wb") as f:
        f.write(r.out)
    return r.out


def tags(page):
    """How many of each element there are, by an XML reader."""
    count = {}
    for element in ElementTree.fromstring(page.split(b"\n", 1)[1]).iter():
        count[element.tag] = count.get(element.tag, 0) + 1
    return count


def text_of(page):
    return "".join(ElementTree.fromstring(page.split(b"\n", 1)[1]).itertext())


def named(path, names):
    """A trace with one kernel a name, two launches of each, the first the longest."""
    rows = []
    for i in range(len(names)):
        for j in range(2):
            start = 100000 * (2 * i + j)
            rows.append(dict(start=start, end=start + 90000 - 100 * i, demangledName=i + 1, shortName=i + 1, mangledName=i + 1))
    trace.make(path, rows, {i + 1: name for i, name in enumerate(names)})
    return path


def many(path, kernels):
    """Kernels of their own names, so close that every column of a picture holds several."""
    names = {i + 1: f"void library::kernel_{i:05d}<float, {i}>(float *, int)" for i in range(kernels)}
    rows = [dict(start=1000 * i, end=1000 * i + 400 + i % 500, streamId=7 + i % 40, demangledName=i + 1, shortName=i + 1,
                 mangledName=i + 1) for i in range(kernels)]
    spans = [trace.span(50000 * i, 50000 * i + 49000 + i % 7, "step") for i in range(kernels // 50)]
    trace.make(path, rows, names, tables={"NVTX_EVENTS": spans} if spans else None)
    return path


tap.need_bin()
os.makedirs(PICTURES, exist_ok=True)

# given an ordinary trace, then the page is whole, repeats, and is what the option writes as well
small = named(os.path.join(tap.TMP, "small.sqlite"), [b"gemm(float*)", b"softmax(float*)", b"copy_kernel(int*)"])
plain = render("plain", "--ks-sqlite", small)
chinese = render("chinese", "--ks-sqlite", small, "--lang", "zh")
tap.equal(tap.run("--ks-sqlite", small, "--format", "html").out, plain, "the same trace gives the same bytes")
tap.ok(b'lang="zh-Hans"' in chinese and "下一步".encode() in chinese and b"What to do next" not in chinese,
       "a page in Chinese has its own words in Chinese")
want = ["header", "conclusion", "provenance-legend", "verdicts", "refusals", "unmeasured", "cost", "footer"]
ids = re.findall(rb'<(?:header|section|footer) id="([a-z-]+)"', plain)
tap.equal([i.decode() for i in ids if i.decode() in want], want, "the sections of the contract are there in order")
body = text_of(plain[:15] + b"\n" + plain[plain.index(b"<body>"):plain.index(b"</body>") + 7])
tap.ok(body.strip().startswith("gemm(float*) takes "), "the first text of the page is the finding", body.strip()[:120])
tap.ok(b'<section id="timeline">' in plain, "the timeline is drawn: the run was asked for its picture")

# given names made by someone who means harm, then nothing but text changes
benign = named(os.path.join(tap.TMP, "benign.sqlite"), [b"kernel_%02d" % i for i in range(len(HOSTILE))])
harm = named(os.path.join(tap.TMP, "harm.sqlite"), HOSTILE)
tame, hostile = render("benign", "--ks-sqlite", benign), render("hostile", "--ks-sqlite", harm)
tap.equal(tags(hostile), tags(tame), "hostile names change no element")
bad = [f"U+{ord(c):04X}" for c in hostile.decode("utf-8") if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or
                                                                            c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")]
tap.none(bad, "no control or bidi character reaches the page")

# given 20,000 kernels, then the page is cut to its size and says what it left out
big = many(os.path.join(tap.TMP, "big.sqlite"), 20000)
large = render("large", "--ks-sqlite", big)
tap.ok(re.search(rb">19,9\d\d more kernels<", large) is not None, "kernels that have no row are counted")

# given streams on which no column of the picture is like the next, then the page has less detail and says so
rows, at = [], [0] * 12
for i in range(24000):
    stream, length = i % 12, 300 + (i * 7919) % 1700
    rows.append(dict(start=at[stream], end=at[stream] + length, streamId=stream, demangledName=1 + i * 31 % 7, shortName=1, mangledName=1))
    at[stream] += length + (i * 104729) % 1500
dense = os.path.join(tap.TMP, "dense.sqlite")
trace.make(dense, rows, {i: f"kernel_{i}(int)" for i in range(1, 8)})
thick = render("dense", "--ks-sqlite", dense)
tap.ok(b"This page shows less detail to stay within 65,536 bytes" in thick, "what was cut to fit is said")
tap.ok(thick.count(b'<div class="ln">') >= 2 and b"kernel_7" in thick, "and there are strips and kernels all the same")

# given a packet and nothing else, then there is a page of it, and no number that it refuses
packet = {
    "schema_version": 1, "schema_revision": "1.4", "tool": "kernoscope", "tool_version": "0.2.3",
    "protocol": {"hash": "sha256:0ddd60fece897124", "basis": "", "window_mode": "auto"},
    "env": {"tier": 0, "tier_name": "demo", "counter_state": "not-installed", "blocked_by": []},
    "verdicts": [
        {"id": "kernel_time", "status": "ok", "actionable": True, "value": 4.755, "unit": "ms", "provenance": "exact",
         "facts": {"launches": 25}, "premises": [{"id": "kernel_share_of_total", "observed": 96.6, "ok": True, "unit": "%"}]},
        {"id": "occupancy", "status": "refused", "actionable": False, "value": 31.4159, "unit": "%", "provenance": "exact",
         "facts": {"uncitable_value": 27.1828}, "premises": [], "refusal": {"code": "unknown_arch"}}],
    "unmeasured": [{"code": "counters_denied", "count": 4, "examples": ["a", "b"]}],
    "refusals": {"unknown_arch": {"action": "name it", "cost_kind": "manual"},
                 "counters_denied": {"action": "ask the host", "cost_kind": "unavailable"}},
    "next": [{"for": "occupancy", "code": "unknown_arch"}], "cost": {"launches": 25, "unmeasured_metrics": 4, "measured_metrics": 9}}
packet_file = os.path.join(tap.TMP, "packet.json")
with open(packet_file, "w", encoding="utf-8") as f:
    json.dump(packet, f)
read = render("packet", "-i", packet_file)
tap.ok(b">4.755<" in read and b"31.4159" not in read and b"27.1828" not in read and b"uncitable" not in read,
       "a page of a packet shows what it measured and nothing it refused")
report = os.path.join(tap.TMP, "r")
tap.equal(tap.run("--ks-sqlite", small, "-o", report).rc, 0, "a report is written")
again = render("report", "-i", report + ".ksreport.json")
tap.ok(b'<section id="kernels">' in again and b'<section id="timeline">' not in again,
       "a page of a report has its kernels and no timeline, which it does not hold")

def luminance(colour):
    """WCAG 2.1, relative luminance of #rgb or #rrggbb."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * d for d in colour[1:])
    channel = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channel]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# text on its ground: 4.5 (WCAG 2.1, 1.4.3); what a chart is drawn with on the ground of charts: 2 at least
text_on = [("fg", "bg"), ("mu", "bg"), ("fg", "pa"), ("mu", "pa"), ("ac", "bg"), ("wa", "bg")] + [
    (badge + "f", badge) for badge in ("ex", "me", "de", "es", "un")]
schemes = re.findall(r":root\{([^}]*)\}", plain.decode())
bad = []
for scheme, rules in zip(("light", "dark"), schemes):
    colour = dict(re.findall(r"--(\w+):(#[0-9a-f]+)", rules))
    bad += [f"{scheme}: {a} on {b}: {contrast(colour[a], colour[b]):.2f}" for a, b in text_on if contrast(colour[a], colour[b]) < 4.5]
    bad += [f"{scheme}: {k} on pa: {contrast(colour[k], colour['pa']):.2f}" for k in colour
            if re.fullmatch("k[0-5ocm]", k) and contrast(colour[k], colour["pa"]) < 2]
tap.equal((len(schemes), bad), (3, []), "text has the contrast of WCAG AA, light and dark")

PAGES = ("plain", "chinese", "benign", "hostile", "large", "dense", "packet", "report")



def addresses(page):
    """What a page could load or lead to, by an XML reader: attributes that hold an address, and style."""
    for element in ElementTree.fromstring(page.split(b"\n", 1)[1]).iter():
        for name, value in element.attrib.items():
            if name in ("src", "srcset", "data", "action", "href", "poster", "background", "formaction"):
                if not (name == "href" and (value.startswith("#") or value == "data:,")):
                    yield f"{element.tag} {name}={value}"
            if name.startswith("on"):
                yield f"{element.tag} {name}"
            if name == "style" and ("url" in value or "import" in value):
                yield value
        if element.tag in ("script", "iframe", "object", "embed", "base", "form"):
            yield element.tag
        if element.tag == "style" and re.search(r"url|@import|expression", element.text):
            yield element.text


# nothing from outside, in any of them
outside = [f"{name}: {found}" for name in PAGES for found in addresses(open(page_path(name), "rb").read())]
tap.none(outside, "no page names anything outside of it")

if shutil.which("xmllint"):
    bad = [f"{name}: {p.stderr.decode()[:200]}" for name in PAGES
           for p in [subprocess.run(["xmllint", "--noout", "--huge", page_path(name)], stderr=subprocess.PIPE, check=False)]
           if p.returncode != 0]
    tap.none(bad, "xmllint finds every page well-formed")
else:
    tap.skip("no xmllint")
if shutil.which("tidy"):
    bad = [f"{name}: {p.stdout.decode()[:300]}" for name in PAGES
           for p in [subprocess.run(["tidy", "-q", "-e", "-utf8", page_path(name)], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, check=False)] if p.returncode != 0]
    tap.none(bad, "tidy has neither errors nor warnings")
else:
    tap.skip("no tidy")

if browser.program() is None:
    for what in ("requests", "a browser reads the same elements", "pictures", "a printed page"):
        tap.skip(f"no chromium: {what}")
    tap.done()

# the control first: the same question of a page that does ask
control = os.path.join(tap.TMP, "control.html")
with open(control, "w", encoding="utf-8") as f:
    f.write("<!DOCTYPE html><title>c</title><img src='http://example.invalid/x.png'>")
tap.equal(browser.requests(control), ["http://example.invalid/x.png"], "the browser tells what a page asks for")
tap.equal([browser.requests(page_path(name)) for name in ("plain", "hostile")], [[], []], "no request leaves the page")
dom = [re.sub(r"(?s)<style>.*?</style>", "", browser.tree(page_path(name))) for name in ("benign", "hostile")]
tap.equal(*[sorted(re.findall(r"<[a-z0-9]+", page)) for page in dom], "a browser finds the same elements whatever the names are")
missing = []
for name, width, dark in (("plain", 1280, False), ("plain", 360, False), ("plain", 1280, True), ("chinese", 1280, False),
                          ("chinese", 360, False), ("hostile", 1280, False), ("hostile", 360, False), ("large", 1280, False), ("dense", 1280, False)):
    if name == "chinese" and not browser.has_chinese():
        print("# no font for Chinese: those pictures show boxes")
    picture = os.path.join(PICTURES, f"{name}-{width}{'-dark' if dark else ''}.png")
    if not browser.screenshot(page_path(name), picture, width=width, dark=dark):
        missing.append(picture)
tap.none(missing, "pictures of both languages at 1280 and 360 pixels, light and dark")
tap.ok(browser.printed(page_path("plain"), os.path.join(PICTURES, "plain.pdf")), "the page prints")
tap.done()
