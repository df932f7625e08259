# SPDX-License-Identifier: Apache-2.0
"""Small exports whose every answer is arithmetic on their rows: what no public export holds (graphs, peer
copies, NCCL payloads, call chains) and what real ones hide (overlaps, edges, order). One function each;
`make` writes one, `ALL` are all of them."""
import os
import struct

import export
import tap

_made = 0


def make(fill, gpus=1):
    """The path of a new export with the rows of `fill`."""
    global _made
    _made += 1
    path = os.path.join(tap.TMP, f"made{_made}.sqlite")
    db = export.Export(path, gpus)
    fill(db)
    db.close()
    return path


def two_domains(db):
    db.domain(1, "NCCL")
    db.nvtx(0, 1000, "train")              # default domain
    db.nvtx(100, 500, "forward")           # inside train
    db.nvtx(150, 300, "ncclAllReduce", domainId=1)
    db.nvtx(600, None, "open")             # still open when the recording stopped
    db.nvtx(700, 700, "mark", eventType=34)
    db.launch(160, 2000, 2100, "a()", 1)   # in train, forward and ncclAllReduce: 100 ns
    db.launch(400, 2100, 2300, "b()", 2)   # in train, forward: 200 ns
    db.launch(550, 2300, 2600, "a()", 3)   # in train: 300 ns
    db.launch(1000, 2600, 3000, "c()", 4)  # at the end of train: outside, 400 ns
    db.launch(50, 3000, 3500, "c()", 5, globalTid=export.thread(9))  # another thread: outside, 500 ns


def start_end(db):
    other = export.thread(7)
    db.nvtx(0, 500, "async", eventType=60, endGlobalTid=other)   # ends on another thread: belongs to where it started
    db.nvtx(300, 800, "later", eventType=60)                     # overlaps without nesting
    db.launch(100, 1000, 1010, "k()", 1)                         # async: 10
    db.launch(400, 1010, 1030, "k()", 2)                         # both: 20; own of the one that started last
    db.launch(600, 1030, 1060, "k()", 3)                         # later: 30
    db.launch(450, 1060, 1100, "k()", 4, globalTid=other)        # other thread: neither


def steps(db):
    # a first step of 1000 (compiles), warm-up of 250, then nine of 100 with one of 180; sub-ranges carry the step's name
    at, corr = 0, 1
    for length in (1000, 250, 100, 100, 100, 100, 180, 100, 100, 100, 100):
        db.nvtx(at, at + length, "step")
        db.nvtx(at + 10, at + 20, "step")
        db.launch(at + 12, 10000 + 10 * corr, 10006 + 10 * corr, "k()", corr)
        at, corr = at + length, corr + 1


def not_steps(db):
    for i, length in enumerate((10, 1000, 20, 5000, 15)):   # irregular: coefficient of variation over 1
        db.nvtx(i * 10000, i * 10000 + length, "step")
    db.launch(5, 60000, 60010, "k()", 1)


def copies(db):
    db.copy(0, 1000, 4096, kind=1, srcKind=0)              # pageable
    db.copy(1000, 1500, 8192, kind=1, srcKind=1)           # pinned
    db.copy(2000, 2600, 1 << 20, kind=10, srcDeviceId=0, dstDeviceId=1, srcKind=2, dstKind=2)
    db.copy(3000, 3100, 65536, kind=11, migrationCause=2, srcKind=4, dstKind=4)
    db.copy(3200, 3300, 4096, kind=12, migrationCause=4, srcKind=4, dstKind=4)
    db.copy(4000, 4000, 100, kind=2)                       # no time: bytes count
    db.copy(4100, 4200, None, kind=2)                      # size unknown
    db.copy(4300, 4400, 7, kind=17)                        # a kind nobody knows
    db.memset(5000, 5100, 1000)
    db.memset(5200, 5300, 24)
    db.kernel(6000, 6100, "k()")


def copy_kinds(db):
    for kind in range(1, 14):
        db.copy(kind * 100, kind * 100 + 50, 1 << kind, kind=kind)
    db.copy(2000, 2050, 1 << 14, kind=1, deviceId=None)   # no device: never device 0
    db.kernel(3000, 3100, "k()")


def memory(db):
    db.kernel(0, 10, "k()")
    for at, address, size, op in ((100, 1, 1000, 0), (200, 2, 5000, 0), (300, 1, 1000, 1), (400, 3, 500, 0)):
        db.row("CUDA_GPU_MEMORY_USAGE_EVENTS", start=at, address=address, bytes=size, memoryOperationType=op)


def collectives(db):
    for device in (0, 1):
        db.kernel(0, 1000, "void ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", deviceId=device, streamId=20)
    db.kernel(400, 1400, "gemm(float*)", deviceId=0)                 # 600 of 1000 beside the collective
    db.kernel(2000, 2500, "gemm(float*)", deviceId=0)                # alone
    db.kernel(3000, 3100, "void elementwise<broadcast_add>(int)", deviceId=1)


