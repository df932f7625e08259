#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The timeline as Perfetto's own message classes read it (PyPI's perfetto, `make judges`), against
sums that SQLite makes of the same export: number and total of kernels, copies and calls by name,
both ends of every flow, nesting, time that never runs backward. The JSON form says the same."""
import collections
import glob
import json
import os
import sqlite3
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import tap    # noqa: E402
import trace  # noqa: E402

for folder in (tap.BUILD, os.path.dirname(tap.BUILD)):
    python = os.path.join(folder, "judges", "bin", "python")
    if os.path.exists(python) and os.environ.get("KS_JUDGE") != python:
        os.environ["KS_JUDGE"] = python
        os.execv(python, [python, os.path.abspath(__file__)])
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto
except ImportError:
    tap.skip("Perfetto's message classes are not here: make judges")
    tap.done()

KINDS = ("kernel", "memory", "sync", "nvtx", "cuda_api", "memory_in_use")
COPY = {1: "HtoD", 2: "DtoH", 3: "HtoA", 4: "AtoH", 5: "AtoA", 6: "AtoD", 7: "DtoA", 8: "DtoD", 9: "HtoH", 10: "PtoP",
        11: "UM HtoD", 12: "UM DtoH", 13: "UM DtoD"}


def packets(data):
    whole = proto.Trace()
    whole.ParseFromString(data)
    for packet in whole.packet:
        if packet.HasField("compressed_packets"):
            part = proto.Trace()
            part.ParseFromString(zlib.decompress(packet.compressed_packets))
            yield from part.packet
        else:
            yield packet


class Timeline:
    """Slices (track, name, start, end), marks, counter samples and flows; faults are what a reader would trip over."""

    def __init__(self, data):
        self.slices, self.marks, self.samples, self.faults, self.notes = [], [], [], [], []
        self.tracks, self.flows, self.args = {}, collections.defaultdict(list), []
        self.sequences = {}
        for packet in packets(data):
            self.read(packet)
        for sequence in self.sequences.values():
            if sequence["open"]:
                self.faults.append(f"{len(sequence['open'])} slices of a sequence never end")

    def read(self, packet):
        number = packet.trusted_packet_sequence_id
        if packet.sequence_flags & proto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED:
            self.sequences[number] = dict(names={}, keys={}, values={}, open=[], time=None, track=0)
        sequence = self.sequences.get(number)
        if sequence is None:
            self.faults.append(f"sequence {number} has no beginning")
            return
        if packet.HasField("trace_packet_defaults"):
            sequence["track"] = packet.trace_packet_defaults.track_event_defaults.track_uuid
            sequence["clock"] = packet.trace_packet_defaults.timestamp_clock_id
        for clock in packet.clock_snapshot.clocks:
            if clock.clock_id == sequence.get("clock") and clock.is_incremental:
                sequence["time"] = clock.timestamp
        for kept, entries in (("names", packet.interned_data.event_names), ("keys", packet.interned_data.debug_annotation_names)):
            sequence[kept].update((e.iid, e.name) for e in entries)
        sequence["values"].update((e.iid, e.str.decode()) for e in packet.interned_data.debug_annotation_string_values)
        if packet.HasField("track_descriptor"):
            self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("track_event"):
            self.event(packet, sequence)

    def event(self, packet, sequence):
        event = packet.track_event
        if event.HasField("track_uuid"):
            self.notes.append((event.name, packet.timestamp))
            return
        track = sequence["track"]
        if track not in self.tracks:
            self.faults.append(f"event on an unknown track {track}")
        sequence["time"] += packet.timestamp
        now = sequence["time"]
        if event.type == proto.TrackEvent.TYPE_SLICE_END:
            if not sequence["open"]:
                self.faults.append("an end without a beginning")
                return
            name, start = sequence["open"].pop()
            self.slices.append((track, name, start, now))
            return
        if event.type == proto.TrackEvent.TYPE_COUNTER:
            self.samples.append((track, now, event.counter_value))
            return
        name = sequence["names"].get(event.name_iid)
        if name is None:
            self.faults.append(f"name {event.name_iid} was never told")
        for flow in event.flow_ids:
            self.flows[flow].append((track, name, now, "starts or goes on"))
        for flow in event.terminating_flow_ids:
            self.flows[flow].append((track, name, now, "ends"))
        args = {sequence["keys"][a.name_iid]: sequence["values"].get(a.string_value_iid, a.int_value or a.bool_value)
                for a in event.debug_annotations}
        self.args.append((name, args))
        if event.type == proto.TrackEvent.TYPE_INSTANT:
            self.marks.append((track, name, now))
        else:
            sequence["open"].append((name, now))

    def kind(self, track):
        t = self.tracks[track]
        if t.HasField("counter"):
            return "memory_in_use"
        for word, kind in (("NVTX", "nvtx"), ("CUDA API", "cuda_api"), (" copies", "memory"), (" waits", "sync")):
            if word in t.name:
                return kind
        return "kernel"

    def sums(self, kind):
        out = collections.defaultdict(lambda: [0, 0])
        for track, name, start, end in self.slices:
            if self.kind(track) == kind:
                out[name][0] += 1
                out[name][1] += end - start
        return {name: tuple(v) for name, v in out.items()}

    def check_flows(self):
        bad = []
        for flow, ends in self.flows.items():
            calls = [e for e in ends if self.kind(e[0]) == "cuda_api"]
            if len(calls) != 1 or len(ends) < 2:
                bad.append(f"flow {flow} has {len(calls)} calls and {len(ends)} ends")
            elif (len(ends) == 2) != any(e[3] == "ends" for e in ends):
                bad.append(f"flow {flow} with {len(ends)} ends: {[e[3] for e in ends]}")
        return bad


def visible(text):
    return "".join(c if c.isprintable() or c == " " else "?" for c in text)


def tables(db):
    return {row[0] for row in db.execute("select name from sqlite_master where type = 'table'")}


def columns(db, table):
    return {row[1] for row in db.execute(f"pragma table_info({table})")}


def grouped(rows):
    out = collections.defaultdict(lambda: [0, 0])
    for name, start, end in rows:
        out[name][0] += 1
        out[name][1] += end - start
    return {name: tuple(v) for name, v in out.items()}


def kernels_of(db):
    if "CUPTI_ACTIVITY_KIND_KERNEL" not in tables(db):
        return {}
    return grouped(db.execute("select coalesce(s.value, '<unknown>'), k.start, k.end from CUPTI_ACTIVITY_KIND_KERNEL k "
                              "left join StringIds s on s.id = k.demangledName where k.end > k.start"))


def work_of(db):
    out = {}
    if "CUPTI_ACTIVITY_KIND_MEMCPY" in tables(db):
        rows = db.execute("select copyKind, start, end from CUPTI_ACTIVITY_KIND_MEMCPY where end > start")
        out.update(grouped(("copy " + COPY[kind], start, end) for kind, start, end in rows))
    if "CUPTI_ACTIVITY_KIND_MEMSET" in tables(db):
        out.update(grouped(("memset", *row) for row in
                           db.execute("select start, end from CUPTI_ACTIVITY_KIND_MEMSET where end > start")))
    return out


def calls_of(db):
    """By name; slices that take no time are marks."""
    out, marks = {}, 0
    if "CUPTI_ACTIVITY_KIND_RUNTIME" in tables(db):
        rows = db.execute("select coalesce(s.value, '<unknown>'), r.start, r.end from CUPTI_ACTIVITY_KIND_RUNTIME r "
                          "left join StringIds s on s.id = r.nameId where r.end >= r.start").fetchall()
        out = grouped(row for row in rows if row[2] > row[1])
        marks = sum(row[2] == row[1] for row in rows)
    return out, marks


def differences(what, got, want):
    got = collections.Counter({visible(k): v for k, v in got.items()})
    want = {visible(k): v for k, v in want.items()}
    return [f"{what} {name[:80]}: {got.get(name)} for {want.get(name)}"
            for name in sorted(set(got) | set(want)) if got.get(name) != want.get(name)]


def json_differences(path, timeline):
    """The JSON form: the same names, times and places as the protobuf one."""
    out = os.path.join(tap.TMP, "t.json")
    r = tap.run("--ks-sqlite", path, "--ks-perfetto", out, "-f")
    if r.rc != 0:
        return [r.err.decode("utf-8", "replace")]
    with open(out, encoding="utf-8") as f:
        doc = json.load(f)
    base, bad = doc["metadata"]["time_base_offset_ns"], []
    got = collections.Counter()
    for e in doc["traceEvents"]:
        if e["ph"] == "X":
            start = round(e["ts"] * 1000) + base
            got[(e["cat"], visible(e["name"]), start, start + round(e["dur"] * 1000))] += 1
    want = collections.Counter((timeline.kind(t), visible(name), start, end) for t, name, start, end in timeline.slices)
    bad += [f"{n} more in protobuf: {k}" for k, n in (want - got).items()]
    bad += [f"{n} more in JSON: {k}" for k, n in (got - want).items()]
    ends = collections.defaultdict(list)
    for e in doc["traceEvents"]:
        if e["ph"] in "stf":
            ends[e["id"]].append(e["ph"])
    bad += [f"flow {i}: {p}" for i, p in ends.items()
            if p.count("s") != 1 or len(p) < 2 or p.count("f") != (1 if len(p) == 2 else 0)]
    if {int(i) for i in ends} != set(timeline.flows):
        bad.append("not the same flows")
    return bad


def timeline_of(path, *args):
    out = os.path.join(tap.TMP, "t.perfetto-trace")
    r = tap.run("--ks-sqlite", path, "--ks-perfetto", out, "-f", *args)
    if r.rc != 0:
        return None, r
    with open(out, "rb") as f:
        return Timeline(f.read()), r


def compare(path, db):
    timeline, r = timeline_of(path)
    if timeline is None:
        return [r.err.decode("utf-8", "replace")]
    bad = timeline.faults[:5] + timeline.check_flows()[:5]
    bad += differences("kernel", timeline.sums("kernel"), kernels_of(db))
    bad += differences("work", timeline.sums("memory"), work_of(db))
    calls, marks = calls_of(db)
    bad += differences("call", timeline.sums("cuda_api"), calls)
    if sum(timeline.kind(m[0]) == "cuda_api" for m in timeline.marks) != marks:
        bad.append("calls that take no time are not all there")
    told = len(timeline.slices) + len(timeline.marks) + len(timeline.samples)
    if f" {told:,} " not in r.err.decode():
        bad.append(f"{told:,} slices were read; the program says {r.err.decode()!r}")
    return bad + json_differences(path, timeline)[:10]


def real_files():
    folder = os.path.join(tap.SHARED, "data", "nsys-sqlite")
    files = sorted(glob.glob(os.path.join(folder, "*.sqlite")))
    if not files:
        tap.skip("no exports in " + folder)
        return
    bad, judged = [], 0
    for path in files:
        db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        if "CUPTI_ACTIVITY_KIND_KERNEL" in tables(db) or "NVTX_EVENTS" in tables(db):
            r = tap.run("--ks-sqlite", path)
            if r.rc == 0 and "demangledName" in (columns(db, "CUPTI_ACTIVITY_KIND_KERNEL") or {"demangledName"}):
                bad += [f"{os.path.basename(path)}: {b}" for b in compare(path, db)]
                judged += 1
        db.close()
    tap.ok(not bad and judged > 20, f"{judged} real exports: slices, totals by name, flows, and the JSON form", *bad)


def made():
    """Two kernels of one graph launch, one of a launch call, a copy, a wait, memory in use, nested and crossing ranges."""
    path = os.path.join(tap.TMP, "made.sqlite")
    names = {1: "alpha(int)", 2: "beta(float)", 11: "cudaLaunchKernel", 12: "cudaGraphLaunch", 13: "cudaMemcpyAsync"}
    launches = [dict(start=1000, end=1300, demangledName=1, shortName=1, correlationId=5),
                dict(start=2000, end=2500, demangledName=1, shortName=1, correlationId=6, graphNodeId=3),
                dict(start=2200, end=2900, demangledName=2, shortName=2, correlationId=6, graphNodeId=4)]
    trace.make(path, launches, names, tables={
        "CUPTI_ACTIVITY_KIND_RUNTIME": [trace.call(900, 950, 5, 11), trace.call(1900, 1990, 6, 12), trace.call(100, 120, 7, 13)],
        "CUPTI_ACTIVITY_KIND_MEMCPY": [trace.copy(150, 190, 1, 4096, correlationId=7)],
        "NVTX_EVENTS": [trace.span(50, 3000, "step"), trace.span(60, 1500, "forward"), trace.span(1400, 1600, "crossing")]})
    return path


def check_made():
    path = made()
    timeline, r = timeline_of(path)
    if timeline is None:
        tap.ok(False, "a made export has a timeline", r.err)
        return
    names = {uuid: t.name for uuid, t in timeline.tracks.items()}
    slices = sorted((names[t], name, start, end) for t, name, start, end in timeline.slices)
    tap.equal(slices, [("CUDA API, thread 4242", "cudaGraphLaunch", 1900, 1990), ("CUDA API, thread 4242", "cudaLaunchKernel", 900, 950),
                       ("CUDA API, thread 4242", "cudaMemcpyAsync", 100, 120), ("NVTX, thread 4242", "forward", 60, 1500),
                       ("NVTX, thread 4242", "step", 50, 3000), ("NVTX, thread 4242 (2)", "crossing", 1400, 1600),
                       ("stream 7", "alpha(int)", 1000, 1300), ("stream 7", "alpha(int)", 2000, 2500),
                       ("stream 7 (2)", "beta(float)", 2200, 2900), ("stream 7 copies", "copy HtoD", 150, 190)],
              "every row is a slice on its track, with its times to the nanosecond")
    flows = sorted(sorted((name, how) for _, name, _, how in ends) for ends in timeline.flows.values())
    tap.equal(flows, [[("alpha(int)", "ends"), ("cudaLaunchKernel", "starts or goes on")],
                      [("alpha(int)", "starts or goes on"), ("beta(float)", "starts or goes on"), ("cudaGraphLaunch", "starts or goes on")],
                      [("copy HtoD", "ends"), ("cudaMemcpyAsync", "starts or goes on")]], "flows lead from a call to its work")
    tap.equal([args for name, args in timeline.args if name == "beta(float)"],
              [{"config": "grid64x1x1_block128x1x1_smem0", "cuda_graph": True}], "a kernel carries its configuration")
    tap.equal([args for name, args in timeline.args if name == "copy HtoD"], [{"bytes": 4096}], "a copy carries its bytes")
    processes = [t.process.process_name for t in timeline.tracks.values() if t.HasField("process")]
    tap.ok("GPU 0: Test GPU" in processes, "the device is a process", processes)
    tap.none(timeline.faults + json_differences(path, timeline), "nothing a reader trips over, and the same in JSON")
    timeline, r = timeline_of(path, "--ks-timeline-limit", "4")
    tap.equal(sorted(name for _, name, _, _ in timeline.slices), ["copy HtoD", "cudaMemcpyAsync", "forward", "step"],
              "a limit keeps what starts first")
    tap.equal([(t, "6" in name) for name, t in timeline.notes], [(900, True)], "and the file says what it left out, and where")
    timeline, r = timeline_of(path, "--ks-tracks", "streams")
    tap.equal(({timeline.kind(s[0]) for s in timeline.slices}, dict(timeline.flows)), ({"kernel"}, {}),
              "chosen tracks alone, and no flow that lacks an end")


check_made()
real_files()
tap.done()
