#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The timeline from the command line: what the text says, the trace file and its name, formats that are
# pictures, and what a report that is read again can and cannot do. Every expected number is computed
# here by hand from the rows of trace.py.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

# Five steps of 1 ms, a kernel of 0.4 ms launched in each; the first step takes 5 ms. Between the
# kernels the device idles; a pageable copy of 1 MiB comes first.
python3 - "$ROOT/tests/lib" <<'EOF' || exit 2
import sys
sys.path.insert(0, sys.argv[1])
import trace
ms = 1000000
step = [(10 * ms, 15 * ms)] + [((15 + i) * ms, (16 + i) * ms) for i in range(4)]
launches, calls, spans = [], [], []
for i, (a, b) in enumerate(step):
    launches.append(dict(start=b - 500000, end=b - 100000, correlationId=i + 1, demangledName=1, shortName=1))
    calls.append(trace.call(a + 1000, a + 6000, i + 1, 2))
    spans.append(trace.span(a, b, f"step {i}"))
spans.append(trace.span(9 * ms, None, "never closed"))
trace.make("run.sqlite", launches, {1: "gemm(int)", 2: "cudaLaunchKernel_v7000"}, tables={
    "NVTX_EVENTS": spans, "CUPTI_ACTIVITY_KIND_RUNTIME": calls,
    "CUPTI_ACTIVITY_KIND_MEMCPY": [trace.copy(9 * ms, 9 * ms + 100000, 1, 1048576, srcKind=0, dstKind=2)]})
EOF

run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite run.sqlite
is "$rc" 0 "a trace with ranges, calls and copies"
like "$out" '^Over time$' "has a block about time"
like "$out" '^  steps +5 of step # .* first 5\.000 ms' "that finds the steps"
like "$out" '^  NVTX +step # 100\.0 %.*by launch call.*1 range never closed' "and the phases, with digits folded"
like "$out" '^  device 0 +idle ' "and the device's idle time"
like "$out" '^  copies +htod 1\.049 MB .* pageable to device .* 1 copy' "and the copies"
like "$out" '^  idle gap +5\.400 ms .* after copy htod, before gemm' "and the longest gap with its neighbours"
like "$out" '\(5 names\)$' "folded names say how many they are"
# Idle 5.4 ms and four times 0.6 ms of 9.9, each longer than a twentieth of a step; 0.1 ms of copy before any kernel.
like "$out" '^What to change first' "what to change first comes before the kernels"
like "$out" '^  78\.8%  7\.800 ms  long gaps' "with the most that it can save"
like "$out" '^   1\.0%  100\.0 µs  copies from or to pageable' "and the next"
run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite run.sqlite --ks-rule long_gap=off --ks-rule pageable_copy=1.02 --ks-rule warm_up=off --ks-rule grid_below_wave=off
unlike "$out" '^What to change first' "--ks-rule can leave nothing to tell"
run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite run.sqlite --lang zh
like "$out" '^随时间看$' "in Chinese as well"

run "$KS_BIN" --ks-sqlite run.sqlite --section Duration --section LaunchStats --section Occupancy --format json
is "$rc" 0 "a list of sections"
unlike "$out" '"timeline"|ks__nvtx' "reads and says nothing of the timeline"
run "$KS_BIN" --ks-sqlite run.sqlite --section NvtxPhases --format json
like "$out" '"timeline"' "the section of the phases brings it"

run "$KS_BIN" --ks-sqlite run.sqlite --section Duration --ks-nvtx-phases --csv
like "$out" 'NvtxPhases,.*ks__nvtx_attributed_kernel_ms,2,ms' "--ks-nvtx-phases beside a list of sections"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-nvtx overlap --format json
like "$out" '"reading": "overlap"' "--ks-nvtx overlap is the other reading"
run "$KS_BIN" help format
like "$out" '^  nvtx-csv +One row per NVTX phase' "help lists the formats"

run "$KS_BIN" --ks-sqlite run.sqlite --format json
ok "the JSON holds whole nanoseconds that add up" python3 - <<'EOF'
import json
r = json.load(open("out"))
t = r["timeline"]
assert t["window"] is None
assert [s["end_ns"] - s["start_ns"] for s in t["steps"]["list"]] == [5000000] + [1000000] * 4, t["steps"]
assert t["steps"]["list"][0]["mark"] == "first"
assert t["nvtx"]["reading"] == "projection" and t["nvtx"]["open_ranges"] == 1
assert {p["name"]: p["kernel_ns"] for p in t["nvtx"]["phases"]} == {f"step {i}": 400000 for i in range(5)}
assert t["nvtx"]["folded"][0]["names"] == 5 and t["nvtx"]["folded"][0]["kernel_ns"] == 2000000
assert t["nvtx"]["attributed_ns"] == 2000000 and t["nvtx"]["unattributed_ns"] == 0
mix = t["devices"][0]["mix_ns"]
# first start 9 ms to last end 18.9 ms
assert sum(mix.values()) == 9900000 and mix["compute"] == 2000000 and mix["copy"] == 100000, mix
assert t["idle_gaps"][0] == {"device": 0, "start_ns": 9100000, "end_ns": 14500000, "overhead_ns": 0,
                             "before": "copy htod", "after": t["idle_gaps"][0]["after"]}, t["idle_gaps"][0]
