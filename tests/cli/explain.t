#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# explain walks a number back to file, table, column and rows.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import trace
names = {1: "void gemm<float>(float*)", 2: "gemm", 3: "copy(int*)", 4: "copy"}
rows = [dict(start=1000 * i, end=1000 * i + 400, demangledName=1, shortName=2, correlationId=i + 1) for i in range(10)]
rows += [dict(start=20000 + 1000 * i, end=20000 + 1000 * i + 100, demangledName=3, shortName=4, correlationId=20 + i) for i in range(4)]
trace.make("run.sqlite", rows, names)
PY

run "$KS_BIN" explain ks__launch_time_mean@gemm run.sqlite --json
is "$rc/$err" "0/" "explain --json"
ok "the mean comes down to ten rows of the kernel table" python3 -c '
import json
e = json.load(open("out"))
assert e["schema_version"] == 1 and e["metric"] == "ks__launch_time_mean", e
assert e["kernel"] == "void gemm<float>(float*)" and abs(e["value"] - 0.0004) < 1e-12 and e["unit"] == "ms", e
assert e["provenance"] == "exact" and e["formula"], e
def leaves(node):
    for i in node["inputs"]:
        if "table" in i:
            yield i
        else:
            yield from leaves(i)
got = list(leaves(e))
assert got, e
assert all(g["file"] == "run.sqlite" for g in got), got
assert any(g["table"] == "CUPTI_ACTIVITY_KIND_KERNEL" and g["rows"] == 10 for g in got), got
'
run "$KS_BIN" explain gpu__time_duration.sum run.sqlite --json
ok "without a kernel: the one with most time" python3 -c '
import json
e = json.load(open("out"))
assert e["kernel"].startswith("void gemm") and abs(e["value"] - 0.004) < 1e-12, e'
run "$KS_BIN" explain 'gpu__time_duration.sum@copy(int*)' run.sqlite --json
ok "a kernel by its full name" python3 -c '
import json
e = json.load(open("out"))
assert e["kernel"] == "copy(int*)" and abs(e["value"] - 0.0004) < 1e-12, e'
run "$KS_BIN" explain ks__trace_span_ms --ks-sqlite run.sqlite --json
ok "--ks-sqlite in place of the file; a row of the device" python3 -c '
import json
e = json.load(open("out"))
assert e["kernel"] == "(device)" and abs(e["value"] - 0.0231) < 1e-12, e'
run "$KS_BIN" explain ks__launch_time_mean@gemm run.sqlite
is "$rc/$err" "0/" "explain as text"
like "$out" '^ks__launch_time_mean = 0.0004 ms  \[exact\]$' "the value first"
like "$out" 'CUPTI_ACTIVITY_KIND_KERNEL' "down to the table"
like "$out" '^file: run.sqlite$' "and the file"
run "$KS_BIN" --lang zh explain x
is "$rc/$out" "2/" "options before a command make it a program"
like "$err" 'PATH 中没有程序 explain' "and there is none of that name"
run "$KS_BIN" explain ks__launch_time_mean@gemm run.sqlite --lang zh
like "$out" '^文件：run.sqlite$' "explain in Chinese"

run "$KS_BIN" explain est__achieved_tflops run.sqlite
is "$rc" 0 "a refusal is explained as well"
like "$out" 'no_workload' "with its code"
run "$KS_BIN" explain dram__bytes.sum run.sqlite --section x
is "$rc" 2 "only its own options"
run "$KS_BIN" explain ks__launch_cuont run.sqlite
is "$rc/$out/$err" "2//error: unknown metric ks__launch_cuont; did you mean ks__launch_count? [usage]" "an unknown metric"
run "$KS_BIN" explain ks__launch_count@gem run.sqlite
is "$rc" 1 "an unknown kernel"
like "$err" '^error: @gem names no kernel of run.sqlite; .*nearest: gemm' "names the nearest, and no option that was not given"
unlike "$err" '-k' "explain has no -k"
for pattern in 'regex:^ge' 'regex:float\*'; do
	run "$KS_BIN" explain "ks__launch_count@$pattern" run.sqlite --json
	is "$rc" 0 "@$pattern"
	ok "@$pattern: the kernel it fits" grep -q '"kernel": *"void gemm<float>' out
done
run "$KS_BIN" explain 'ks__launch_count@regex:zzz' run.sqlite
is "$rc/$out" "1/" "a pattern that fits none"
like "$err" '^error: @regex:zzz matches no kernel of run.sqlite; kernels with most time: gemm, copy; ' "names those with most time"
run "$KS_BIN" explain 'ks__launch_count@regex:(' run.sqlite
is "$rc" 2 "a pattern that does not compile"
run "$KS_BIN" explain sm__warps_active.avg.pct_of_peak_sustained_active run.sqlite
is "$rc/$out" "1/" "a substitute that has no row"
unlike "$err" 'shown instead' "is not said to be shown"
like "$err" '^note: .*not measured in this input: no_occupancy_probe' "but why it is not there"
run "$KS_BIN" explain ks__launch_count none.sqlite
is "$rc" 1 "a missing file"
lines "$err" 1 "one line"
run "$KS_BIN" explain gpu__time_duration.sum --ks-synthetic
like "$out" 'SYNTHETIC' "the made-up trace is marked"

"$KS_BIN" --quiet --ks-sqlite run.sqlite -o run --csv >/dev/null 2>&1
run "$KS_BIN" explain gpu__time_duration.sum run.ksreport.json --json
is "$rc" 0 "from a report of ours"
ok "the value is the same" python3 -c '
import json
e = json.load(open("out"))
assert abs(e["value"] - 0.004) < 1e-12 and e["kernel"].startswith("void gemm"), e'
for question in ks__launch_time_mean@gemm ks__device_0__idle_ms ks__tail_wave_fill_pct; do
	"$KS_BIN" explain "$question" run.sqlite --json >want 2>/dev/null
	run "$KS_BIN" explain "$question" run.ksreport.json --json
	is "$rc/$err" "0/" "$question from a report"
	ok "$question: the report nests as the trace does" python3 -c '
import json
def shape(node):
    if "table" in node:
        return node["table"], node["column"], node["rows"]
    return node["metric"], node["kernel"], node["value"], [shape(i) for i in node["inputs"]]
a, b = shape(json.load(open("want"))), shape(json.load(open("out")))
assert a == b, (a, b)
assert any(len(i) == 4 for i in a[3]), a'
done
python3 - <<'PY'
import json
r = json.load(open("run.ksreport.json"))
for k in r["kernels"]:
    for s in k["sections"]:
        for m in s["metrics"]:
            if m["name"] == "gpu__time_duration.sum":
                m["inputs"] = ["ks__launch_time_mean", "ks__no_such_row", m["name"]]
json.dump(r, open("circle.ksreport.json", "w"))
PY
run "$KS_BIN" explain ks__launch_time_mean@gemm circle.ksreport.json
is "$rc" 0 "a report whose lineage runs in a circle"
like "$out" 'explained above' "is walked once around"
python3 - <<'PY'
import json
r = json.load(open("run.ksreport.json"))
r["tool_version"] = "0.2.3"
json.dump(r, open("old.ksreport.json", "w"))
PY
run "$KS_BIN" explain gpu__time_duration.sum old.ksreport.json
is "$rc/$out" "1/" "from a report of the original: refused"
like "$err" 'legacy_report' "with the code"
done_testing
