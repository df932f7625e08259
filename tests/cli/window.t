#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --within from the command line: half-open, sums clipped, lists whole, errors that name what there is.
# Expected numbers are arithmetic on the rows below.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

# Kernels of 100 us that start every 200 us from 1 ms on: ten of them, on one stream. Two ranges named
# "half" of five launches each; steps of two launches each.
python3 - "$ROOT/tests/lib" <<'EOF' || exit 2
import sys
sys.path.insert(0, sys.argv[1])
import trace
us = 1000
launches, calls, spans = [], [], []
for i in range(10):
    a = 1000 * us + 200 * us * i
    launches.append(dict(start=a, end=a + 100 * us, correlationId=i + 1, demangledName=1, shortName=1))
    calls.append(trace.call(a - 20 * us, a - 10 * us, i + 1, 2))
for i in range(2):
    spans.append(trace.span(950 * us + 1000 * us * i, 1950 * us + 1000 * us * i, "half"))
for i in range(5):
    spans.append(trace.span(960 * us + 400 * us * i, 1360 * us + 400 * us * i, "train_step"))
trace.make("run.sqlite", launches, {1: "k()", 2: "cudaLaunchKernel"}, tables={
    "NVTX_EVENTS": spans, "CUPTI_ACTIVITY_KIND_RUNTIME": calls})
EOF

report() { # report WINDOW: kernel ns, launches, span start, span length
	run "$KS_BIN" --ks-sqlite run.sqlite --within "$1" --format json
	python3 - <<'EOF'
import json
try:
    r = json.load(open("out"))
except ValueError:
    print("none")
else:
    w = r["timeline"]["window"]
    print(r["totals"]["kernel_ns"], r["totals"]["launches"], w["start_ns"], w["end_ns"] - w["start_ns"], w["cut_launches"])
EOF
}
is "$(report 1ms..3ms)" "1000000 10 1000000 1900000 0" "the whole of it: what lies behind the last end is not part of it"
is "$(report 1ms..2ms)" "500000 5 1000000 1000000 0" "half of it"
is "$(report 2ms..3ms)" "500000 5 2000000 900000 0" "the other half: the two add up"
is "$(report 1050us..1250us)" "100000 2 1050000 200000 2" "launches at the edges are clipped, and counted as cut"
is "$(report 1100us..1200us)" "0 0 1100000 100000 0" "where the device only waits there are no kernels"
run "$KS_BIN" --ks-sqlite run.sqlite --within 1100us..1200us
is "$rc" 0 "which is an answer"
like "$out" '^no GPU kernel ran in the part that --within names' "that speaks of the part, not of the recording"
unlike "$out" 'CUDA was traced|record again' "which has kernels"
is "$(report 1000000..1100000)" "100000 1 1000000 100000 0" "numbers without a unit are ns; the end is not part of it"
is "$(report ..1200us)" "100000 1 1000000 200000 0" "an open side is the edge of the work"
is "$(report 2800us..)" "100000 1 2800000 100000 0" "on either side"
is "$(report nvtx:half)" "500000 5 1000000 950000 0" "the first range of a name"
is "$(report nvtx:half/1)" "500000 5 1950000 950000 0" "the second"
is "$(report step:1)" "200000 2 1360000 400000 0" "a step"
is "$(report step:1..4)" "600000 6 1360000 1200000 0" "several steps, the last not among them"

run "$KS_BIN" --ks-sqlite run.sqlite --within nvtx:half
is "$rc" 0 "text"
like "$out" '^  window +nvtx:half .* sums clipped to it, lists whole' "says that sums are clipped and lists are whole"
run "$KS_BIN" --ks-sqlite run.sqlite --within step:1..4
like "$out" '^  steps +3 of train_step' "steps are those of the window"
unlike "$out" '^  steps .*first' "which the first of the trace is not"
run "$KS_BIN" --ks-sqlite run.sqlite --within step:1..4 --format json
is "$(python3 -c 'import json
r = json.load(open("out"))
s = r["timeline"]["steps"]
row = [m["value"] for k in r["kernels"] for x in k["sections"] for m in x["metrics"] if m["name"] == "ks__step_count"]
print(s["count"], s["first_number"], len(s["list"]), row, [(x["end_ns"] - x["start_ns"], x["kernel_ns"]) for x in s["list"]])')" \
	"3 1 3 [3] [(400000, 200000), (400000, 200000), (400000, 200000)]" "list, count and row agree, and steps keep their numbers"
for wrong in tomorrow 2ms..1ms 1ms..1ms step: nvtx: 1.5ns..2 1ms; do
	run timeout 5 "$KS_BIN" --ks-sqlite /nonexistent --within "$wrong"
	is "$rc/$out" "2/" "a usage error before a file is opened: $wrong"
	lines "$err" 1 "in one line"
done
for wrong in nvtx: step:3..1; do
	run "$KS_BIN" --ks-sqlite run.sqlite --within "$wrong"
	like "$err" "^error: --within $wrong[: ]" "the whole value is named: $wrong"
done
run "$KS_BIN" --ks-sqlite run.sqlite --within 5ms..6ms
isnt "$rc" 0 "a window outside the trace is an error"
like "$err" '1000000.*2900000' "that names the range of the file"
run "$KS_BIN" --ks-sqlite run.sqlite --within nvtx:halv
isnt "$rc" 0 "a range that is not there"
like "$err" 'half' "names the nearest"
run "$KS_BIN" --ks-sqlite run.sqlite --within nvtx:half/2
isnt "$rc" 0 "an instance that is not there"
like "$err" '2' "says how many there are"
run "$KS_BIN" --ks-sqlite run.sqlite --within step:7
isnt "$rc" 0 "a step that is not there"
like "$err" '5' "says how many there are"

hash() { "$KS_BIN" --ks-sqlite run.sqlite --packet - "$@" 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["protocol"]["hash"])'; }
isnt "$(hash)" "$(hash --within 1ms..2ms)" "the window is part of the protocol"
isnt "$(hash --within step:1)" "$(hash --within step:2)" "each window its own"
is "$(hash --within step:1)" "$(hash --within step:1)" "and the same one twice is the same"
run "$KS_BIN" --ks-sqlite run.sqlite --within step:1 -o win --csv
before=$(hash --within step:1)
run "$KS_BIN" -i win.ksreport.json --packet -
is "$(python3 -c 'import json; print(json.load(open("out"))["protocol"]["hash"])')" "$before" "a report that is read again keeps it"
done_testing
