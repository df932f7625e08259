#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--ks-telemetry on real scrapes and on what nvidia-smi printed, against other readers of the same bytes: the
lists beside the scrapes, Python's xml and csv modules, and two readers of a few lines below. Every field of a
file is a row, a fact about the device, or counted by name; no row has a value where the text is blank; no two
rows have one name. The names are put together here again, by the rules of the contract."""
import collections
import csv
import glob
import io
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap  # noqa: E402

DATA = os.path.join(tap.SHARED, "data")
BLANK = {"", "N/A", "[N/A]", "Not Supported", "[Not Supported]", "None", "[None]"}
DCGM = {"DEV_POWER_USAGE": ("power_w", "W"), "DEV_TOTAL_ENERGY_CONSUMPTION": ("energy_total_mj", "mJ"),
        "DEV_GPU_UTIL": ("gpu_util_pct", "%"), "DEV_MEM_COPY_UTIL": ("mem_copy_util_pct", "%"),
        "DEV_SM_CLOCK": ("sm_clock_mhz", "MHz"), "DEV_MEM_CLOCK": ("mem_clock_mhz", "MHz"),
        "DEV_FB_USED": ("fb_used_mib", "MiB"), "DEV_FB_FREE": ("fb_free_mib", "MiB"),
        "DEV_XID_ERRORS": ("last_xid_error_code", "code"), "PROF_SM_OCCUPANCY": ("sm_occupancy_ratio", "ratio"),
        "PROF_DRAM_ACTIVE": ("dram_active_ratio", "ratio"), "PROF_DRAM_UTIL_RATIO": ("dram_active_ratio", "ratio"),
        "PROF_PCIE_TX_BYTES": ("pcie_tx_bytes_per_s", "B/s"), "PROF_PCIE_RX_BYTES": ("pcie_rx_bytes_per_s", "B/s")}
PROFILING = [k for k in DCGM if k.startswith("PROF") and k != "PROF_DRAM_UTIL_RATIO"]
EXPORTER = {"power_draw_watts": "power_w", "power_limit_watts": "power_limit_w", "utilization_gpu_ratio": "gpu_util_ratio",
            "utilization_memory_ratio": "mem_util_ratio", "clocks_current_sm_clock_hz": "sm_clock_hz",
            "clocks_current_memory_clock_hz": "mem_clock_hz", "temperature_gpu": "temp_c", "memory_used_bytes": "fb_used_bytes",
            "memory_total_bytes": "fb_total_bytes", "pcie_link_gen_current": "pcie_link_gen_count",
            "pcie_link_width_current": "pcie_link_width_count", "clocks_event_reasons_active": "clocks_event_reasons_code"}
UNITS = {"power_w": "W", "power_limit_w": "W", "gpu_util_ratio": "ratio", "mem_util_ratio": "ratio", "sm_clock_hz": "Hz",
         "mem_clock_hz": "Hz", "temp_c": "C", "fb_used_bytes": "B", "fb_total_bytes": "B", "pcie_link_gen_count": "count",
         "pcie_link_width_count": "count", "clocks_event_reasons_code": "code"}
QUERY = {"power.draw": "power_w", "power.limit": "power_limit_w", "utilization.gpu": "gpu_util_ratio",
         "utilization.memory": "mem_util_ratio", "clocks.current.sm": "sm_clock_hz", "clocks.current.memory": "mem_clock_hz",
         "temperature.gpu": "temp_c", "memory.used": "fb_used_bytes", "memory.total": "fb_total_bytes",
         "pcie.link.gen.current": "pcie_link_gen_count", "pcie.link.gen.gpucurrent": "", "pcie.link.width.current": "pcie_link_width_count",
         "clocks_event_reasons.active": "clocks_event_reasons_code"}
BITS = ["gpu_idle", "applications_clocks_setting", "sw_power_cap", "hw_slowdown", "sync_boost", "sw_thermal_slowdown",
        "hw_thermal_slowdown", "hw_power_brake_slowdown", "display_clocks_setting"]
LABELS = ["Idle", "Applications Clocks Setting", "SW Power Cap", "HW Slowdown", "Sync Boost", "SW Thermal Slowdown",
          "HW Thermal Slowdown", "HW Power Brake Slowdown", "Display Clock Setting"]


def number(text):
    """A value with its unit, in the unit of our metric; None where it is blank or no number."""
    m = re.fullmatch(r"([-+0-9.eE]+)\s*(W|MHz|MiB|%|C|x)?", text.strip())
    if text.strip() in BLANK or not m:
        return None
    return float(m.group(1)) * {"MHz": 1e6, "MiB": 1048576.0}.get(m.group(2), 1.0) / (100.0 if m.group(2) == "%" else 1.0)


def read(path, *args):
    r = tap.run("--ks-telemetry", path, "--format", "json", *args)
    name = os.path.basename(path)
    if not tap.equal(r.rc, 0, f"{name}: is read"):
        print("#", r.err[:400])
        return None, {}
    report = json.loads(r.out)
    rows = [m for k in report["kernels"] for s in k["sections"] if s["name"] == "Telemetry" for m in s["metrics"]]
    names = collections.Counter(m["name"] for m in rows)
    tap.none([n for n, c in names.items() if c > 1], f"{name}: no two rows of one name")
    tap.none([m["name"] for m in rows if (m["value"] is None) == (m.get("refusal") is None) or
              (m["value"] is not None and m["provenance"] != "measured")], f"{name}: a row has a value, measured, or a reason")
    return report["meta"]["telemetry"], {m["name"]: m for m in rows}


def compare(name, rows, want):
    """want: name => (value or None, unit)."""
    got = {n: (m["value"], m["unit"]) for n, m in rows.items() if n != "meas__telemetry_endpoint_readings"}
    bad = [f"{n}: {got.get(n, 'no row')} instead of {w}" for n, w in want.items()
           if n not in got or got[n][1] != w[1] or (got[n][0] is None) != (w[0] is None) or
           (w[0] is not None and abs(got[n][0] - w[0]) > 1e-12 * abs(w[0]))]
    tap.none(bad + [f"{n}: not in the file" for n in got if n not in want], f"{name}: {len(want)} rows are what another reader finds")


def counted(name, tel, names):
    """Every field that is no row and no fact about its device is counted under its name."""
    tap.equal({u["field"]: u["count"] for u in tel["unknown"]}, dict(collections.Counter(names)), f"{name}: every other field is counted by name")
    tap.equal(tel["bad_lines_total"], 0, f"{name}: no line is faulty")


def exposition(text):
    """Canonical series => (metric, labels, value); labels have no commas or escapes in these files but in quotes."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            m = re.match(r'([A-Za-z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s+(\S+)', line)
            labels = sorted(re.findall(r'([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"', m.group(2) or ""))
            key = m.group(1) + ("{" + ",".join(f'{k}="{v}"' for k, v in labels) + "}" if labels else "")
            yield key, m.group(1), dict(labels), float(m.group(3))


