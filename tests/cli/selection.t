#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Selection takes rows away and changes no total, share or denominator (contract 01 §3.1 as DESIGN §2.9
# has it). The trace: gemm<float> 10 launches of 400 ns and gemm<half> 5 of 200 ns on device 0, copy 4 of
# 100 ns on device 1, in this order in time; 5,400 ns together, 4,000 of them (74.07 %) gemm<float>.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import trace
names = {1: "void gemm<float>(float*)", 2: "gemm", 3: "copy(int*)", 4: "copy", 5: "void gemm<half>(half*)"}
rows = [dict(start=1000 * i, end=1000 * i + 400, demangledName=1, shortName=2, correlationId=i + 1) for i in range(10)]
rows += [dict(start=10000 + 1000 * i, end=10000 + 1000 * i + 200, demangledName=5, shortName=2, correlationId=11 + i) for i in range(5)]
rows += [dict(start=20000 + 1000 * i, end=20000 + 1000 * i + 100, demangledName=3, shortName=4, correlationId=20 + i, deviceId=1)
         for i in range(4)]
trace.make("run.sqlite", rows, names)
PY

# shown ARGS...: name=launches of the report's kernels, and the total of all kernels' time
shown() {
	run "$KS_BIN" --ks-sqlite run.sqlite --format json "$@"
	[ ! -s out ] || python3 -c '
import json
r = json.load(open("out"))
print(" ".join("%s=%d" % (k["name"], k["launch_count"]) for k in r["kernels"] if k["name"] != "(device)"))' 2>&1
}
is "$(shown)" "void gemm<float>(float*)=10 void gemm<half>(half*)=5 copy(int*)=4" "all kernels, most time first"
is "$(shown -k gemm)" "void gemm<float>(float*)=10 void gemm<half>(half*)=5" "-k NAME: every variant of the function"
is "$(shown -k gem)" "" "-k is not a prefix"
run "$KS_BIN" --ks-sqlite run.sqlite -k gem
is "$rc/$out" "1/" "no match: exit 1"
lines "$err" 1 "no match: one line"
like "$err" 'gemm' "no match: the nearest name"
like "$err" 'regex:' "no match: the regex form"
run "$KS_BIN" --ks-sqlite run.sqlite -k regex:zzz
is "$rc/$out" "1/" "a pattern without a match: exit 1"
like "$err" 'Kernels with most time: gemm, copy\. ' "a pattern without a match: those with most time, in this order"
like "$err" '--kernel-name-base demangled' "and how a pattern sees more of a name"
run "$KS_BIN" --ks-sqlite run.sqlite -k regex:zzz --kernel-name-base demangled
like "$err" 'most time: void gemm<float>\(float\*\), void gemm<half>\(half\*\), copy\(int\*\)' "by the names that were looked at"
unlike "$err" '--kernel-name-base' "what was done already is no advice"
is "$(shown -k regex:gem)" "void gemm<float>(float*)=10 void gemm<half>(half*)=5" "-k regex: finds anywhere"
is "$(shown -k 'regex:^cop')" "copy(int*)=4" "-k regex: with an anchor"
is "$(shown -k 'copy(int*)')" "" "-k looks at the function name by default"
is "$(shown --kernel-name-base demangled -k 'copy(int*)')" "copy(int*)=4" "--kernel-name-base demangled"
is "$(shown --kernel-name-base function)" "gemm=15 copy=4" "--kernel-name-base function groups variants"
is "$(shown --devices 1)" "copy(int*)=4" "--devices"
is "$(shown --devices 0,1)" "void gemm<float>(float*)=10 void gemm<half>(half*)=5 copy(int*)=4" "--devices: several"
run "$KS_BIN" --ks-sqlite run.sqlite --devices 7
is "$rc/$out" "1/" "a device that is not there"
lines "$err" 1 "one line"
like "$err" '0, ?1' "with the ids there are"
is "$(shown --launch-skip-before-match 12)" "void gemm<half>(half*)=3 copy(int*)=4" "--launch-skip-before-match skips in the order of time"

# share ARGS...: the share of the first kernel, from the packet
share() {
	"$KS_BIN" --quiet --ks-sqlite run.sqlite --packet - "$@" | python3 -c '
import json, sys
p = json.load(sys.stdin)
f = [v for v in p["verdicts"] if v["id"] == "kernel_time"][0]["facts"]
print("%s %.2f %.4f" % (f["top"], f["share_pct"], f["total_ms"]))'
}
is "$(share)" "void gemm<float>(float*) 74.07 0.0054" "the share of the top kernel"
is "$(share -k copy)" "copy(int*) 7.41 0.0054" "-k leaves shares and total as they are"
is "$(share -c 1)" "void gemm<float>(float*) 74.07 0.0054" "-c leaves them as well"