assert t["copies"]["kinds"][0]["bytes"] == 1048576
phases = r["meta"]["nvtx_phases"]
assert phases["count"] == 5 and phases["omitted"] == 0 and phases["attributed_ms"] == 2
assert abs(phases["phases"][0]["share_pct"] - 20) < 1e-9
EOF

# A copy of 1 ms, then a kernel of 0.4 ms that is launched inside two nested ranges of one name; a copy of
# 8 B, and one that does not say from where to where.
python3 - "$ROOT/tests/lib" <<'EOF' || exit 2
import sys
sys.path.insert(0, sys.argv[1])
import trace
ms = 1000000
trace.make("twice.sqlite", [dict(start=3 * ms, end=3 * ms + 400000, correlationId=1, demangledName=1, shortName=1)],
           {1: "gemm(int)", 2: "cudaLaunchKernel_v7000"}, tables={
    "NVTX_EVENTS": [trace.span(1 * ms, 4 * ms, "layer"), trace.span(1 * ms + 1, 3 * ms, "layer")],
    "CUPTI_ACTIVITY_KIND_RUNTIME": [trace.call(2 * ms, 2 * ms + 5000, 1, 2)],
    "ENUM_CUDA_MEM_KIND": [dict(id=0, name="CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", label="Pageable"),
                           dict(id=2, name="CUDA_MEMOPR_MEMORY_KIND_DEVICE", label="Device"),
                           dict(id=6, name="CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", label="Unknown")],
    "CUPTI_ACTIVITY_KIND_MEMCPY": [trace.copy(1 * ms, 2 * ms, 1, 1048576, srcKind=0, dstKind=2),
                                   trace.copy(4 * ms, 4 * ms + 1000, 1, 8, srcKind=0, dstKind=2),
                                   trace.copy(5 * ms, 5 * ms + 1000, 11, 4096, srcKind=6, dstKind=6)]})
EOF
run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite twice.sqlite --print-details all
like "$out" '^  NVTX +layer 200\.0 % .* over 100 %: ranges of one name overlap' "a share over 100 % says why"
like "$out" '^  device 0 +idle .* copy 1\.002 ms .* compute 400\.0 µs' "what a device did most comes first"
like "$out" '^ +um_htod 4\.096 kB .* 1 copy' "a migration"
unlike "$out" 'unknown to unknown' "does not say unknown for both ends"
like "$out" '^ +8 B +1 +htod$' "a copy of a few bytes shows no rate"
run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite twice.sqlite --lang zh --print-details all
like "$out" '可分页内存到显存' "kinds of memory are words of the language"
run env COLUMNS=140 LINES=60 "$KS_BIN" --ks-sqlite run.sqlite
unlike "$out" 'over 100 %' "and no share that is no more"

# Names that are not there: without a word the numbers would look as wished.
run "$KS_BIN" --ks-sqlite run.sqlite --ks-step epoch
like "$out" '^note: no steps: no range is named epoch' "--ks-step with a name that no range has"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-comm gemm --ks-comm halo
like "$out" '^note: --ks-comm halo: no kernel of this trace' "--ks-comm with a name that no kernel has"
unlike "$out" 'note: --ks-comm gemm' "and not with one that some have"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-comm 'regex:('
is "$rc" 2 "a pattern that is none"
like "$err" '^error: --ks-comm regex:\(' "names its option"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-family mine=gemm --ks-family yours=halo
like "$out" '^note: --ks-family yours=halo: no kernel of this trace' "--ks-family with a name that no kernel has"
unlike "$out" 'note: --ks-family mine' "and not with one that some have"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-family Mine=gemm
is "$rc/$out" "2/" "--ks-family with a name that cannot be part of a metric's"
like "$err" '^error: --ks-family Mine=gemm: that is not NAME=PREFIX' "names its option"