def named(found, prefix, ident):
    """[(field, labels, value, unit)] => name => (value, unit): the bare name where a field has one series of a board."""
    per = collections.Counter(f for f, *_ in found)
    return {f"meas__telemetry_{prefix}_{f}" + ("" if per[f] == 1 and not ident(l)[1] else f"__gpu_{ident(l)[0]}"): (v, u)
            for f, l, v, u in found}


def scrapes():
    for path in sorted(glob.glob(os.path.join(DATA, "dcgm", "*.prom"))):
        name = os.path.basename(path)
        with open(path[:-5] + ".expected.json", encoding="utf-8") as f:
            series = json.load(f)["series"]
        tel, rows = read(path)
        if tel is None:
            continue
        found, other, keys = [], [], {}
        for key, value in series.items():
            field = key.split("{")[0]
            labels = dict(re.findall(r'([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"', key))
            known = DCGM.get(field.removeprefix("DCGM_FI_"))
            if known:
                found.append((known[0], labels, float(value), known[1]))
                keys[key] = float(value)
            else:
                other.append(field)
        want = named(found, "dcgm", lambda l: (l["gpu"] + (f"_gi_{l['GPU_I_ID']}" if l.get("GPU_I_ID") else ""), l.get("GPU_I_ID")))
        have = {f for f, *_ in found}
        want.update({f"meas__telemetry_dcgm_{DCGM[p][0]}": (None, DCGM[p][1]) for p in PROFILING if DCGM[p][0] not in have})
        compare(name, rows, want)
        counted(name, tel, other)
        tap.equal(tel["series_total"], len(series), f"{name}: as many series as the list beside it")
        got = {m["source"].split(": ", 1)[1]: m["value"] for m in rows.values() if m["value"] is not None and " line " in m["source"]}
        tap.equal(got, keys, f"{name}: each value under its full label set")
        tap.none([n for n, m in rows.items() if m["value"] is None and m["refusal"]["code"] != "metric_absent"], f"{name}: what is not exported is absent, not denied")