def nccl_calls(db):
    db.domain(1, "NCCL")
    db.row("NVTX_PAYLOAD_SCHEMAS", domainId=1, schemaId=16777220, numEntries=2, payloadSize=16)
    db.row("NVTX_PAYLOAD_SCHEMA_ENTRIES", domainId=1, schemaId=16777220, idx=0, type=18, name="NCCL communicator ID", offset=0)
    db.row("NVTX_PAYLOAD_SCHEMA_ENTRIES", domainId=1, schemaId=16777220, idx=1, type=22, name="Message size [bytes]", offset=8)
    db.nvtx(0, 10, "ncclAllReduce", domainId=1, binaryData=struct.pack("<QQ", 77, 1 << 20))
    db.nvtx(20, 30, "ncclAllReduce", domainId=1, binaryData=struct.pack("<QQ", 77, 512))
    db.nvtx(40, 50, "ncclBroadcast", domainId=1, binaryData=struct.pack("<QQ", 77, 64))
    db.nvtx(60, 70, "ncclBroadcast", domainId=1, binaryData=b"\1\2\3")      # cut off: a call without a size
    db.kernel(100, 200, "ncclDevKernel_AllReduce(x)")


def gaps(db):
    db.kernel(0, 100, "first()")
    db.copy(300, 400, 64)                                        # gap of 200, of which 50 overhead
    db.kernel(1400, 1500, "last()")                              # gap of 1000, of which 700 overhead
    db.row("PROFILER_OVERHEAD", start=250, end=320, nameId=db.text("Buffer flush"))
    db.row("PROFILER_OVERHEAD", start=500, end=900, nameId=db.text("Buffer flush"))
    db.row("PROFILER_OVERHEAD", start=800, end=1200, nameId=db.text("Buffer flush"))    # overlaps: 700 together
    db.row("CUPTI_ACTIVITY_KIND_OVERHEAD", start=1250, end=1390, overheadType=6)        # the driver's: stays in the gap


def streams(db):
    for i, (start, end) in enumerate(((0, 100), (50, 150), (90, 95), (150, 200), (150, 160))):
        db.kernel(start, end, "k()", streamId=i)
    db.copy(180, 250, 10, streamId=9)


def migrations(db):
    db.kernel(0, 100, "k()")
    db.copy(50, 200, 4096, kind=11, migrationCause=2)     # 50 beside the kernel, 100 alone
    db.copy(150, 180, 64, kind=1)                         # a copy of the program within that


def latency(db):
    for i, (called, start) in enumerate(((0, 20), (100, 130), (200, 240)), 1):
        db.launch(called, start, start + 50, "k()", i)
    db.call(300, 900, "cudaStreamSynchronize_v3020", 4)
    db.call(1000, 1010, "cudaMalloc_v3020", 5, returnValue=2)


def graph_nodes(db):
    for replay in range(3):
        corr = 10 + replay
        db.call(replay * 1000, replay * 1000 + 5, "cudaGraphLaunch_v10000", corr)
        db.kernel(replay * 1000 + 100, replay * 1000 + 150, "big()", correlationId=corr, graphNodeId=71, graphId=3)
        db.kernel(replay * 1000 + 150, replay * 1000 + 160, "small()", correlationId=corr, graphNodeId=72, graphId=3)
    db.call(5000, 5005, "cudaGraphLaunch_v10000", 99)          # a launch whose nodes were not recorded
    db.launch(6000, 6100, 6200, "plain()", 100)


def graph_only(db):
    for i in range(2):
        db.call(i * 100, i * 100 + 5, "cudaGraphLaunch_v10000", i + 1)
        db.row("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", start=1000 + i * 500, end=1400 + i * 500, correlationId=i + 1)


def chains(db):
    def frame(chain, depth, symbol, module, unresolved=None):
        db.row("CUDA_CALLCHAINS", id=chain, stackDepth=depth, symbol=db.text(symbol), module=db.text(module), unresolved=unresolved)
    frame(1, 0, "cudaLaunchKernel", "/usr/lib/libcudart.so.12")
    frame(1, 1, "train_step", "/app/train")
    frame(1, 2, "main", "/app/train")
    frame(2, 0, "cudaLaunchKernel", "/usr/lib/libcudart.so.12")
    frame(2, 1, "evaluate", "/app/train")
    for i, chain in enumerate((1, 1, 2), 1):
        db.call(i * 100, i * 100 + 5, "cudaLaunchKernel_v7000", i, callchainId=chain)
        db.kernel(i * 100 + 20, i * 100 + 60, "k()", correlationId=i)


ALL = (copy_kinds, two_domains, start_end, steps, not_steps, copies, memory, collectives, nccl_calls, gaps, streams, migrations, latency, graph_nodes, graph_only, chains)
