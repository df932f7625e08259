# SPDX-License-Identifier: Apache-2.0
"""Small exports of our own making: a kernel table, StringIds, one GPU. Only what a test names differs.

Further tables, as dictionaries of columns: make(..., tables={"NVTX_EVENTS": [span(10, 20, "step")]}). The helpers
span, call, copy, memset and overhead fill in what a real export has beside what a test is about.
"""
import sqlite3

COLUMNS = ("start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName", "shortName",
           "mangledName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
           "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "localMemoryTotal", "gridId",
           "sharedMemoryExecuted", "graphNodeId")
PLAIN = dict(deviceId=0, contextId=1, streamId=7, correlationId=1, globalPid=0x0100000000000000 | (4242 << 24),
             registersPerThread=32, gridX=64, gridY=1, gridZ=1, blockX=128, blockY=1, blockZ=1, staticSharedMemory=0,
             dynamicSharedMemory=0, localMemoryPerThread=0, localMemoryTotal=0, gridId=1, sharedMemoryExecuted=None,
             graphNodeId=None)


PROCESS = PLAIN["globalPid"]
THREAD = PROCESS | 4242


def span(start, end, text, thread=THREAD, domain=0, **more):
    """A row of NVTX_EVENTS: a push/pop range; end None is one that was never closed."""
    return dict(dict(start=start, end=end, eventType=59, rangeId=None, category=None, color=None, text=text, textId=None,
                     globalTid=thread, endGlobalTid=None, domainId=domain), **more)


def call(start, end, correlation, name, thread=THREAD, **more):
    """A row of CUPTI_ACTIVITY_KIND_RUNTIME; name: id in StringIds."""
    return dict(dict(start=start, end=end, eventClass=0, globalTid=thread, correlationId=correlation, nameId=name,
                     returnValue=0, callchainId=None), **more)


def copy(start, end, kind, size, **more):
    """A row of CUPTI_ACTIVITY_KIND_MEMCPY; kind 1 is host to device, source kind 0 pageable, 1 pinned, 2 device."""
    return dict(dict(start=start, end=end, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS,
                     bytes=size, copyKind=kind, srcKind=None, dstKind=None, srcDeviceId=None, dstDeviceId=None,
                     migrationCause=None, graphNodeId=None), **more)


def memset(start, end, size, **more):
    """A row of CUPTI_ACTIVITY_KIND_MEMSET."""
    return dict(dict(start=start, end=end, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS,
                     value=0, bytes=size, memKind=2, graphNodeId=None), **more)


def overhead(start, end, name=None, **more):
    """A row of PROFILER_OVERHEAD."""
    return dict(dict(start=start, end=end, globalTid=THREAD, correlationId=None, nameId=name, returnValue=None), **more)


def fill(db, table, rows):
    """The table with the columns of its first row."""
    columns = list(rows[0])
    db.execute(f"create table {table} ({', '.join(columns)})")
    marks = ", ".join("?" * len(columns))
    db.executemany(f"insert into {table} values ({marks})", [[row.get(c) for c in columns] for row in rows])


def make(path, launches, names, gpu=True, tables=None):
    """launches: dicts of columns over PLAIN; names: id => bytes or str for StringIds; tables: name => rows."""
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
    for table, rows in (tables or {}).items():
        fill(db, table, rows)
    db.commit()
    db.close()