def exporters():
    for path in sorted(glob.glob(os.path.join(DATA, "other-exporters", "*.prom"))):
        name = os.path.basename(path)
        with open(path, encoding="utf-8") as f:
            series = list(exposition(f.read()))
        tel, rows = read(path)
        if tel is None:
            continue
        found = [(EXPORTER[n[11:]], l, v, UNITS[EXPORTER[n[11:]]]) for _, n, l, v in series if n[11:] in EXPORTER and n.startswith("nvidia_smi_")]
        # masked: the device then goes by its number
        want = named(found, "smi", lambda l: (l["uuid"].removeprefix("GPU-")[:8] if l["uuid"].strip("0-") else "0", None))
        have = {f for f, *_ in found}
        want.update({f"meas__telemetry_smi_{f}": (None, u) for f, u in UNITS.items() if f not in have})
        want.update({f"meas__telemetry_dcgm_{DCGM[p][0]}": (None, DCGM[p][1]) for p in PROFILING})
        compare(name, rows, want)
        counted(name, tel, [n for _, n, *_ in series if n[11:] not in EXPORTER])
        tap.equal(tel["series_total"], len(series), f"{name}: every series is read")


def leaves(node, path=""):
    for child in node:
        here = f"{path}/{child.tag}" if path else child.tag
        if len(child):
            yield from leaves(child, here)
        else:
            yield here, (child.text or "").strip()


XML = {"power_w": ["gpu_power_readings/power_draw", "gpu_power_readings/average_power_draw", "power_readings/power_draw"],
       "power_limit_w": ["gpu_power_readings/current_power_limit", "power_readings/power_limit"],
       "gpu_util_ratio": ["utilization/gpu_util"], "mem_util_ratio": ["utilization/memory_util"], "sm_clock_hz": ["clocks/sm_clock"],
       "mem_clock_hz": ["clocks/mem_clock"], "temp_c": ["temperature/gpu_temp"], "fb_used_bytes": ["fb_memory_usage/used"],
       "fb_total_bytes": ["fb_memory_usage/total"], "pcie_link_gen_count": ["pci/pci_gpu_link_info/pcie_gen/current_link_gen"],
       "pcie_link_width_count": ["pci/pci_gpu_link_info/link_widths/current_link_width"]}


def finish(found):
    """[(field, id, is an instance, value)] => rows; a field without any is looked for."""
    per = collections.Counter(f for f, *_ in found)
    want = {f"meas__telemetry_smi_{f}" + ("" if per[f] == 1 and not forced else f"__gpu_{i}"): (v, UNITS[f]) for f, i, forced, v in found}
    want.update({f"meas__telemetry_smi_{f}": (None, u) for f, u in UNITS.items() if f not in per})
    return want


def mask(flags):
    if not flags:
        return []
    full = len(flags) == 9 and all(f in ("Active", "Not Active") for f in flags.values())
    return [float(sum(1 << i for i, f in flags.items() if f == "Active")) if full else None]


def documents():
    for path in sorted(glob.glob(os.path.join(DATA, "nvidia-smi", "*.xml"))):
        name, found, other = os.path.basename(path), [], []
        root = ET.parse(path).getroot()
        other += [c.tag for c in root if not len(c) and c.tag != "gpu"]
        for gpu in root.findall("gpu"):
            uuid = gpu.findtext("uuid").removeprefix("GPU-")[:8]
            flags = {}
            for part, base in [(gpu, "")] + [(m, "mig") for m in gpu.findall("mig_devices/mig_device")]:
                ident = uuid + (f"_gi_{part.findtext('gpu_instance_id')}" if base else "")
                for p, text in leaves(part):
                    if not base and p.startswith("mig_devices/mig_device/"):
                        continue
                    field = next((f for f, paths in XML.items() if p in paths), None)
                    bit = re.fullmatch(r"clocks_(?:event|throttle)_reasons/clocks_(?:event|throttle)_reason_(\w+)", p)
                    if bit and bit.group(1) in BITS:
                        flags[BITS.index(bit.group(1))] = text
                    elif field:
                        found.append((field, ident, bool(base), number(text)))
                    elif p not in ("uuid", "product_name", "gpu_instance_id"):
                        other.append(p)
            found += [("clocks_event_reasons_code", uuid, False, v) for v in mask(flags)]
        tel, rows = read(path)
        if tel is None:
            continue
        compare(name, rows, finish(found))
        counted(name, tel, other)
        tap.equal(sorted({d["uuid"] for d in tel["devices"]}), sorted(g.findtext("uuid") for g in root.findall("gpu")), f"{name}: the devices' UUIDs")


