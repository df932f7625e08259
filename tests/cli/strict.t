#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --strict (contract 01 §8): each violation is a line, the last line counts them, the exit code is 2, and
# the result of a run is there all the same; with -i it is not.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

# violates N ERE NAME ARGS...
violates() {
	local n=$1 want=$2 name=$3
	shift 3
	run "$KS_BIN" --strict "$@"
	is "$rc" 2 "$name: exit 2"
	is "$(grep -c '^error(strict): ' err)" $((n + 1)) "$name: $n and the closing line"
	like "$err" "^error\(strict\): .*$want" "$name: named"
	like "$(tail -n 1 err)" "^error\(strict\): violations: $n;" "$name: counted"
}

run "$KS_BIN" --strict --ks-synthetic --csv
is "$rc/$err" "0/" "the basic set passes"
violates 1 '--replay-mode' "an inert option" --quiet --ks-synthetic --csv --replay-mode kernel
ok "the result is printed first" grep -q gpu__time_duration.sum out
violates 2 'clock-control' "two inert options" --quiet --ks-synthetic --csv --replay-mode kernel --clock-control none
violates 1 'page source' "a page that cannot be given" --quiet --ks-synthetic --page source
violates 1 'dram__bytes.sum needs hardware counters; .*est__dram_bytes_total' "a substituted metric" \
	--quiet --ks-synthetic --csv --metrics dram__bytes.sum
violates 1 'smsp__inst_executed.sum' "a counter" --quiet --ks-synthetic --csv --metrics smsp__inst_executed.sum
violates 1 'sm__cycles_active.avg needs hardware counters' "a counter no table knows" \
	--quiet --ks-synthetic --csv --metrics sm__cycles_active.avg
violates 1 'est__achieved_tflops has no value: no_workload' "a refused metric" \
	--quiet --ks-synthetic --csv --metrics est__achieved_tflops
run "$KS_BIN" --strict --ks-synthetic --csv --metrics ks__launch_count
is "$rc" 0 "a metric that is there passes"
violates 1 'section SchedulerStats has no value' "a section that needs counters" \
	--quiet --ks-synthetic --csv --section SchedulerStats
run "$KS_BIN" --strict --ks-synthetic --csv --set full
is "$rc" 2 "the full set never passes without counters"
run "$KS_BIN" --strict --ks-synthetic --csv --set full --section Duration
is "$rc" 0 "a named section replaces the set"

"$KS_BIN" --quiet --ks-synthetic --set full -o run --csv >/dev/null 2>&1
run "$KS_BIN" --strict -i run.ksreport.json --csv --set basic
is "$rc/$err" "0/" "-i: the basic set passes"
violates 1 'needs hardware counters' "-i: a counter" --quiet -i run.ksreport.json --csv --metrics smsp__inst_executed.sum
is "$out" "" "-i: nothing is printed before the check"
python3 - <<'PY'
import json
r = json.load(open("run.ksreport.json"))
r["meta"]["environment_refusals"] = [{"code": "nsys_missing", "message": "no nsys here"}]
json.dump(r, open("env.ksreport.json", "w"))
PY
violates 1 'nsys_missing: no nsys here' "-i: an environment refusal of the run" --quiet -i env.ksreport.json --csv --set basic
python3 - <<'PY'
import json
r = json.load(open("run.ksreport.json"))
r["meta"]["clock_lock"] = {"state": "unlocked", "source": "nvml"}
json.dump(r, open("clock.ksreport.json", "w"))
r["meta"]["clock_lock"]["state"] = "unknown"
json.dump(r, open("unknown.ksreport.json", "w"))
PY
violates 1 'clock_not_locked: ' "-i: clocks that are known not to be locked" --quiet -i clock.ksreport.json --csv --set basic
run "$KS_BIN" --strict --quiet -i unknown.ksreport.json --csv --set basic
is "$rc/$err" "0/" "-i: clocks nobody read break nothing"
done_testing
