#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# capabilities says what this machine can answer, on made-up machines from nothing to everything.
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/machine.sh"
need_bin
cd "$T" || exit 2

# key PATH: of the JSON in $T/out
key() { python3 -c 'import json,sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2].split("."):
    v = v[int(k)] if isinstance(v, list) else v[k]
print(v if isinstance(v, str) else json.dumps(v, separators=(",", ":")))' "$T/out" "$1"; }
# code QUESTION: why it is refused, or its state
code() { python3 -c 'import json,sys
a = [a for a in json.load(open(sys.argv[1]))["answers"] if a["id"] == sys.argv[2]][0]
print(a["refusal"]["code"] if a["state"] == "refused" else a["state"])' "$T/out" "$1"; }

machine_new
if machine_is_bare; then
	machine capabilities --json
	is "$rc/$err" "0/" "nothing here: still an answer, and no error"
	is "$(key tier.name)/$(key env.counter_state)" "demo/not-installed" "the lowest layer; ncu is not installed, which is not denied"
	is "$(code kernel_time)" "no_gpu" "no device: no_gpu"
	is "$(code exact_dram)" "counters_not_installed" "the counter questions say that ncu is missing, not the device"
	is "$(code static_mix)/$(code nvlink)" "no_static_input/no_nvlink" "no cubin, no link"
	is "$(key next_actions.0.code)" "no_gpu" "the device unlocks most"
	machine capabilities
	like "$out" '^This machine cannot measure anything; recordings made elsewhere can be analysed$' "for people the finding stands first"
	like "$out" '^  kernoscope --ks-sqlite run.sqlite$' "and one thing to do next"
	machine_tool nsys
	if machine_gpu -DNO_DRIVER; then
		machine capabilities --json
		is "$(code kernel_time)" "no_gpu" "a library without its driver is no device"
	else
		skip "no C compiler" 1
	fi
else
	skip "this machine has tools or a driver of its own" 9
fi

machine_new
if machine_gpu; then
	machine capabilities --json
	is "$(key tier.name)/$(key env.gpu_name)/$(key env.devices)" "device/Test GPU/2" "two devices by NVML"
	is "$(code device_busy)/$(code dram_bytes)/$(code roofline)" "available/degraded/degraded" "weak without a peak or a workload"
	is "$(key answers.6.weak_because)/$(key answers.7.weak_because)" "no_calibration/no_workload" "and what is missing is named"
	isnt "$(code nvlink)" "no_nvlink" "three active links: the links are not what is missing"
	is "$(key env.nvlinks)" 3 "they are counted"
	if machine_is_bare; then
		is "$(code kernel_time)/$(code issue_slot)" "nsys_missing/nvbit_missing" "a device and nothing to record with"
	else
		skip "this machine has tools of its own"
	fi
	machine_tool nsys
	machine capabilities --json
	is "$(key tier.name)/$(code kernel_time)" "trace/available" "with nsys it can record"
	like "$("$KS_BIN" remedy nsys_missing)" 'kernoscope --ks-sqlite run.sqlite' "without it a recording still helps"
	machine_nvbit
	machine capabilities --json
	is "$(key tier.name)/$(code achieved_occupancy)/$(code issue_slot)/$(code l2_locality)" \
		"instrumented/no_occupancy_probe/no_instr_hist/no_memtrace" "with NVBit the records of a run are what is missing"
	machine_ncu denied
	machine_policy 1
	machine capabilities --json
	is "$(key env.counter_state)/$(code stall_breakdown)/$([ -e "$M/ncu.ran" ] && echo ran)" "denied/counters_denied/" "denied by the driver's setting; no program was started to see that"
	is "$(key next_actions | grep -c counters_denied)" 0 "what cannot be changed is no next step"
	machine_policy 0
	rm -f "$M/ncu.ran"
	machine capabilities --probe --json
	is "$(key env.counter_state)/$(code exact_dram)/$([ -e "$M/ncu.ran" ] && echo ran)" "denied/counters_denied/ran" "--probe asks ncu, whose answer goes before the setting"
	like "$(key probe_note)" 'ncu --query-metrics' "and says what it asked"
	machine_ncu allowed
	machine capabilities --probe --json
	is "$(key env.counter_state)/$(key tier.level)/$(key next_tier)/$(code pipe_utilization)" "available/4/null/available" "counters allowed: the highest layer"
	machine capabilities
	like "$out" '^This machine can record; a recording answers 4 of 17 questions in this version$' "for people: it can record"
	like "$out" 'this version does not measure them yet' "and what it could do but this version cannot"
	machine capabilities --brief --probe
	is "$(python3 -c 'import json,sys; print(json.loads(open("out").read())["next_layer"]["command"])')" "kernoscope capabilities --json --probe" "the short line names the command that gave it"
else
	skip "no C compiler" 18
fi

# the short line, on the machine as it is
run "$KS_BIN" capabilities --json
size=$(wc -c <"$T/out")
run "$KS_BIN" capabilities --brief
is "$rc/$err" "0/" "--brief"
lines "$out" 1 "one line"
ok "at most 1300 bytes, with the size of the long form" python3 -c '
import json, sys
t = open("out", "rb").read()
b = json.loads(t)
assert len(t.rstrip(b"\n")) <= 1300, len(t)
assert b["next_layer"]["bytes"] == int(sys.argv[1]), b
assert b["schema_version"] == 1 and len(b["next"]) <= 4
assert len(b["can_answer"]) + len(b.get("weak", [])) + len(b["cannot_answer"]) == 17
' "$size"

# a file
run "$KS_BIN" capabilities -o c.json
is "$rc/$out" "0/" "-o writes a file and nothing else"
ok "which is the JSON" python3 -c 'import json; assert json.load(open("c.json"))["schema_version"] == 1'
cp c.json before
run "$KS_BIN" capabilities -o c.json
is "$rc/$(cmp c.json before && echo same)" "1/same" "an old file stays"
like "$err" 'c\.json' "and is named"
run "$KS_BIN" capabilities --brief -f --quiet -o c.json
is "$rc/$out" "0/" "-f replaces it"
unlike "$err" '^(note|warning)' "--quiet leaves the line that names the file"
is "$(wc -l <c.json)" 1 "with the short line where that was asked for"
ln -s before link.json
run "$KS_BIN" capabilities -f -o link.json
is "$rc/$([ -L link.json ] && cmp -s before link.json && echo kept)" "1/kept" "never through a symbolic link"
run "$KS_BIN" capabilities -o before/c.json
is "$rc" 1 "below a file there is no place for it"

machine_new
machine_ncu denied
machine capabilities --probe --plan
is "$rc/$([ -e "$M/ncu.ran" ] && echo ran)" "0/" "--plan starts nothing"
like "$out" 'runs: ncu --query-metrics' "and names the one program that would be started"
machine capabilities --plan -o plan.json
unlike "$out" 'runs: ' "none without --probe"
is "$([ -e plan.json ] || echo absent)" absent "and no file is written"

run "$KS_BIN" capabilities extra
is "$rc/$out" "2/" "it takes no word"
run "$KS_BIN" capabilities --breif
like "$err" '--brief' "the nearest option to a slip"
run "$KS_BIN" capabilities --lang zh
like "$out" '现在即可回答' "in Chinese"
run "$KS_BIN" capabilities --json --lang zh
ok "JSON keys stay, its sentences are Chinese when asked for" python3 -c '
import json
d = json.load(open("out", encoding="utf-8"))
assert d["answers"][0]["id"] == "kernel_time" and "哪个" in d["answers"][0]["question"]'
done_testing