LISTING = {"GPU Power Readings/Average Power Draw": "power_w", "GPU Power Readings/Current Power Limit": "power_limit_w",
           "GPU Power Readings/GPU Ceiling Power Limit/Current Power Limit": "power_limit_w", "Utilization/GPU": "gpu_util_ratio",
           "Utilization/Memory": "mem_util_ratio", "Clocks/SM": "sm_clock_hz", "Clocks/Memory": "mem_clock_hz",
           "Temperature/GPU Current Temp": "temp_c", "FB Memory Usage/Used": "fb_used_bytes", "FB Memory Usage/Total": "fb_total_bytes",
           "PCI/GPU Link Info/PCIe Generation/Current": "pcie_link_gen_count", "PCI/GPU Link Info/Link Width/Current": "pcie_link_width_count"}
SHARED_FB = {"Shared FB Memory Usage/Used": "fb_used_bytes", "Shared FB Memory Usage/Total": "fb_total_bytes"}


def listing(lines, section):
    """Rows and other names of one `nvidia-smi -q` of one GPU whose UUID is masked."""
    stack, found, other, flags, part = [], [], [], {}, None
    for line in lines:
        if not line.strip() or line.startswith("=="):
            continue
        level = (len(line) - len(line.lstrip())) // 4
        key, colon, value = (line.strip() + " ").partition(" : ")
        key, value = key.strip(), value.strip()
        stack = stack[:level] + [key]
        if part is not None and level <= 1:
            part = None
        if not colon:
            if level == 1 and key == "MIG Device":
                part = ""
            continue
        path = "/".join(stack[2:] if part is not None else stack[1:] if stack[0].startswith("GPU 0") else stack)
        table = SHARED_FB if part is not None else LISTING
        if path == "GPU Instance ID":
            part = f"_gi_{value}"
        elif stack[1:2] in (["Clocks Event Reasons"], ["Clocks Throttle Reasons"]) and key in LABELS:
            flags[LABELS.index(key)] = value
        elif path in table:
            found.append((table[path], f"0{part or ''}_{section}_q", True, number(value)))
        elif path not in ("Product Name", "GPU UUID"):
            other.append(path)
    return found + [("clocks_event_reasons_code", f"0_{section}_q", True, v) for v in mask(flags)], other


def table(lines, section):
    rows = [[c.strip() for c in r] for r in csv.reader(io.StringIO("\n".join(lines))) if r]
    heads, cells = [re.sub(r" \[.*\]$", "", h) for h in rows[0]], rows[1]
    found, other = [], []
    for h, c in zip(heads, cells):
        if h == "clocks_event_reasons.active":
            found.append((QUERY[h], f"0_{section}_query", True, float(int(c, 16))))
        elif QUERY.get(h):
            found.append((QUERY[h], f"0_{section}_query", True, number(c)))
        elif h not in ("name", "uuid", "index", "pci.bus_id") and h not in QUERY:
            other.append(h)
    return found, other


def captures():
    for path in sorted(glob.glob(os.path.join(DATA, "nvidia-smi", "*.capture.txt"))):
        name, found, other, unused, spare = os.path.basename(path), [], [], 0, 0
        with open(path, encoding="utf-8") as f:
            parts = re.split(r"^#{40,}\n((?:#.*\n)+?)#{40,}\n", f.read(), flags=re.M)
        for head, body in zip(parts[1::2], parts[2::2]):
            command = (re.findall(r"^# \$ (.*)$", head, flags=re.M) or [""])[0]
            section = head[2:].split(" ")[0]
            if command == "nvidia-smi -q":
                a, b = listing(body.splitlines(), section)
            elif "--query-gpu=" in command:
                a, b = table(body.splitlines(), section)
                spare += body.count("pcie.link.gen.gpucurrent")
            else:
                unused += 1
                continue
            found += a
            other += b
        tel, rows = read(path)
        if tel is None:
            continue
        compare(name, rows, finish(found))
        counted(name, tel, other)
        tap.equal(len(tel["unused_sections"]), unused, f"{name}: {unused} other sections are listed")
        tap.equal([x["reason"] for x in tel["skipped"]], ["other_field"] * spare, f"{name}: a second spelling of a field is listed, not used")


