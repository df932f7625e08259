# SPDX-License-Identifier: Apache-2.0
"""Exports of our own making with every table of the timeline. A test names the columns that matter to
it; the rest is plain. Times are nanoseconds.

    db = export.Export(path)
    name = db.text("step")
    db.nvtx(start=0, end=100, textId=name)
    db.close()
"""
import sqlite3

PID = 4242
PROCESS = (1 << 56) | (PID << 24)


def thread(tid, pid=PID):
    return (1 << 56) | (pid << 24) | tid


MAIN = thread(4242)

TABLES = {
    "CUPTI_ACTIVITY_KIND_KERNEL": dict(
        start=None, end=None, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS, demangledName=None,
        shortName=None, mangledName=None, launchType=1, registersPerThread=32, gridX=64, gridY=1, gridZ=1, blockX=128,
        blockY=1, blockZ=1, staticSharedMemory=0, dynamicSharedMemory=0, localMemoryPerThread=0, sharedMemoryExecuted=None,
        graphNodeId=None, graphId=None),
    "CUPTI_ACTIVITY_KIND_MEMCPY": dict(
        start=None, end=None, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS, bytes=None, copyKind=1,
        srcKind=0, dstKind=2, srcDeviceId=None, dstDeviceId=None, migrationCause=None, graphNodeId=None),
    "CUPTI_ACTIVITY_KIND_MEMSET": dict(
        start=None, end=None, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS, value=0, bytes=None,
        memKind=2, graphNodeId=None),
    "CUPTI_ACTIVITY_KIND_RUNTIME": dict(
        start=None, end=None, eventClass=0, globalTid=MAIN, correlationId=0, nameId=None, returnValue=0, callchainId=None),
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": dict(
        start=None, end=None, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS, graphId=1, graphExecId=2),
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": dict(
        start=None, end=None, deviceId=0, contextId=1, streamId=7, correlationId=0, globalPid=PROCESS, syncType=3, eventId=0),
    "NVTX_EVENTS": dict(
        start=None, end=None, eventType=59, rangeId=None, category=None, color=None, text=None, globalTid=MAIN,
        endGlobalTid=None, textId=None, domainId=0, uint64Value=None, int64Value=None, doubleValue=None, uint32Value=None,
        int32Value=None, floatValue=None, jsonTextId=None, jsonText=None, binaryData=None),
    "NVTX_PAYLOAD_SCHEMAS": dict(
        domainId=0, schemaId=None, name=None, type=1, flags=None, numEntries=None, payloadSize=None, alignTo=None),
    "NVTX_PAYLOAD_SCHEMA_ENTRIES": dict(
        domainId=0, schemaId=None, idx=0, flags=None, type=None, name=None, description=None, arrayOrUnionDetail=None, offset=None),
    "PROFILER_OVERHEAD": dict(start=None, end=None, globalTid=MAIN, nameId=None, returnValue=0),
    "CUPTI_ACTIVITY_KIND_OVERHEAD": dict(
        start=None, end=None, eventClass=103, globalTid=MAIN, correlationId=0, nameId=None, overheadType=None),
    "CUDA_GPU_MEMORY_USAGE_EVENTS": dict(
        start=None, globalPid=PROCESS, deviceId=0, contextId=1, address=None, pc=0, bytes=None, memKind=2,
        memoryOperationType=0, name=None, correlationId=0),
    "CUDA_CALLCHAINS": dict(id=None, symbol=None, module=None, unresolved=None, originalIP=0, stackDepth=0),
    "ThreadNames": dict(nameId=None, priority=0, globalTid=MAIN),
    "TARGET_INFO_GPU": dict(
        vmId=0, id=0, name="Test GPU", busLocation="0000:01:00.0", isDiscrete=1, totalMemory=80 << 30,
        memoryBandwidth=2000000000000, clockRate=1410000000, smCount=108, cuDevice=0, computeMajor=8, computeMinor=0),
}


class Export:
    """Tables come into being with their first row, as in real exports."""

    def __init__(self, path, gpus=1):
        self.db = sqlite3.connect(path)
        self.made = set()
        self.ids = {}
        self.db.execute("create table StringIds (id integer primary key, value text)")
        self.db.execute("create table META_DATA_EXPORT (name text, value text)")
        self.db.execute("insert into META_DATA_EXPORT values ('EXPORT_PRODUCT_VERSION', '2025.5.1.121'), "
                        "('EXPORT_SCHEMA_VERSION', '3.23.3')")
        for i in range(gpus):
            self.row("TARGET_INFO_GPU", id=i, cuDevice=i, busLocation=f"0000:0{i + 1}:00.0")

    def text(self, value):
        """The id of a string in StringIds."""
        if value not in self.ids:
            self.ids[value] = len(self.ids) + 1
            self.db.execute("insert into StringIds values (?, ?)", (self.ids[value], value))
        return self.ids[value]

    def row(self, table, **columns):
        plain = TABLES[table]
        unknown = set(columns) - set(plain)
        assert not unknown, f"{table} has no {unknown}"
        if table not in self.made:
            self.made.add(table)
            self.db.execute(f"create table {table} ({', '.join(plain)})")
        values = dict(plain, **columns)
        self.db.execute(f"insert into {table} values ({', '.join('?' * len(values))})", list(values.values()))

    def kernel(self, start, end, name, **columns):
        self.row("CUPTI_ACTIVITY_KIND_KERNEL", start=start, end=end, demangledName=self.text(name),
                 shortName=self.text(name.split("(")[0].split("<")[0]), **columns)

    def call(self, start, end, name, correlation, **columns):
        self.row("CUPTI_ACTIVITY_KIND_RUNTIME", start=start, end=end, nameId=self.text(name), correlationId=correlation, **columns)

    def launch(self, called, start, end, name, correlation, **columns):
        """A kernel and the call of 5 ns that launched it, on the main thread unless globalTid says another."""
        self.call(called, called + 5, "cudaLaunchKernel_v7000", correlation, globalTid=columns.pop("globalTid", MAIN))
        self.kernel(start, end, name, correlationId=correlation, **columns)

    def nvtx(self, start, end, name, **columns):
        self.row("NVTX_EVENTS", start=start, end=end, textId=self.text(name), **columns)

    def domain(self, number, name):
        self.row("NVTX_EVENTS", start=0, eventType=75, text=name, domainId=number)

    def copy(self, start, end, size, kind=1, **columns):
        self.row("CUPTI_ACTIVITY_KIND_MEMCPY", start=start, end=end, bytes=size, copyKind=kind, **columns)

    def memset(self, start, end, size, **columns):
        self.row("CUPTI_ACTIVITY_KIND_MEMSET", start=start, end=end, bytes=size, **columns)

    def close(self):
        self.db.commit()
        self.db.close()
