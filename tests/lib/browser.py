# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that looks at a page: pictures, a printed copy, the tree it made of the page, and
which addresses it asked for. It is another program's judgement; a test without it says skipped. It
never reaches a network.

    if browser.program() is None: tap.skip("no chromium")
    browser.screenshot(page, "wide.png", width=1280)
    browser.requests(page)      # every address the page asked for
"""
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def program():
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return None


def has_chinese():
    """Whether there is a font for Chinese; without one a picture of Chinese is empty boxes."""
    if shutil.which("fc-list") is None:
        return False
    out = subprocess.run(["fc-list", ":lang=zh-cn"], stdout=subprocess.PIPE, check=False).stdout
    return bool(out.strip())


def _start(page, *options, timeout=120):
    folder = tempfile.mkdtemp(prefix="ks-browser.")
    try:
        command = [program(), "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}", *options, "file://" + os.path.abspath(page)]
        if os.geteuid() == 0:
            command.insert(1, "--no-sandbox")   # Chromium refuses its sandbox to root
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, check=False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _framed(page, width, height, folder):
    """A window is never narrower than about 500 px, a frame is: narrow pages are looked at in one."""
    frame = os.path.join(folder, "frame.html")
    with open(frame, "w", encoding="utf-8") as f:
        f.write(f"<!DOCTYPE html><title>frame</title><body style='margin:0'><iframe src='file://{os.path.abspath(page)}' "
                f"style='border:0;width:{width}px;height:{height}px'></iframe>")
    return frame


def screenshot(page, picture, width=1280, height=None, dark=False):
    """True when the picture was made. What is below its height is not in it; narrow pages are longer."""
    height = height or (4000 if width > 500 else 9000)
    options = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else ["--blink-settings=preferredColorScheme=1"]
    folder = tempfile.mkdtemp(prefix="ks-frame.")
    try:
        at = _framed(page, width, height, folder) if width < 500 else page
        _start(at, f"--screenshot={os.path.abspath(picture)}", f"--window-size={width},{height}", *options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return os.path.exists(picture) and os.path.getsize(picture) > 1000


def printed(page, pdf):
    _start(page, f"--print-to-pdf={os.path.abspath(pdf)}", "--no-pdf-header-footer")
    return os.path.exists(pdf) and os.path.getsize(pdf) > 1000


def tree(page):
    """The page as the browser understood it, as text."""
    return _start(page, "--dump-dom").stdout.decode("utf-8", "replace")


def requests(page):
    """The addresses that the page asked for. What the browser asks for itself has no origin; no name is
    resolved, so nothing is answered."""
    with tempfile.TemporaryDirectory(prefix="ks-netlog.") as folder:
        log = os.path.join(folder, "net.json")
        _start(page, f"--log-net-log={log}", "--net-log-capture-mode=Everything", "--dump-dom")
        with open(log, encoding="utf-8", errors="replace") as f:
            events = json.load(f)["events"]
    found = [e["params"] for e in events if "initiator" in e.get("params", {})]
    return sorted({p["url"] for p in found if "url" in p and p["initiator"] != "not an origin"})
