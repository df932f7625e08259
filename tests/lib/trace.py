# SPDX-License-Identifier: Apache-2.0
"""Small exports of our own making: a kernel table, StringIds, one GPU. Only what a test names differs."""
import sqlite3

COLUMNS = ("start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName", "shortName",
           "mangledName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
           "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "localMemoryTotal", "gridId",
           "sharedMemoryExecuted", "graphNodeId")
PLAIN = dict(deviceId=0, contextId=1, streamId=7, correlationId=1, globalPid=0x0100000000000000 | (4242 << 24),
             registersPerThread=32, gridX=64, gridY=1, gridZ=1, blockX=128, blockY=1, blockZ=1, staticSharedMemory=0,
             dynamicSharedMemory=0, localMemoryPerThread=0, localMemoryTotal=0, gridId=1, sharedMemoryExecuted=None,
             graphNodeId=None)


def make(path, launches, names, gpu=True):
    """launches: dicts of columns over PLAIN; names: id => bytes or str for StringIds."""
    db = sqlite3.connect(path)
    db.execute("create table StringIds (id integer primary key, value text)")
    for key, name in names.items():
        raw = name if isinstance(name, bytes) else name.encode("utf-8")
        # cast keeps any bytes as TEXT, which is how a damaged capture stores them
        db.execute("insert into StringIds values (?, cast(? as text))", (key, raw))
    db.execute(f"create table CUPTI_ACTIVITY_KIND_KERNEL ({', '.join(c + ' integer' for c in COLUMNS)})")
    marks = ", ".join("?" * len(COLUMNS))
    for launch in launches:
        row = dict(PLAIN, **launch)
        db.execute(f"insert into CUPTI_ACTIVITY_KIND_KERNEL values ({marks})", [row.get(c) for c in COLUMNS])
    db.execute("create table META_DATA_EXPORT (name text, value text)")
    db.execute("insert into META_DATA_EXPORT values ('EXPORT_PRODUCT_VERSION', '2024.5.1.113'), ('EXPORT_SCHEMA_VERSION', '3.13.2')")
    if gpu:
        db.execute("create table TARGET_INFO_GPU (vmId integer, id integer primary key, name text, busLocation text, "
                   "isDiscrete integer, smCount integer, cuDevice integer, computeMajor integer, computeMinor integer)")
        db.execute("insert into TARGET_INFO_GPU values (0, 0, 'Test GPU', '0000:01:00.0', 1, 108, 0, 8, 0)")
    db.commit()
    db.close()