def hidden():
    """--redact: no UUID, address, host name, process or path of a file stands in any output."""
    for path in sorted(glob.glob(os.path.join(DATA, "dcgm", "*.prom")) + glob.glob(os.path.join(DATA, "nvidia-smi", "*.xml")) +
                       glob.glob(os.path.join(DATA, "other-exporters", "*.prom"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        secret = set(re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", text))
        secret |= set(re.findall(r'(?:Hostname|pod|container|namespace|process_name)="([^"]{3,})"', text))
        secret |= {s for s in re.findall(r"<(?:serial|process_name|gpu_part_number)>([^<]{8,})<", text) if not s.startswith("N/A")}
        secret.add(os.path.dirname(path))
        bad = []
        for form in ("json", "text", "csv", "md"):
            r = tap.run("--ks-synthetic", "--ks-telemetry", path, "--redact", "--format", form, "--print-details", "all")
            bad += [f"{form}: {s}" for s in sorted(secret) if s.encode() in r.out + r.err] + ([f"{form}: exit {r.rc}"] if r.rc else [])
            bad += [f"{form}: {s[:8]}" for s in secret if re.fullmatch(r"[0-9a-f-]{36}", s) and s.strip("0-") and f"gpu_{s[:8]}".encode() in r.out]
        tap.none(bad, f"{os.path.basename(path)}: --redact shows none of its {len(secret)} identities")


def hidden_words():
    """What no shape gives away is hidden by where it stands: titles, hosts, bus addresses, short UUIDs, values that are none."""
    rule, label = "#" * 40 + "\n", 'gpu="0",UUID="GPU-5ec5e7aa-11",Hostname="hidehost",pod="hidepod"'
    texts = {
        "hide.prom": f'DCGM_FI_DEV_POWER_USAGE{{{label}}} 1\nDCGM_FI_DEV_MEM_CLOCK{{{label}}} hidevalue\nbroken hideline\n'
                     'DCGM_FI_DEV_GPU_UTIL{gpu="hidegpu",GPU_I_ID="hidepart"} 4\n',
        "hide.txt": f"{rule}# hidehost idle\n# $ nvidia-smi -q\n{rule}=====NVSMI LOG=====\nGPU 00000000:5E:C0.0\n    GPU UUID : GPU-5ec5e7aa-11\n"
                    f"    FB Memory Usage\n        Used : 5 MiB\n        Used : 6 MiB\n{rule}# hidetitle\n# $ hidecommand\n{rule}hidebody\n",
        "hide.csv": "uuid, pci.bus_id, power.draw [W], memory.used [MiB]\nGPU-5ec5e7aa-11, 00000000:5E:C0.0, hidevalue, 5\nx, hiderow\n"}
    with tempfile.TemporaryDirectory() as d:
        for name, text in texts.items():
            path = os.path.join(d, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            bad = []
            for form in ("json", "text", "csv", "md", "html"):
                for mode in ("--redact", "--redact=names"):
                    r = tap.run("--ks-synthetic", "--ks-telemetry", name, mode, "--format", form, "--print-details", "all", cwd=d)
                    bad += [f"{form} {mode}: {x.decode()}" for x in re.findall(rb".{0,30}(?:hide|5ec5e7aa|5E:C0).{0,20}", r.out + r.err)] + ([f"exit {r.rc}"] if r.rc else [])
            tap.none(bad, f"{name}: --redact hides what stands where names do, and the name of the file")


def nothing_alone():
    """A text without a reading is no report of its own, and the message is about the text."""
    with tempfile.TemporaryDirectory() as d:
        for text in ("some_metric 1\n", "<nvidia_smi_log><gpu><uuid>GPU-1</uuid></gpu></nvidia_smi_log>\n"):
            with open(os.path.join(d, "none"), "w", encoding="utf-8") as f:
                f.write(text)
            r = tap.run("--ks-telemetry", os.path.join(d, "none"))
            tap.ok(r.rc == 1 and r.err.count(b"\n") == 1 and b"holds no telemetry" in r.err and b"trace" not in r.err, "a text of other things alone is an error about that text", r.err)


def main():
    tap.need_bin()
    if not os.path.isdir(os.path.join(DATA, "dcgm")):
        tap.skip_all(f"no real telemetry in {DATA}")
    scrapes()
    exporters()
    documents()
    captures()
    hidden()
    hidden_words()
    nothing_alone()
    tap.done()


main()
