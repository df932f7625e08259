#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzz targets: small databases and reports, and rows for the analysis, made from nothing else.

    make_seeds.py OUT

writes OUT/nsys_sqlite/*.sqlite, OUT/ksreport/*.json and OUT/analysis/*. Pages of 512 bytes, so that a byte counts."""
import json
import os
import random
import sqlite3
import struct
import sys

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
    "META_DATA_CAPTURE": ("name text, value text", [("CAPTURE_EVENT_TYPE", "Cuda")]),
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
