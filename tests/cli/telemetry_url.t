#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--ks-telemetry by URL: a server on this machine that misbehaves in every way a server can. Each request ends
within its limit as a state of the report with a reason, and the run goes on. Nothing but this server is asked."""
import ctypes
import ctypes.util
import gzip
import json
import os
import socket
import socketserver
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

BODY = b'# TYPE DCGM_FI_DEV_POWER_USAGE gauge\nDCGM_FI_DEV_POWER_USAGE{gpu="0"} 71.5\n'
LIMIT = 8 << 20
asked = []
stop = threading.Event()


def head(status, *lines):
    return ("\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *lines]) + "\r\n\r\n").encode()


def trickle(send):
    send(head("200 OK"))
    while not stop.wait(0.3):
        send(b"D")


def endless(send, piece):
    send(head("200 OK"))
    while not stop.is_set():
        send(piece)


def other(port):
    return f"Location: http://127.0.0.1:{port}/good"


def answers(port, foreign):
    return {
        "/good": lambda send: send(head("200 OK", f"Content-Length: {len(BODY)}") + BODY),
        "/slow": trickle,
        "/silent": lambda send: stop.wait(20),
        "/endless": lambda send: endless(send, b"x" * 65536),
        "/endless-series": lambda send: endless(send, b'DCGM_FI_DEV_SM_CLOCK{gpu="0"} 1410\n' * 1000),
        "/to-file": lambda send: send(head("302 Found", "Location: file:///etc/passwd", "Content-Length: 0")),
        "/to-host": lambda send: send(head("302 Found", other(foreign), "Content-Length: 0")),
        "/to-trick": lambda send: send(head("302 Found", f"Location: http://127.0.0.1:{port}\\@127.0.0.1:{foreign}/good", "Content-Length: 0")),
        "/old": lambda send: send(BODY),
        "/to-here": lambda send: send(head("302 Found", other(port), "Content-Length: 0")),
        "/round": lambda send: send(head("302 Found", "Location: /round", "Content-Length: 0")),
        "/401": lambda send: send(head("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"', "Content-Length: 0")),
        "/500": lambda send: send(head("500 Oops", f"Content-Length: {len(BODY)}") + BODY),
        "/too-long": lambda send: send(head("200 OK", f"Content-Length: {len(BODY) + 100}") + BODY),
        "/too-short": lambda send: send(head("200 OK", f"Content-Length: {len(BODY) - 3}") + BODY),
        "/gzip": lambda send: send(head("200 OK", "Content-Encoding: gzip") + gzip.compress(BODY)),
        "/gzip-unsaid": lambda send: send(head("200 OK") + gzip.compress(BODY)),
        "/page": lambda send: send(head("200 OK") + b"<html><body>Not found</body></html>\n"),
    }


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline().decode("latin-1").split()
        headers = b""
        while headers[-4:] not in (b"\r\n", b"") and len(headers) < 1 << 16 or not headers:
            got = self.rfile.readline()
            headers += got
            if got in (b"\r\n", b""):
                break
        asked.append((self.server.server_address[1], line[1] if len(line) > 1 else "", headers.decode("latin-1").lower()))
        try:
            self.server.answers[line[1]](self.request.sendall)
        except (OSError, KeyError):
            pass  # the client has gone, as it should


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def serve():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def has_curl():
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        try:
            ctypes.CDLL(name)
            return True
        except OSError:
            continue
    return False


def ask(url, timeout="1", env=None):
    began = time.monotonic()
    r = tap.run("--ks-synthetic", "--ks-telemetry", url, "--ks-telemetry-timeout-s", timeout, "--format", "json", env=env)
    took = time.monotonic() - began
    if r.rc != 0:
        return None, {}, took, r
    report = json.loads(r.out)
    rows = {m["name"]: m for k in report["kernels"] for s in k["sections"] if s["name"] == "Telemetry" for m in s["metrics"]}
    return report["meta"]["telemetry"], rows, took, r


def code_of(rows, name):
    return (rows.get(name, {}).get("refusal") or {}).get("code")


def failed(url, reason, what, seconds=2.5, env=None):
    tel, rows, took, r = ask(url, env=env)
    good = tel and tel["probe"] == "failed" and (tel["reason"] == reason if isinstance(reason, str) else reason(tel["reason"])) and took < seconds
    tap.ok(good, f"{what}: {reason if isinstance(reason, str) else tel and tel['reason']}", tel and tel["reason"], took, r.rc, r.err)
    values = [n for n, m in rows.items() if m["value"] is not None]
    tap.ok(not values and code_of(rows, "meas__telemetry_endpoint_readings") == "env_reading_unknown", f"{what}: no row has a value, each says why", values)


def main():
    tap.need_bin()
    if not has_curl():
        tap.skip_all("libcurl is not on this machine")
    foreign, server = serve(), serve()
    port = server.server_address[1]
    foreign.answers = answers(port, port)
    server.answers = answers(port, foreign.server_address[1])
    base = f"http://127.0.0.1:{port}"

    tel, rows, _, r = ask(f"{base}/good")
    tap.ok(tel and tel["probe"] == "ok" and tel["reason"] == "" and rows["meas__telemetry_dcgm_power_w"]["value"] == 71.5, "a scrape is read", r.err)
    tap.ok("accept-encoding" not in asked[-1][2] and "authorization" not in asked[-1][2], "nothing compressed and no credentials are offered", asked[-1])
    tel, rows, _, r = ask(f"{base}/to-here")
    tap.ok(tel and tel["probe"] == "ok" and rows["meas__telemetry_dcgm_power_w"]["value"] == 71.5, "a redirect to the same place is followed", tel)

    failed(f"{base}/slow", "timeout", "one byte at a time")
    failed(f"{base}/silent", "timeout", "silence")
    failed(f"{base}/endless", "no_prometheus_series", "an endless body of no line")
    tel, rows, took, r = ask(f"{base}/endless-series", "5")
    tap.ok(tel and tel["probe"] == "ok" and tel["truncated"] and tel["reason"] == "truncated" and took < 6, "an endless body of series is cut, and says so", tel and tel["reason"], took)
    line = len(b'DCGM_FI_DEV_SM_CLOCK{gpu="0"} 1410\n')
    tap.equal(tel and tel["series_total"], LIMIT // line, "what was cut is the first 8 MiB, whole lines of it")
    tap.equal(rows.get("meas__telemetry_dcgm_sm_clock_mhz", {}).get("value"), 1410, "and no half number becomes one")
    failed(f"{base}/to-file", "http_error:302", "a redirect to a file")
    before = len(asked)
    failed(f"{base}/to-host", "http_error:302", "a redirect to another host")
    failed(f"{base}/to-trick", "http_error:302", "a redirect to another host that hides behind a backslash")
    tap.none([a for a in asked[before:] if a[0] != port], "the other host is not asked")
    before = len(asked)
    failed(f"{base}/round", "http_error:302", "a redirect to itself")
    tap.equal(len(asked) - before, 4, "is followed three times")
    failed(f"{base}/401", "http_error:401", "401")
    failed(f"{base}/500", "http_error:500", "500 with a good body")
    failed(f"{base}/too-long", lambda x: x.startswith("network_error:"), "less than the announced length")
    failed(f"{base}/too-short", "no_prometheus_series", "more than the announced length: the last line is half a number")
    failed(f"{base}/gzip", "network_error:gzip", "gzip")
    failed(f"{base}/gzip-unsaid", "network_error:gzip", "gzip that is not announced")
    failed(f"{base}/old", lambda x: x.startswith("network_error:"), "an answer without a head")
    failed(f"{base}/page", "no_prometheus_series", "a page")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        failed(f"http://127.0.0.1:{s.getsockname()[1]}/metrics", lambda x: x.startswith("network_error:"), "nobody there")
    for scheme in ("file", "ftp", "gopher", "unix"):
        failed(f"{scheme}://127.0.0.1/etc/passwd", "unsupported_scheme", f"scheme {scheme}")
    before = len(asked)
    failed(f"http://me:geheim@127.0.0.1:{port}/good", "network_error:credentials", "a password in the address")
    tap.equal(len(asked), before, "which is not sent")
    r = tap.run("--ks-synthetic", "--ks-telemetry", f"http://me:geheim@127.0.0.1:{port}/good", "--format", "json")
    tap.ok(b"geheim" not in r.out + r.err, "and not shown", r.err)
    before = len(asked)
    failed(f"http:///me:geheim@127.0.0.1:{port}/good", "network_error:credentials", "a password behind a third slash")
    failed(f"http://127.0.0.1:{port}\\@127.0.0.1:{port}/good", "network_error:credentials", "a name with a backslash")
    tap.equal(len(asked), before, "neither is asked")
    for url in ("http://me:geheim@127.0.0.1:1/x", "http:///me:geheim@127.0.0.1:1/x"):
        r = tap.run("--ks-synthetic", "--ks-telemetry", url, "--format", "md")
        tap.ok(b"geheim" not in r.out + r.err and b"http://127.0.0.1:1" in r.out, "the command in a report has no password", r.err)
        r = tap.run("--ks-synthetic", "--ks-telemetry", url, "--plan-json")
        tap.ok(r.rc == 0 and b"geheim" not in r.out + r.err, "nor has a plan", r.err)
        with tempfile.TemporaryDirectory() as d:
            r = tap.run("--ks-synthetic", "--ks-telemetry=" + url, "-o", "run", cwd=d)
            files = [os.path.join(top, f) for top, _, names in os.walk(d) for f in names]
            tap.none([f for f in files if b"geheim" in open(f, "rb").read()] + (["no case"] if len(files) < 4 else []), "nor any file of a case")
    r = tap.run("--ks-synthetic", "--ks-telemetry", "http://node17.invalid/metrics", "--redact", "--format", "md", "--print-details", "all")
    tap.ok(r.rc == 0 and b"node17" not in r.out + r.err, "--redact shows no name of a host, whatever the network says", r.err)
    tel, rows, _, r = ask(f"{base}/good", env={"http_proxy": f"http://127.0.0.1:{foreign.server_address[1]}", "ALL_PROXY": "http://127.0.0.1:1"})
    tap.ok(tel and tel["probe"] == "ok" and asked[-1][0] == port, "a proxy of the environment is not asked", asked[-1])
    for text in ("0", "-1", "nan", "1e9"):
        tel, rows, _, r = ask(f"{base}/good", text)
        if text == "nan":
            tap.equal(r.rc, 2, "a time that is no number is a usage error")
        else:
            tap.equal(tel and tel["reason"], "bad_timeout", f"--ks-telemetry-timeout-s {text}")

    before = len(asked)
    r = tap.run("--ks-synthetic", "--ks-telemetry", f"{base}/good?token=x", "--plan-json")
    step = next((s for s in json.loads(r.out)["steps"] if s["id"] == "read_telemetry"), {})
    tap.equal((step.get("network_origins"), step.get("effects", {}).get("accesses_network"), step.get("external")), ([base], True, True), "--plan lists the origin and the network")
    r = tap.run("--ks-synthetic", "--ks-telemetry", "/nowhere.prom", "--plan-json")
    step = next((s for s in json.loads(r.out)["steps"] if s["id"] == "read_telemetry"), {})
    tap.equal((step.get("reads"), step.get("effects", {}).get("accesses_network")), (["/nowhere.prom"], False), "of a file the file")
    tap.equal(len(asked), before, "and asks nobody")
    stop.set()
    tap.done()


main()