# listed ARGS...: launches per kernel in the launch CSV
listed() {
	"$KS_BIN" --quiet --ks-sqlite run.sqlite --launch-csv "$@" | python3 -c '
import csv, sys, collections
n = collections.Counter(r["kernel"] for r in csv.DictReader(sys.stdin))
print(" ".join("%s=%d" % (k, n[k]) for k in sorted(n)))'
}
is "$(listed)" "copy(int*)=4 void gemm<float>(float*)=10 void gemm<half>(half*)=5" "the launch CSV lists all"
is "$(listed -c 2)" "copy(int*)=2 void gemm<float>(float*)=2 void gemm<half>(half*)=2" "-c: so many of each kernel"
is "$(listed -s 4)" "void gemm<float>(float*)=6 void gemm<half>(half*)=1" "-s: so many of each kernel less"
is "$(listed -s 4 -c 1)" "void gemm<float>(float*)=1 void gemm<half>(half*)=1" "-s, then -c"
is "$(listed -k copy)" "copy(int*)=4" "-k"
run "$KS_BIN" --ks-sqlite run.sqlite -c 2
like "$err" '^note: -c and -s choose which launches' "-c without a list of launches is explained"

run "$KS_BIN" --quiet --ks-sqlite run.sqlite --csv --metrics ks__launch_count,gpu__time_duration.sum -k copy
is "$(python3 -c '
import csv
print(" ".join(r["metric"] + "=" + r["value"] for r in csv.DictReader(open("out", newline=""))))')" \
	"gpu__time_duration.sum=0.0004 ks__launch_count=4" "--metrics"
run "$KS_BIN" --quiet --ks-sqlite run.sqlite --csv --metrics sm__maximum_warps_per_active_cycle_pct -k copy
is "$(python3 -c '
import csv
print(*sorted((r["metric"], r["refusal_code"]) for r in csv.DictReader(open("out", newline=""))))')" \
	"('ks__theoretical_occupancy_pct', 'unknown_arch') ('sm__maximum_warps_per_active_cycle_pct', 'counters_denied')" "a counter of ncu: its refusal and its substitute"
is "$err" "" "neither is said to be missing"
run "$KS_BIN" --ks-sqlite run.sqlite --csv --metrics ,
is "$rc/$out" "2/" "--metrics without a name in it is no selection"
many=()
for ((i = 0; i < 5000; i++)); do many+=(--metrics ks__launch_count); done
run "$KS_BIN" --quiet --ks-sqlite run.sqlite --csv "${many[@]}" -k copy
mv out often
run "$KS_BIN" --quiet --ks-sqlite run.sqlite --csv --metrics ks__launch_count -k copy
is "$rc" 0 "--metrics once"
ok "is the same as 5000 times" cmp -s out often
run "$KS_BIN" --ks-sqlite run.sqlite --csv --metrics dram__bytes.sum
like "$err" '^note: dram__bytes.sum needs hardware counters; shown instead: est__dram_bytes_total' "an ncu name is translated and said"
run "$KS_BIN" --ks-sqlite run.sqlite --csv --metrics sm__warps_active.avg.pct_of_peak_sustained_active
is "$rc" 0 "a substitute without a row is no error"
lines "$err" 1 "one line says so"
like "$err" '^note: .* its substitute meas__achieved_occupancy_pct is not measured in this input: no_occupancy_probe: ' "with the code and what to do"
run "$KS_BIN" --ks-sqlite run.sqlite --csv --section Duration --metrics sm__maximum_warps_per_active_cycle_pct
like "$err" '^note: .* ks__theoretical_occupancy_pct has no row here; it belongs to the section Occupancy$' "a substitute of a section that was not chosen"
run "$KS_BIN" --ks-sqlite run.sqlite --csv --launch-csv
is "$rc" 0 "--csv and --launch-csv"
lines "$err" 1 "one line"
like "$err" '^warn: --launch-csv takes standard output' "says which one wins"
like "$out" '^kernel,launch_index,' "and that one is there"
run "$KS_BIN" --ks-sqlite run.sqlite --print-summary per-kernel
is "$(grep -c . out)" 3 "--print-summary per-kernel: a line per kernel"
run "$KS_BIN" --ks-sqlite run.sqlite --print-details all --page raw
like "$out" 'gpu__time_duration.sum' "--print-details all has the metric rows"
like "$out" 'source:' "--page raw has their sources"
run "$KS_BIN" --ks-sqlite run.sqlite --print-details all --print-metric-name full
like "$out" 'Duration.gpu__time_duration.sum' "--print-metric-name full"
run "$KS_BIN" --ks-sqlite run.sqlite --lang zh
is "$rc" 0 "--lang zh"
ok "in Chinese" python3 -c '
import re
assert re.search("[\u4e00-\u9fff]", open("out", encoding="utf-8").read().splitlines()[0])'
run "$KS_BIN" --ks-sqlite run.sqlite --color always
ok "--color always colours" grep -q $'\033' out
run "$KS_BIN" --ks-sqlite run.sqlite --color never
not_ok "--color never does not" grep -q $'\033' out
run "$KS_BIN" --ks-synth --csv
is "$rc" 0 "an unambiguous prefix of an option"
run "$KS_BIN" --ks-sqlite=run.sqlite --csv -- ./prog
is "$rc" 0 "a program beside a source is not started"
like "$err" '^warn: ./prog is not started' "and that is said"
done_testing
