#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--redact over real exports: nothing that tells who and where, read from the file by another program,
stands in any output; with =names no kernel or range name either; every number is where it was. Some
files spread over the folder, all of them with KS_ALL=1."""
import collections
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import redaction as secrets  # noqa: E402
import tap  # noqa: E402

FOLDER = os.path.join(tap.SHARED, "data", "nsys-sqlite")
PLENTY = 2 << 20  # larger files take a while in every format
SOME = 7


def chosen():
    files = sorted(glob.glob(os.path.join(FOLDER, "*.sqlite")))
    if os.environ.get("KS_ALL"):
        return files
    files = [f for f in files if os.path.getsize(f) < PLENTY]
    return files[::max(1, len(files) // SOME)][:SOME]


def multiset(data):
    return collections.Counter(secrets.numbers(json.loads(data)))


def one(path, own):
    name = os.path.basename(path)
    called = secrets.names(path)
    # an argument of the program that is a part of a kernel's name stays with the name
    who = secrets.some(s for s in secrets.identifying(path) if not any(s in n for n in called))
    called = secrets.some(called)
    plain = secrets.outputs(path)
    if not plain["r.ksreport.json"]:
        out = secrets.outputs(path, "--redact")
        tap.none(secrets.leaks(out, who, own), f"{name}: an error tells nothing of who and where")
        return
    redacted, hashed = secrets.outputs(path, "--redact"), secrets.outputs(path, "--redact=names")
    tap.none(secrets.leaks(redacted, who, own), f"{name}: nothing of who and where ({len(who)} strings)")
    tap.none(secrets.leaks(hashed, who, own) + secrets.leaks(hashed, called, own),
             f"{name}: no name of a kernel or range ({len(called)} names)")
    report = os.path.join(tap.TMP, "plain.ksreport.json")
    with open(report, "wb") as f:
        f.write(plain["r.ksreport.json"])
    again = secrets.reread(report, "--redact=names")
    tap.none(secrets.leaks(again, who | called, own), f"{name}: nor in the report when it is read back")
    want = multiset(plain["r.ksreport.json"])
    for kind, out, file in (("redacted", redacted, "r"), ("hashed", hashed, "r"), ("re-read", again, "again")):
        data = out[file + ".ksreport.json"]
        if not data and tap.run("-i", report).rc:
            tap.skip(f"{name}: the plain report cannot be read back either")
            continue
        if not tap.ok(data, f"{name}: a {kind} report is written", out["messages"]):
            continue
        got = multiset(data)
        tap.none(list((want - got).items())[:5] + list((got - want).items())[:5],
                 f"{name}: every number of the {kind} report is that of the plain one")


def main():
    tap.need_bin()
    files = chosen()
    if not files:
        tap.skip_all("no folder data/nsys-sqlite in KS_SHARED")
    own = b"".join(secrets.outputs(None, source="--ks-synthetic").values()) + tap.run("--help", "all").out
    for path in files:
        one(path, own)
    tap.done()


main()
