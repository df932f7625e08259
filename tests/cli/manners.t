#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a terminal: the pager, colours, the progress line. The terminal is a pseudo-terminal whose size
is set; the pagers are scripts of this test that leave a mark of what they were given."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import made  # noqa: E402
import tap  # noqa: E402

tap.need_bin()
try:
    for end in os.openpty():
        os.close(end)
except OSError as error:
    tap.skip_all(f"no pseudo-terminal here: {error}")
MARK = os.path.join(tap.TMP, "mark")
ESC = b"\x1b["


def script(name, text):
    path = os.path.join(tap.TMP, name)
    with open(path, "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


KEEPER = script("keeper", f'cat >"{MARK}"; echo "$#:$*" >"{MARK}.args"; echo "$LESS" >"{MARK}.less"\n')
QUITTER = script("quitter", f'read one; echo left >"{MARK}"; exit 3\n')


def on_terminal(*args, rows=24, cols=80, stderr_too=False, **env):
    """Standard output is a terminal, standard error a pipe (or the same terminal). None unsets."""
    for name in (MARK, MARK + ".args", MARK + ".less"):
        if os.path.exists(name):
            os.remove(name)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
    flags = termios.tcgetattr(theirs)
    flags[1] &= ~termios.OPOST  # bytes as they were written
    termios.tcsetattr(theirs, termios.TCSANOW, flags)
    environment = {**os.environ, "TERM": "xterm", **env}
    environment = {name: value for name, value in environment.items() if value is not None}
    p = subprocess.Popen([tap.BIN, *args], stdin=subprocess.DEVNULL, stdout=theirs,
                         stderr=theirs if stderr_too else subprocess.PIPE, env=environment)
    os.close(theirs)
    out, err, open_ends = b"", b"", [ours] + ([] if stderr_too else [p.stderr.fileno()])
    while open_ends:
        for fd in select.select(open_ends, [], [], 60)[0]:
            try:
                piece = os.read(fd, 65536)
            except OSError:
                piece = b""
            if not piece:
                open_ends.remove(fd)
            elif fd == ours:
                out += piece
            else:
                err += piece
    os.close(ours)
    return p.wait(60), out, err


def mark(suffix=""):
    try:
        with open(MARK + suffix, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


# --- the pager -------------------------------------------------------------------------------------
LONG = ("--ks-synthetic", "--print-details", "all")
plain = tap.run(*LONG).out
tap.ok(plain.count(b"\n") > 24, "the text is longer than a screen of 24 rows")
rc, out, err = on_terminal(*LONG, "--color", "never", PAGER=KEEPER)
tap.equal((rc, out, err), (0, b"", b""), "a long text goes to the pager alone")
tap.equal(mark(), plain, "which gets every byte of it")
tap.equal(mark(".less"), b"FRX\n", "and, for less, how to keep the colours")
rc, out, err = on_terminal(*LONG, PAGER=KEEPER)
tap.ok(ESC in mark(), "colours are kept through the pager")
rc, out, err = on_terminal(*LONG, PAGER=KEEPER, LESS="S")
tap.equal(mark(".less"), b"S\n", "a LESS of the user's own is left alone")
rc, out, err = on_terminal(*LONG, PAGER=f"  {KEEPER}  -x  a;b  ")
tap.equal(mark(".args"), b"2:-x a;b\n", "the pager's arguments are split at blanks and no shell reads them")
rc, out, err = on_terminal(*LONG, PAGER="false", KERNOSCOPE_PAGER=KEEPER)
tap.equal(mark() is not None, True, "KERNOSCOPE_PAGER goes before PAGER")
rc, out, err = on_terminal(*LONG, rows=2000, PAGER=KEEPER)
tap.ok(mark() is None and out.count(b"\n") > 24, "a text that fits the screen is printed plainly")
rc, out, err = on_terminal(*LONG, "--color", "never", rows=5, cols=200, PAGER=KEEPER)
lines = mark().count(b"\n")
tap.equal([line for line in mark().decode().split("\n") if len(line) > 200], [], "no line is wider than a wide screen")
rc, out, err = on_terminal(*LONG, "--color", "never", rows=lines + 1, cols=200, PAGER=KEEPER)
tap.equal(mark(), None, "exactly as many rows as the screen leaves above the prompt: plainly")
rc, out, err = on_terminal(*LONG, "--color", "never", rows=lines, cols=200, PAGER=KEEPER)
tap.ok(mark() is not None, "one row more: the pager")

for off in ({"PAGER": "cat"}, {"PAGER": ""}, {"PAGER": KEEPER, "KERNOSCOPE_PAGER": ""},
            {"PAGER": KEEPER, "KERNOSCOPE_PAGER": "cat"}, {"PAGER": KEEPER, "TERM": "dumb"},
            {"PAGER": KEEPER, "TERM": None}):
    rc, out, err = on_terminal(*LONG, "--color", "never", **off)
    said = {k: os.path.basename(v or "unset") for k, v in off.items()}
    tap.equal((rc, out, err, mark()), (0, plain, b"", None), f"no pager with {said}")
for args in (["--no-pager"], ["--csv"], ["--format", "json"], ["--launch-csv"], ["--packet", "-"]):
    want = tap.run("--ks-synthetic", "--print-details", "all", *args).out
    rc, out, err = on_terminal(*LONG, "--color", "never", *args, PAGER=KEEPER, SOURCE_DATE_EPOCH="0")
    tap.ok(rc == 0 and mark() is None and out.count(b"\n") == want.count(b"\n"),
           f"never for {' '.join(args)}", rc, err)
for args in (["--help", "all"], ["help", "all"], ["config"], ["explain", "--help"]):
    rc, out, err = on_terminal(*args, rows=4, PAGER=KEEPER)
    tap.ok(rc == 0 and mark(), f"the pager for {' '.join(args)} too", rc, err)
rc, out, err = on_terminal("--version", rows=1, PAGER=KEEPER)
tap.ok(rc == 0 and mark() is None and out.startswith(b"kernoscope "), "but not for --version")
config = os.path.join(tap.TMP, "no-pager")
with open(config, "w") as f:
    f.write("pager = no\n")
rc, out, err = on_terminal(*LONG, "--config", config, PAGER=KEEPER)
tap.ok(rc == 0 and mark() is None and out, "the key pager turns it off")

rc, out, err = on_terminal(*LONG, PAGER=QUITTER)
tap.equal((rc, err, mark()), (0, b"", b"left\n"), "leaving the pager early is quiet and no failure")
big = on_terminal("--help", "all", rows=4, PAGER="true")
tap.equal((big[0], big[2]), (0, b""), "so is one that reads nothing")
rc, out, err = on_terminal(*LONG, "--color", "never", PAGER="/nonexistent/pager -x")
tap.equal((rc, out), (0, plain), "a pager that cannot be started: the text is printed plainly")
tap.equal(err, b"note: the pager /nonexistent/pager could not be started (ENOENT); "
               b"set PAGER to one that is there, or to cat\n", "with a note")
rc, out, err = on_terminal(*LONG, "--color", "never", "--quiet", PAGER="/nonexistent/pager")
tap.equal((rc, out, err), (0, tap.run(*LONG, "--quiet").out, b""), "which --quiet leaves out")
rc, out, err = on_terminal("--ks-sqlite", "/nonexistent/file", PAGER=KEEPER)
tap.ok(rc == 1 and mark() is None and err.startswith(b"error: "), "an error needs no pager", rc, err)
p = subprocess.run([tap.BIN, *LONG], env=dict(os.environ, TERM="xterm", PAGER=KEEPER), stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
tap.equal((p.stdout, p.stderr, mark()), (plain, b"", None), "no pager into a pipe")

# --- colours ---------------------------------------------------------------------------------------
for args, env, want in ((), {}, True), ((), {"NO_COLOR": "1"}, False), ((), {"NO_COLOR": ""}, True), \
        ((), {"TERM": "dumb"}, False), ((), {"TERM": None}, False), (("--color", "never"), {}, False), \
        (("--color", "always"), {"NO_COLOR": "1"}, True), (("--color", "always"), {"TERM": "dumb"}, True), \
        ((), {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False), ((), {"TERM": "dumb", "CLICOLOR_FORCE": "1"}, True), \
        ((), {"KERNOSCOPE_COLOR": "never"}, False), ((), {"NO_COLOR": "1", "KERNOSCOPE_COLOR": "always"}, True):
    rc, out, err = on_terminal("--ks-synthetic", "--no-pager", *args, **env)
    tap.ok(rc == 0 and (ESC in out) == want, f"colours on a terminal with {' '.join(args)} {env}: {want}", out[:200])
for args, env, want in ((), {}, False), (("--color", "always"), {}, True), ((), {"CLICOLOR_FORCE": "1"}, True), \
        ((), {"CLICOLOR_FORCE": "0"}, False), ((), {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False):
    r = tap.run("--ks-synthetic", *args, env=env)
    tap.ok((ESC in r.out) == want, f"colours into a pipe with {' '.join(args)} {env}: {want}")
with open(config, "w") as f:
    f.write("color = always\n")
tap.ok(ESC in tap.run("--ks-synthetic", "--config", config).out, "a configured colour")
tap.ok(ESC not in tap.run("--ks-synthetic", "--config", config, env={"NO_COLOR": "1"}).out, "goes behind NO_COLOR")
plain_text = tap.run("--ks-synthetic").out
coloured = tap.run("--ks-synthetic", "--color", "always").out
tap.equal(re.sub(rb"\x1b\[[0-9]*m", b"", coloured), plain_text, "colour adds nothing but colour")

# --- the progress line -----------------------------------------------------------------------------
def many(db):
    for i in range(200000):
        db.launch(10 * i, 10 * i + 4, 10 * i + 9, "k()", i + 1)


TRACE = made.make(many)
ERASE = b"\r\x1b[K"
want = tap.run("--ks-sqlite", TRACE)
tap.ok(b"\r" not in want.err, "no progress into a pipe", want.err)
rc, both, _ = on_terminal("--ks-sqlite", TRACE, "--no-pager", "--color", "never", stderr_too=True)
tap.ok(rc == 0 and ERASE in both, "a progress line on a terminal, erased", both[:200])
tap.ok(both.endswith(want.out), "the result behind it is whole")
tap.ok(b"\r" not in both[both.rindex(ERASE) + len(ERASE):], "and holds none of it")
for args, env in ((("--no-progress",), {}), (("--quiet",), {}), ((), {"TERM": "dumb"}), ((), {"KERNOSCOPE_PROGRESS": "no"})):
    rc, both, _ = on_terminal("--ks-sqlite", TRACE, "--no-pager", "--color", "never", *args, stderr_too=True, **env)
    tap.ok(rc == 0 and b"\r" not in both and both.endswith(want.out[-200:]), f"none with {' '.join(args)} {env}", both[:80])
rc, out, err = on_terminal("--ks-sqlite", TRACE, "--no-pager", "--color", "never")
tap.equal((rc, out, b"\r" in err), (0, want.out, False), "standard output a terminal, standard error not: no progress")

# --- a reader that goes away -----------------------------------------------------------------------
for args in (["config"], ["config", "--json"], ["help", "all"]):
    r, w = os.pipe()
    os.close(r)
    p = subprocess.run([tap.BIN, *args], stdout=w, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    os.close(w)
    tap.equal((p.returncode, p.stderr), (0, b""), f"a broken pipe is quiet: {' '.join(args)}")
tap.done()
