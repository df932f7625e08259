# SPDX-License-Identifier: Apache-2.0
"""TAP for tests in Python (standard library only), with the same settings as tap.sh.

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
    import tap
    r = tap.run("--version")
    tap.equal(r.rc, 0, "--version succeeds")
    tap.done()
"""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True


def _absolute(path):
    return path if os.path.isabs(path) else os.path.join(ROOT, path)


BIN = _absolute(os.environ.get("KS_BIN", "build/kernoscope"))
SHARED = _absolute(os.environ.get("KS_SHARED", "../shared"))
BUILD = _absolute(os.environ.get("KS_BUILD", os.path.dirname(BIN)))
TMP = tempfile.mkdtemp(prefix="ks-test.")
_n = 0
_failed = 0

for _name in [n for n in os.environ if n.startswith("KERNOSCOPE_")] + [
        "PAGER", "LESS", "LANG", "LC_MESSAGES", "NO_COLOR", "CLICOLOR_FORCE", "SOURCE_DATE_EPOCH"]:
    os.environ.pop(_name, None)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["XDG_CONFIG_HOME"] = os.path.join(TMP, ".config")  # nobody's own configuration


def _remove():
    for folder, names, _ in os.walk(TMP):
        for name in names:
            os.chmod(os.path.join(folder, name), 0o700)
    shutil.rmtree(TMP, ignore_errors=True)


atexit.register(_remove)


def run(*args, cwd=None, env=None, stdin=b"", timeout=120):
    """Runs the program: .rc (negative: signal), .out, .err as bytes."""
    environment = dict(os.environ, **(env or {}))
    p = subprocess.run([BIN, *args], cwd=cwd, env=environment, input=stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=timeout, check=False)
    return types.SimpleNamespace(rc=p.returncode, out=p.stdout, err=p.stderr)


def ok(good, name, *why):
    global _n, _failed
    _n += 1
    _failed += not good
    print(f"{'' if good else 'not '}ok {_n} - {name}")
    if not good:
        for line in [str(w)[:400] for w in why][:25]:
            print("#   " + line.replace("\n", "\n#   "))
    return good


def equal(got, want, name):
    return ok(got == want, name, f"got:  {got!r}", f"want: {want!r}")


def none(bad, name):
    """Passes when the list of faults is empty."""
    return ok(not bad, name, *bad)


def skip(reason):
    global _n
    _n += 1
    print(f"ok {_n} # SKIP {reason}")


def skip_all(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def need_bin():
    if not os.access(BIN, os.X_OK):
        print(f"Bail out! no program at {BIN}")
        sys.exit(2)


def done():
    print(f"1..{_n}")
    sys.stdout.flush()
    sys.exit(1 if _failed else 0)
