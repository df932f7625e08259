#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzz targets: small databases and reports, and rows for the analysis, made from nothing else.

    make_seeds.py OUT

writes OUT/nsys_sqlite/*.sqlite, OUT/ksreport/*.json, OUT/packet/*.json, OUT/cubin/* and OUT/analysis/*. Pages of 512 bytes, so that a byte counts."""
import json
import os
import random
import sqlite3
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.dont_write_bytecode = True
import cubin  # noqa: E402

TABLES = {
    "StringIds": ("id integer primary key, value text", [(1, "k(float *)"), (2, "k"), (3, "_Z1kPf")]),
    "CUPTI_ACTIVITY_KIND_KERNEL": (
        "start int, end int, deviceId int, contextId int, streamId int, correlationId int, globalPid int,"
        " demangledName int, shortName int, mangledName int, registersPerThread int, gridX int, gridY int,"
        " gridZ int, blockX int, blockY int, blockZ int, staticSharedMemory int, dynamicSharedMemory int,"
        " localMemoryPerThread int, sharedMemoryExecuted int, graphNodeId int",
        [(10, 20, 0, 1, 7, 1, 1 << 48 | 5 << 24, 1, 2, 3, 32, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0, None),
         (30, 25, None, 1, 7, 2, None, "text", None, 9, 32, -1, 1, 1, 64, 1, 1, 0, 1.5, 0, 0, 8)]),
    "CUPTI_ACTIVITY_KIND_MEMCPY": ("start int, end int, deviceId int, bytes int, copyKind int",
                                   [(1, 2, 0, 4096, 1), (3, 4, 0, None, 99)]),
    "CUPTI_ACTIVITY_KIND_MEMSET": ("start int, end int, deviceId int, bytes int", [(5, 6, 0, 16)]),
    "CUPTI_ACTIVITY_KIND_RUNTIME": (
        "start int, end int, globalTid int, nameId int, correlationId int, callchainId int, eventClass int, returnValue int",
        [(1, 2, 1 << 48 | 5 << 24 | 5, 2, 1, 1, 0, 100), (9, 3, -1, None, 2, (1 << 63) - 1, 67, 0)]),
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": ("start int, end int, deviceId int, syncType int", [(6, 9, 0, 3)]),
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": ("start int, end int, deviceId int, graphId int", [(5, 9, 0, 1)]),
    "CUPTI_ACTIVITY_KIND_OVERHEAD": ("start int, end int, nameId int, overheadType int", [(1, 2, 3, 4)]),
    "CUDA_GPU_MEMORY_USAGE_EVENTS": ("start int, bytes int, memoryOperationType int", [(1, 64, 0)]),
    "CUDA_CALLCHAINS": ("id int, symbol int, module int, stackDepth int", [(1, 2, 3, 0)]),
    "ThreadNames": ("nameId int, priority int, globalTid int", [(2, 1, 5)]),
    "ENUM_CUDA_MEMCPY_OPER": ("id integer primary key, name text", [(99, "CUDA_MEMCPY_KIND_HTOD")]),
    "NVTX_PAYLOAD_SCHEMAS": ("domainId int, schemaId int, name text, payloadSize int", [(1, 9, "s", 8)]),
    "NVTX_PAYLOAD_SCHEMA_ENTRIES": ("domainId int, schemaId int, idx int, type int, name text, offset int",
                                    [(1, 9, 0, 18, "f", None)]),
    "TARGET_INFO_GPU": ("vmId int, id int, name text, cuDevice int, computeMajor int, computeMinor int, smCount int",
                        [(1 << 48, 0, "card", 0, 8, 0, 108)]),
    "TARGET_INFO_CUDA_DEVICE": ("gpuId int, cudaId int, pid int, uuid text", [(0, 0, 5, "u")]),
    "TARGET_INFO_CUDA_GPU": ("vmId int, name text, pciBusId text, globalMemorySize int, coreClockRate int, deviceId int,"
                             " pid int, computeCapabilityMajor int, computeCapabilityMinor int",
                             [(1 << 48, "old", "<UNKNOWN_BUS_ID>", 32510, 1380000, 0, 5, 7, 0)]),
    "PROCESSES": ("globalPid int, pid int, name text", [(1 << 48 | 5 << 24, 5, "p")]),
    "META_DATA_EXPORT": ("name text, value text", [("EXPORT_PRODUCT_VERSION", "2026.1")]),
    "META_DATA_CAPTURE": ("name text, value text", [("CAPTURE_EVENT_TYPE", "Cuda"), ("PROCESS_0:COMMAND", "./app"),
                                                       ("PROCESS_0:ARGUMENT_1", "b"), ("PROCESS_0:ARGUMENT_0", "a"),
                                                       ("PROCESS_0:WORKING_DIR", "/opt")]),
    "TARGET_INFO_SYSTEM_ENV": ("name text, value text", [("NvDriverVersion", "52510517")]),
    "DIAGNOSTIC_EVENT": ("severity int, text text", [(2, "careful")]),
    "ANALYSIS_DETAILS": ("duration int", [(99,)]),
    "NVTX_EVENTS": ("start int, end int, eventType int, globalTid int, endGlobalTid int, text text, textId int, domainId int,"
                    " uint64Value int, jsonText text, jsonTextId int, binaryData blob",
                    [(1, 9, 59, 1 << 48 | 5 << 24 | 5, None, "r", None, 0, None, None, 1, None),
                     (2, 3, 60, -1, 7, " ", 2, 1, -1, '{"a":', None, struct.pack("<5Q", 1, 9, 8, 32, 77))]),
}


def database(path, names, wide=False):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("pragma page_size=%d" % (4096 if wide else 512))
    for name in names:
        columns, rows = TABLES[name]
        db.execute("create table %s(%s)" % (name, columns))
        for row in rows:
            db.execute("insert into %s values(%s)" % (name, ",".join("?" * len(row))), row)
    db.commit()
    db.execute("vacuum")
    db.close()


def report(path, **more):
    doc = {"schema_version": 1, "tool": "kernoscope", "meta": {"window": "mode=auto", "synthetic": True},
           "device": {"name": "card", "compute_capability": "8.9"}, "device_ids": [0], "wall_time_ns": 10,
           "sources": {"a": "b"},
           "kernels": [{"name": "k", "launch_count": 1, "total_ns": 5, "min_ns": 5, "max_ns": 5, "mean_ns": 5.0,
                        "launch_configs": [{"config": "c", "grid": [1, 1, 1], "block": [1, 1, 1]}],
                        "sections": [{"name": "Duration", "provenance": "exact", "metrics": [
                            {"name": "gpu__time_duration.sum", "value": 0.1, "unit": "ms", "provenance": "exact",
                             "resolution": "0.1 ms"},
                            {"name": "est__x", "value": None, "unit": "", "provenance": "unavailable",
                             "refusal": {"code": "no_gpu", "message": "m", "observed": {"a": [1]},
                                         "remedy": {"action": "b", "cost_s": 1, "then_answers": ["c"]}}}]}],
                        "launches": [{"start_ns": 1, "end_ns": 6, "config": "c"}]}]}
    doc.update(more)
    with open(path, "w", encoding="ascii") as f:
        json.dump(doc, f)


def decided(path, rows, meta):
    """A report of one kernel and a device whose rows make decisions; rows: (owner, name, value, unit) or a code as value."""
    kernels = [{"name": n, "launch_count": 1, "total_ns": 5, "sections": [{"name": "SpeedOfLight", "provenance": "estimated", "metrics": [
        {"name": m, "value": None, "provenance": "unavailable", "refusal": {"code": v}} if isinstance(v, str) and u is None else
        {"name": m, "value": v, "unit": u, "provenance": {"meas": "measured", "est_": "estimated"}.get(m[:4], "derived")}
        for owner, m, v, u in rows if owner == n]}]} for n in ("k", "(device)")]
    with open(path, "w", encoding="ascii") as f:
        json.dump({"schema_version": 1, "meta": meta, "kernels": kernels}, f)


def packets(folder):
    os.makedirs(folder, exist_ok=True)
    d = "(device)"
    decided(os.path.join(folder, "money.json"),
            [(d, "ks__cost_per_mtok", 1.5, "EUR/Mtoken"), (d, "ks__cost_per_hour", 2.5, "EUR/h"), (d, "meas__window_energy_j", 8.0, "J"),
             (d, "meas__window_power_mean_w", 4.0, "W"), (d, "meas__other_procs_on_gpu", 0, ""), (d, "meas__gpu_idle_pct", 1.0, "%"),
             (d, "meas__throttle_limited_pct", 0.0, "%"), ("k", "est__kernel_cost_per_hour", 1.0, "EUR/h")],
            {"prescription": {"currency": "EUR", "ranked": [{"kernel": "k", "pct_lo": 1, "pct_hi": 2}], "total_per_hour": 1.5}})
    decided(os.path.join(folder, "assumed.json"),
            [(d, "ks__cost_per_mtok", "no_price", None), (d, "ks__tokens_per_s", 5.0, "token/s"), (d, "meas__window_power_mean_w", 4.0, "W")],
            {"prescription": {"ranked": [], "refusal": "no_calibration"}, "ncu_truth": {"pairs_compared": 0, "actions": [1]}})
    decided(os.path.join(folder, "bytes.json"),
            [(d, "est__dram_bytes_total", 2.0, "MB"), (d, "est__dram_bytes_per_launch", 1.0, "MB"), (d, "ks__sampler_window_coverage_pct", 79.0, "%"),
             (d, "est__dram_vs_ledger_err_pct", 4.0, "%"), ("k", "est__dram_bytes_per_launch_trace", "trace_unavailable", None)],
            {"ledger_basis": "per-launch", "selfcheck": {"band": {"dram_bytes_pct": {"lo": 1}}, "mdd": {"kernel_time_pct": 1}},
             "clock_lock": {"state": "unlocked"}, "calibration": "c:1", "memtrace": {"name": "t", "sha256": "a"},
             "environment_refusals": [{"code": "no_gpu", "message": "m"}, {"code": "a b"}]})
    decided(os.path.join(folder, "bound.json"),
            [("k", "est__bound", "memory", ""), ("k", "est__roofline_efficiency_pct", 50.0, "%"), ("k", "ks__over_peak_warning", 1, ""),
             ("k", "est__issue_slot_utilization_pct", 103.0, "%"), ("k", "est__l2_hit_rate_l2only_pct", 5.0, "%"),
             ("k", "ks__dtype_peak_exceeded_warning", 1, "")], {})
    with open(os.path.join(folder, "packet.json"), "w", encoding="ascii") as f:
        json.dump({"schema_version": 1, "tool_version": "0.2.3", "protocol": {"hash": "sha256:0", "memtrace": {"name": "t"}},
                   "verdicts": [{"id": "kernel_time", "status": "ok", "facts": {"top": "k", "top_ms": 1.0, "launches": 1, "n_kernels": 1},
                                 "value": 1.0, "unit": "ms", "premises": [{"id": "p", "observed": None, "ok": False}]},
                                {"id": "x", "status": "refused", "provenance": "estimated", "refusal": {"code": "no_price"}}],
                   "refusals": {"no_price": {"action": "a", "cost_kind": "manual"}}, "unmeasured": [{"code": "no_gpu", "count": 1}],
                   "cost": {"packet_bytes": 1, "over_budget": True}}, f)


def configurations(folder):
    os.makedirs(folder, exist_ok=True)
    texts = {"every": b"# c\n; c\n[h]\nset = full ; why\npage: raw\nquiet=on\nprogress = 0\nlang = zh\n",
             "twice": b"set = basic\nset=full", "mark": b"\xef\xbb\xbfset = full\r\n", "blanks": b"\n \t\n\tset\t=\tfull\t;\n",
             "key": b"sett = full\n", "value": b"set = fulll\n", "words": b"words\n", "zero": b"set = \0\n", "open": b"[h\n",
             "long": b"#" * 198, "empty-value": b"set =\n"}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(text)


def device_code(folder):
    os.makedirs(folder, exist_ok=True)
    one = cubin.elf(86, [cubin.kernel("_Z1kPf", shared=64, stack=8, code=16, const=8), cubin.kernel("d", entry=False, code=16)])
    new = cubin.elf(90, [cubin.kernel("k", registers=40, barriers=2, code=16, const=8)])
    packed = bytes([0xf0]) + b"\xff" * ((len(new) - 15) // 255) + bytes([(len(new) - 15) % 255]) + new
    files = {"cubin": one, "fatbin": cubin.fatbin([cubin.member(86, one), cubin.member(52, b".version 8.0", kind=1)]),
             "host": cubin.host([cubin.fatbin([cubin.member(86, one)]), cubin.fatbin([cubin.member(90, new)])]),
             "packed": cubin.fatbin([cubin.member(90, packed, flags=0x2011, plain=len(new))]),
             "zstd": cubin.fatbin([cubin.member(90, b"\x28\xb5\x2f\xfd" + new[:60], flags=0x8011, plain=len(new))]),
             "cuobjdump": b"\tcode for sm_80\n\t\tFunction : k\n        /*0000*/  @P0 LDG.E R4, [R2.64] ;  /* 0x1 */\n",
             "nvdisasm": b"\t.target\tsm_75\n.text.k:\n        /*0010*/   IADD3 R1, R2, R3, RZ ;\n\t.section\t.x\n"}
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
def telemetry(folder):
    os.makedirs(folder, exist_ok=True)
    rule = "#" * 20
    xml = ('<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n<nvidia_smi_log><gpu id="0:1">'
           "<mig_devices><mig_device><gpu_instance_id>3</gpu_instance_id><fb_memory_usage><used>1 MiB</used></fb_memory_usage>"
           "</mig_device></mig_devices><uuid>GPU-ab12cd34-0</uuid><utilization><gpu_util>5 %</gpu_util></utilization>"
           "<clocks_event_reasons><clocks_event_reason_gpu_idle>Active</clocks_event_reason_gpu_idle></clocks_event_reasons>"
           "</gpu></nvidia_smi_log>\n")
    listing = ("\n==============NVSMI LOG==============\n\nGPU 0\n    GPU UUID : GPU-1\n    MIG Device\n        GPU Instance ID : 2\n"
               "        Shared FB Memory Usage\n            Used : 1 MiB\n    Clocks Event Reasons\n        Idle : Active\n"
               "    Clocks\n        SM : 345 MHz\n")
    query = "index, uuid, power.draw [W], clocks_event_reasons.active\n0, GPU-1, 10 W, 0x4\n1, GPU-2, [N/A], 0x0\n0, GPU-1, 11 W, 0x0\n2\n"
    prom = ('# TYPE DCGM_FI_PROF_PCIE_TX_BYTES counter\nDCGM_FI_PROF_PCIE_TX_BYTES{gpu="0"} 5\n'
            'DCGM_FI_DEV_SM_CLOCK{b="x,y",gpu="0",a="q\\"z"} 1.5e3 1700000000000\nDCGM_FI_DEV_SM_CLOCK{gpu="0",GPU_I_ID="1"} 9\n'
            'DCGM_FI_DEV_FB_USED{gpu="0"} NaN\nDCGM_FI_DEV_FB_USED{gpu="0"} 1 2 3\nDCGM_FI_DEV_X 1\nnvidia_smi_power_draw_watts{uuid="a"} 1 # {t="1"} 3\n'
            'nvidia_smi_gpu_info{uuid="a",name="N"} 1\nhello\n')
    capture = (f"{rule}\n# a capture\n{rule}\n{rule}\n# idle :: q\n# $ nvidia-smi -q\n{rule}{listing}{rule}\n# idle :: x\n"
               f"# $ nvidia-smi -q -x\n{rule}\n{xml}{rule}\n# load :: c\n# $ nvidia-smi --query-gpu=index,power.draw --format=csv,noheader\n"
               f"{rule}\n0, 10 W\n{rule}\n# load :: dmon\n# $ nvidia-smi dmon\n{rule}\nx\n")
    for name, text in (("xml", xml), ("listing", listing), ("query", query), ("prom", prom), ("capture", capture)):
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write(text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    nsys = os.path.join(sys.argv[1], "nsys_sqlite")
    reports = os.path.join(sys.argv[1], "ksreport")
    os.makedirs(nsys, exist_ok=True)
    os.makedirs(reports, exist_ok=True)
    database(os.path.join(nsys, "kernels.sqlite"), ["StringIds", "CUPTI_ACTIVITY_KIND_KERNEL"])
    database(os.path.join(nsys, "all.sqlite"), [n for n in TABLES if n != "TARGET_INFO_CUDA_GPU"])
    database(os.path.join(nsys, "old.sqlite"), ["StringIds", "CUPTI_ACTIVITY_KIND_KERNEL", "TARGET_INFO_CUDA_GPU"])
    database(os.path.join(nsys, "nothing.sqlite"), ["StringIds", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS"])
    report(os.path.join(reports, "original.json"))
    report(os.path.join(reports, "ours.json"), span={"start_ns": 1, "duration_ns": 2}, totals={"kernel_ns": 5},
           devices=[{"id": 3, "name": "card", "used": True}], streams=[{"device": 3, "stream": 7}],
           processes=[{"pid": 1}], contents={"kernel_rows": 1, "why_no_kernels": "no_driver"},
           holdings=[{"table": "T", "rows": None}], diagnostics=[{"severity": 2, "text": "w", "count": 1}], notes=["n"])
    packets(os.path.join(sys.argv[1], "packet"))
    configurations(os.path.join(sys.argv[1], "config"))
    device_code(os.path.join(sys.argv[1], "cubin"))
    telemetry(os.path.join(sys.argv[1], "telemetry"))
    analysis = os.path.join(sys.argv[1], "analysis")
    os.makedirs(analysis, exist_ok=True)
    for seed in range(6):  # rows for fuzz_analysis.c: small numbers, so that they meet
        rng = random.Random(seed)
        with open(os.path.join(analysis, f"rows{seed}"), "wb") as f:
            f.write(bytes(rng.choice((rng.randrange(64), rng.randrange(64), rng.randrange(256))) for _ in range(3000)))
    with open(os.path.join(reports, "packet.json"), "w", encoding="ascii") as f:
        f.write('{"schema_version":1,"verdicts":[]}')


if __name__ == "__main__":
    main()