# --- the trace file ---------------------------------------------------------------------------------
run "$KS_BIN" --ks-sqlite run.sqlite -o fam --csv
is "$rc" 0 "-o"
is "$(ls -d fam.*)" "fam.case
fam.ksreport.json
fam.perfetto-trace" "writes the timeline beside the report"
like "$err" '^note: fam\.perfetto-trace holds [0-9]+ slices; open it at ui\.perfetto\.dev' "and says where to look at it"
run "$KS_BIN" --ks-sqlite run.sqlite -o fam --csv
is "$rc" 1 "an old one is not replaced"
rm fam.ksreport.json
run "$KS_BIN" --ks-sqlite run.sqlite -o fam --csv
is "$rc/$(ls -d fam.*)" "1/fam.case
fam.perfetto-trace" "even where only the timeline is there"
run "$KS_BIN" --ks-sqlite run.sqlite -o fam --csv -f
is "$rc" 0 "but with -f"
run "$KS_BIN" --ks-sqlite run.sqlite -o bare --ks-perfetto none --csv
is "$rc/$(ls -d bare.*)" "0/bare.case
bare.ksreport.json" "--ks-perfetto none leaves it out"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto alone.json --csv
is "$rc" 0 "--ks-perfetto alone"
ok "a name that ends in .json gives JSON" python3 -c '
import json
t = json.load(open("alone.json"))
kernels = [e for e in t["traceEvents"] if e.get("ph") == "X" and e.get("cat") == "kernel"]
assert len(kernels) == 5, len(kernels)
assert abs(sum(e["dur"] for e in kernels) - 2000) < 1e-6
'
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto run.sqlite --csv -f
is "$rc" 2 "never over the input"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto x --packet ./x --csv
is "$rc" 2 "and no name for two outputs"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto -
is "$rc/$out" "2/" "standard output is --format perfetto"
run "$KS_BIN" --ks-sqlite run.sqlite --format perfetto
is "$rc" 0 "which writes to a pipe or a file"
ok "the same bytes as the file" cmp -s out fam.perfetto-trace
if have script && script -qec true /dev/null >/dev/null 2>&1; then
	run script -qec "'$KS_BIN' --ks-sqlite run.sqlite --format perfetto" /dev/null
	like "$out" 'no text for a terminal' "and not to a terminal"
else
	skip "no script(1), or no pseudo-terminal, to make a terminal with"
fi
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto few --ks-timeline-limit 4 --csv
like "$err" '^warn: [0-9]+ slices are left out of few, none that starts at [0-9]+ ns or later is in it; --ks-timeline-limit 0' "a limit says what it cut off"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-perfetto some.json --ks-tracks streams --csv
ok "tracks are chosen" python3 -c '
import json
assert {e["cat"] for e in json.load(open("some.json"))["traceEvents"] if e.get("ph") == "X"} == {"kernel"}
'
run "$KS_BIN" --ks-sqlite run.sqlite --ks-tracks strems --ks-perfetto t
is "$rc" 2 "a wrong track"
like "$err" 'did you mean streams' "with the nearest name"
run "$KS_BIN" --ks-sqlite run.sqlite --ks-tracks nvtx --csv
like "$err" '^warn: --ks-tracks changes nothing here' "tracks without a timeline are remarked on"

# --- formats ----------------------------------------------------------------------------------------
for format in timeline-svg histogram-svg; do
	run "$KS_BIN" --ks-sqlite run.sqlite --format $format
	is "$rc" 0 "--format $format"
	like "$out" '^<svg|^<\?xml' "is a picture"
done
run "$KS_BIN" --ks-sqlite run.sqlite --format folded
is "$rc" 0 "--format folded"
is "$(awk '{ n += $NF } END { print n }' <<<"$out")" 2000000 "all kernel time in ns"
run "$KS_BIN" --ks-sqlite run.sqlite --format nvtx-csv
is "$rc/$(wc -l <out)" "0/6" "--format nvtx-csv: a heading and five phases"
run "$KS_BIN" --ks-sqlite run.sqlite --format nothing
like "$err" 'perfetto.*folded|folded.*perfetto' "a wrong format lists them all"

# --- a report that is read again --------------------------------------------------------------------
run "$KS_BIN" -i fam.ksreport.json -o again --csv
is "$rc/$(ls -d again.*)" "0/again.case
again.ksreport.json" "a report is written again, without a timeline file"
like "$err" '^note: again\.ksreport\.json only, no timeline' "and says so"
ok "its timeline is the same, byte for byte" python3 -c '
def part(path):
    text = open(path).read()
    return text[text.index("\n  \"timeline\": "):text.index("\n  \"kernels\": ")]
assert part("fam.ksreport.json") == part("again.ksreport.json")
'
for wish in "--within 1ms..2ms" "--ks-step step" "--ks-comm x" "--ks-family x=y" "--ks-perfetto t" "--format perfetto" \
	"--format timeline-svg" "--format folded" "--format nvtx-csv"; do
	# shellcheck disable=SC2086
	run "$KS_BIN" -i fam.ksreport.json $wish
	is "$rc/$out" "2/" "a report cannot do $wish"
	like "$err" 'needs the recording' "and says what could"
done
run "$KS_BIN" explain ks__nvtx_attributed_kernel_ms run.sqlite
is "$rc" 0 "explain finds rows of the timeline"
run "$KS_BIN" --ks-synthetic -o syn --csv
is "$rc/$(ls -d syn.*)" "0/syn.case
syn.ksreport.json
syn.perfetto-trace" "the synthetic trace has a timeline as well"
done_testing
