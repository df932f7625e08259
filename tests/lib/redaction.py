# SPDX-License-Identifier: Apache-2.0
"""What an export says about who recorded it and where, collected without the program under test: by
Python's sqlite3 and by names of columns. And every output of the program for one input."""
import html
import json
import os
import re
import shutil
import sqlite3

import tap

# Layers of a network are called "/fc/Gemm" too: a path begins in a folder that systems have.
ROOTS = ("home|Users|tmp|opt|usr|mnt|data|var|root|work|scratch|global|common|afs|lib|lib64|etc|srv|proc|sys|run|"
         "workspace|project|projects|software|private|app|content|lustre|gpfs|nfs")
ABSOLUTE = re.compile(rf"(?<![\w/.])(?:/(?:{ROOTS})/[\w.+@~/-]+|[A-Za-z]:\\[^\s\"';|<>]+)")
NAMED = re.compile(r"Hostname|EXPORT_HOST|EXPORT_USER|DEVICE_DISPLAY_NAME|:USER_NAME")
LINE = re.compile(r":ARGUMENT_|:COMMAND$|_FILE$|_PATH|WORKING_DIR|InstallDir|StoragePath")
SHORT = {"root", "user", "host", "true", "false", "Local (CLI)", "localhost"}
FORMATS = ["text", "screen", "json", "csv", "md", "html", "svg", "timeline-svg", "histogram-svg", "occupancy-svg", "occupancy-csv",
           "folded", "nvtx-csv"]


def rows(db, query):
    try:
        return db.execute(query).fetchall()
    except sqlite3.Error:
        return []


def connect(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "replace")
    return db


def variables(text):
    for line in re.split(r"[\0;]", text):
        name, sign, value = line.partition("=")
        if sign:
            yield name, value.strip().strip('"')


def identifying(path):
    """Strings that no redacted output may have."""
    db, found = connect(path), {path, os.path.basename(path)}
    for table in ("META_DATA_CAPTURE", "META_DATA_EXPORT", "EXPORT_META_DATA", "TARGET_INFO_SYSTEM_ENV"):
        for name, value in rows(db, f"select name, value from {table}"):
            value = str(value or "").strip()
            if NAMED.search(name) or LINE.search(name):
                found.add(value)
            if "ENVIRONMENT_VARIABLE" in name or name == "DeviceEnvironment":
                found.update(v for n, v in variables(value) if len(v) > 7 or n in ("USER", "LOGNAME", "HOSTNAME"))
    for column in ("uuid", "busLocation"):
        found.update(str(r[0]) for r in rows(db, f"select {column} from TARGET_INFO_GPU") if r[0])
    for query in ("select value from StringIds", "select text from DIAGNOSTIC_EVENT", "select name from PROCESSES"):
        for (text,) in rows(db, query):
            found.update(ABSOLUTE.findall(str(text or "")))
    db.close()
    return {s for s in found if len(s) > 4 and s not in SHORT and not re.fullmatch(r"[\d.:,%+-]+", s)}


def names(path):
    """Names of kernels and ranges with four letters in a row, without what CUDA calls itself."""
    db, found = connect(path), set()
    for column in ("demangledName", "shortName", "mangledName"):
        found.update(r[0] for r in rows(db, f"select distinct s.value from CUPTI_ACTIVITY_KIND_KERNEL k "
                                            f"join StringIds s on s.id = k.{column}"))
    found.update(r[0] for r in rows(db, "select distinct s.value from NVTX_EVENTS n join StringIds s on s.id = n.textId"))
    found.update(r[0] for r in rows(db, "select distinct text from NVTX_EVENTS"))
    calls = {r[0] for r in rows(db, "select distinct s.value from CUPTI_ACTIVITY_KIND_RUNTIME c "
                                    "join StringIds s on s.id = c.nameId")}
    db.close()
    # what a hash begins with would be found in every hash
    return {n.strip() for n in found - calls
            if n and re.search(r"[A-Za-z]{4}", n) and not re.fullmatch(r"(kernel|range)_[0-9a-f]*", n)}


