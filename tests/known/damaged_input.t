#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs that cannot be read honestly: one line that says what and what to do, exit 1, nothing written.
A damaged file is never read as a smaller one."""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

OUT = os.path.join(tap.TMP, "out")


def refused(path, name, *needs):
    """The file is refused as the issue of this tool demands; `needs` are words the line must hold."""
    os.makedirs(OUT, exist_ok=True)
    folder = os.path.dirname(path)
    before = set(os.listdir(folder)) if os.path.isdir(folder) else None
    r = tap.run("--ks-sqlite", path, "-o", OUT + "/r", "--packet", OUT + "/p.json", timeout=20)
    why = []
    if r.rc != 1:
        why.append(f"exit {r.rc}")
    if r.out:
        why.append(f"stdout: {r.out[:100]!r}")
    if r.err.count(b"\n") != 1 or not r.err.startswith(b"error: "):
        why.append("not one error line")
    if os.listdir(OUT):
        why.append(f"written: {os.listdir(OUT)}")
    if before is not None and set(os.listdir(folder)) != before:
        why.append("files appeared beside the input")
    for word in needs:
        if word.lower() not in r.err.decode("utf-8", "replace").lower():
            why.append(f"the line does not say '{word}'")
    tap.ok(not why, name, *why, r.err.decode("utf-8", "replace"))


def plain(path, rows=200):
    launches = [dict(start=1000 * i, end=1000 * i + 500, demangledName=1 + i % 3, shortName=1 + i % 3) for i in range(rows)]
    trace.make(path, launches, {1: "alpha(int)", 2: "beta(int)", 3: "gamma(int)"})
    return path


def file(name):
    folder = os.path.join(tap.TMP, name)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name + ".sqlite")


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


def simple_ones(good):
    refused(os.path.join(tap.TMP, "nowhere", "x.sqlite"), "a file that is not there", "x.sqlite")
    refused(write(file("empty"), b""), "a file of 0 bytes", "empty")
    refused(os.path.join(tap.TMP, "empty"), "a folder")
    refused(write(file("text"), b"hello, world\n" * 100), "a text file", "SQLite")
    refused(write(file("binary"), bytes(range(256)) * 64), "a file of bytes", "SQLite")
    refused(write(file("header"), good[:100]), "the first 100 bytes of an export")
    refused(write(file("half"), good[:len(good) // 2]), "the first half of an export")
    refused(write(file("page"), good[:-4096]), "an export without its last page")
    db = sqlite3.connect(file("other"))
    db.execute("create table t (a)")
    db.execute("insert into t values (1)")
    db.commit()
    db.close()
    refused(file("other"), "a SQLite file that is no export", "export")
    sqlite3.connect(file("hollow")).execute("create table t (a)").connection.close()
    refused(file("hollow"), "a SQLite file without rows")


def zero_rows():
    """A kernel table with no row beside a device is an answer, not an error."""
    path = plain(file("zero"), rows=0)
    r = tap.run("--ks-sqlite", path)
    tap.ok(r.rc == 0 and b"Test GPU" in r.out, "an export with a device and no launch says so, exit 0", r.out[:400], r.err[:400])
    bare = file("bare")
    trace.make(bare, [], {}, gpu=False)
    refused(bare, "an export with nothing in it at all")


def flipped(good, name):
    """Bits flipped anywhere: an error, or a report; never a crash, a hang, or two kinds of answer at once."""
    seed = 20261130
    rng = random.Random(seed)
    bad, errors = [], 0
    for i in range(60):
        data = bytearray(good)
        for _ in range(rng.choice((1, 8, 64))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path = write(file("flip"), bytes(data))
        try:
            r = tap.run("--ks-sqlite", path, timeout=20)
        except subprocess.TimeoutExpired:
            bad.append(f"case {i}: hangs")
            continue
        errors += r.rc == 1
        if r.rc not in (0, 1):
            bad.append(f"case {i}: exit {r.rc} {r.err[:200]!r}")
        elif r.rc == 1 and (r.out or sum(line.startswith(b"error: ") for line in r.err.splitlines()) != 1):
            bad.append(f"case {i}: exit 1 with {r.out[:60]!r} {r.err[:200]!r}")
    tap.ok(not bad and errors > 0, f"{name}: 60 copies with flipped bits (seed {seed}), {errors} refused", *bad)


def locked(good):
    path = write(file("locked"), good)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    refused(path, "a file another program holds locked", "lock")
    holder.execute("rollback")
    holder.close()


def unreadable(good):
    """As root the program is run as nobody, from a copy that nobody may read."""
    path = write(file("secret"), good)
    os.chmod(path, 0)
    if os.geteuid() != 0:
        refused(path, "a file without read permission", "permission")
    elif shutil.which("setpriv"):
        program = shutil.copy(tap.BIN, os.path.join(tap.TMP, "kernoscope"))
        os.chmod(tap.TMP, 0o755)
        p = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "--ks-sqlite", path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        tap.ok(p.returncode == 1 and not p.stdout and p.stderr.count(b"\n") == 1 and b"permission" in p.stderr.lower(),
               "a file without read permission", p.returncode, p.stderr)
    else:
        tap.skip("root reads every file and there is no setpriv")
    os.chmod(path, 0o600)


def write_ahead_log():
    """Rows that are only in the -wal must be counted, or the file refused with the remedy."""
    path = file("wal")
    plain(path, rows=10)
    child = subprocess.run([sys.executable, "-c", f"""
import os, sqlite3
db = sqlite3.connect({path!r})
db.execute("pragma journal_mode = wal")
db.execute("pragma wal_autocheckpoint = 0")
db.execute("insert into CUPTI_ACTIVITY_KIND_KERNEL select start + 1000000, end + 1000000, {', '.join(trace.COLUMNS[2:])} from CUPTI_ACTIVITY_KIND_KERNEL")
db.commit()
os.kill(os.getpid(), 9)
"""], check=False)
    tap.equal((child.returncode, os.path.getsize(path + "-wal") > 0), (-signal.SIGKILL, True), "a capture killed before its checkpoint leaves a -wal")
    before = {n: os.path.getsize(os.path.join(os.path.dirname(path), n)) for n in os.listdir(os.path.dirname(path))}
    r = tap.run("--ks-sqlite", path, "--launch-csv")
    rows = r.out.count(b"\r\n") - 1
    after = {n: os.path.getsize(os.path.join(os.path.dirname(path), n)) for n in os.listdir(os.path.dirname(path))}
    honest = (r.rc == 0 and rows == 20) or (r.rc == 1 and not r.out and b"wal" in r.err.lower() and r.err.count(b"\n") == 1)
    tap.ok(honest, "its rows are read, or the file is refused with the remedy", f"exit {r.rc}, {rows} rows", r.err[:300])
    tap.equal(before, after, "and nothing beside the input changes")


def main():
    tap.need_bin()
    with open(plain(file("good")), "rb") as f:
        good = f.read()
    r = tap.run("--ks-sqlite", file("good"))
    tap.ok(r.rc == 0, "the undamaged export is read", r.err)
    simple_ones(good)
    zero_rows()
    locked(good)
    unreadable(good)
    write_ahead_log()
    flipped(good, "a small export")
    real = os.path.join(tap.SHARED, "data", "nsys-sqlite", "rtx3060_2025.sqlite")
    if os.path.exists(real):
        with open(real, "rb") as f:
            flipped(f.read(), "a real export")
    else:
        tap.skip(f"no {real}")
    tap.done()


main()