def outputs(path, *options, source="--ks-sqlite"):
    """{name: bytes} of everything the program writes for one input, messages included."""
    out, folder = {}, os.path.join(tap.TMP, "outputs")
    where = (source, path) if path else (source,)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for form in FORMATS:
        r = tap.run(*where, "--format", form, "--set", "full", *options)
        out[form] = r.out + b"\n" + r.err
    r = tap.run(*where, "--launch-csv", *options)
    out["launch-csv"] = r.out + b"\n" + r.err
    for end in ("perfetto-trace", "trace.json"):
        target = os.path.join(folder, "t." + end)
        r = tap.run(*where, "--ks-perfetto", target, "-f", "--log-file", os.path.join(folder, "log"), *options)
        out[end] = r.err + (open(target, "rb").read() if r.rc == 0 else b"")
        out["log " + end] = open(os.path.join(folder, "log"), "rb").read()
    r = tap.run(*where, "-o", os.path.join(folder, "r"), "-f", "--packet", os.path.join(folder, "p.json"),
                "--html", os.path.join(folder, "p.html"), "--report-md", os.path.join(folder, "p.md"),
                "--ks-json-launches", *options)
    out["messages"] = r.out + b"\n" + r.err
    for place, _, files in os.walk(os.path.join(folder, "r.case")):
        for name in files:
            with open(os.path.join(place, name), "rb") as f:
                out["case " + name] = f.read()
    for name in ("r.ksreport.json", "p.json", "p.html", "p.md"):
        target = os.path.join(folder, name)
        out[name] = open(target, "rb").read() if r.rc == 0 else b""
    if path:
        r = tap.run("explain", "gpu__time_duration.sum", path, *options)
        out["explain"] = r.out + b"\n" + r.err
    return out


def reread(report, *options):
    """The same of a report that is read back."""
    out, again = {}, os.path.join(tap.TMP, "outputs", "again")
    for form in ("text", "screen", "json", "csv", "md", "html", "svg"):
        r = tap.run("-i", report, "--format", form, *options)
        out[form] = r.out + b"\n" + r.err
    for more in (["--ks-json-launches"], []):  # a report may have no launch
        r = tap.run("-i", report, "-o", again, "-f", "--packet", again + ".p", *more, *options)
        if r.rc == 0:
            break
    out["messages"] = r.err
    for name in (again + ".ksreport.json", again + ".p"):
        out[os.path.basename(name)] = open(name, "rb").read() if r.rc == 0 else b""
    return out


def some(strings, most=300):
    """At most so many, spread: a trace may have ten thousand names."""
    strings = sorted(strings)
    return set(strings[::max(1, len(strings) // most)])


def spellings(secret):
    """The bytes that a secret has in the formats."""
    raw = secret.encode("utf-8", "replace")
    return {raw, json.dumps(secret).strip('"').encode(), html.escape(secret).encode("utf-8", "replace")}


def leaks(out, secrets, own):
    """Where a secret stands that is no word of the program itself."""
    found = []
    for secret in sorted(secrets):
        forms = spellings(secret)
        if any(f in own for f in forms):
            continue
        for name, data in out.items():
            for f in forms:
                if f in data:
                    at = data.index(f)
                    found.append(f"{name}: {secret!r} in {data[max(0, at - 60):at + 80]!r}")
                    break
    return found


def numbers(doc, place=""):
    """Every number of a JSON document with its place, indices and names left out."""
    if isinstance(doc, dict):
        for key, value in doc.items():
            if key not in ("parent", "inputs", "id"):
                yield from numbers(value, place + "." + key)
    elif isinstance(doc, list):
        for value in doc:
            yield from numbers(value, place)
    elif isinstance(doc, (int, float)) and not isinstance(doc, bool):
        yield place, doc
