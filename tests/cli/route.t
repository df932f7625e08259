#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# route names the command for a question in people's own words; every command it names works.
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/machine.sh"
need_bin
cd "$T" || exit 2
machine_new

first() { python3 -c 'import json; r = json.load(open("out"))["routes"]; print(r[0]["id"] if r else "-")'; }
asks() { # QUESTION WANTED-ID
	machine route "$1" --json
	is "$rc/$err/$(first)" "0//$2" "$1"
}
asks "which kernel should I optimise first" kernel_time
asks "我的程序为什么这么慢" kernel_time
asks "am I bandwidth limited" dram_bytes
asks "why can't I get hardware counters in this container" exact_dram
asks "GPU 之间传了多少数据" nvlink
asks "哪个 kernel 慢" kernel_time
asks "what is the weather tomorrow" -
asks "今天天气怎么样" -

machine route are my memory accesses coalesced --json
ok "words without quotes are one question; the keys are the contract's" python3 -c '
import json
d = json.load(open("out"))
assert d["question"] == "are my memory accesses coalesced" and d["matched"] is True, d
assert 1 <= len(d["routes"]) <= 3
r = d["routes"][0]
assert r["id"] == "dram_bytes_trace" and r["tier"] == 3 and r["score"] > 0
for k in ("question", "answers", "alt", "command", "caliber", "failures"):
    assert k in r, k
assert {f["code"] for f in r["failures"]} == {"no_memtrace", "nvbit_missing", "trace_unavailable", "trace_too_many_accesses"}
assert set(r["failures"][0]) == {"code", "action", "cmd", "cost_kind", "cost_s"}
assert r["in_this_version"] is False and "instrumented" in r["caliber"]
'
machine route "which SASS instructions does my kernel contain" --json
like "$out" '"no_sass_source"' "instructions next to source lines are refused with no_sass_source"
machine route xyzzy --json
ok "what is none of ours is not matched, with a hint and the list" python3 -c '
import json
d = json.load(open("out"))
assert d["matched"] is False and d["routes"] == [] and "route --list" in d["hint"] and len(d["can_ask"]) == 17'
is "$rc" 0 "and that is no error"
machine route xyzzy
like "$out" '^This is none of the questions' "for people too"
like "$out" '^  kernel_time ' "with the list"

for empty in '' ' ' '?'; do
	machine route "$empty" --json
	is "$rc" 2 "an empty question is a usage error: '$empty'"
	ok "said as JSON" python3 -c '
import json
d = json.load(open("out"))
assert set(d) == {"error", "hint", "rc"} and d["rc"] == 2'
done
machine route
is "$rc/$out" "2/" "no question at all"
like "$err" 'route "why is my program slow"' "shows one"

machine route --list --json
ok "--list has all seventeen in the contract's order" python3 -c '
import json
r = json.load(open("out"))["routes"]
assert [x["id"] for x in r][:3] == ["kernel_time", "launch_configs", "static_resources"] and len(r) == 17
assert all({"id", "question", "tier", "answers", "alt", "command"} <= set(x) for x in r)'
cp out list.json
machine route --list
is "$(grep -c '^  [a-z]' <<<"$out")" 17 "as text one each"

if machine_is_bare; then
	machine route "how many issue slots are used" --json
	like "$out" '"env_note": "No NVIDIA GPU is visible here"' "what this machine lacks is said"
	machine route "why is my program slow" --json
	like "$out" '"env_note": ".*a recording from another machine answers it all the same"' "and what to do all the same"
	machine route "why is my program slow" --lang zh
	like "$out" '在本机上：这里看不到 NVIDIA GPU' "in Chinese"
else
	skip "this machine has a driver or tools" 3
fi
machine_ncu denied
machine route "am I bandwidth limited"
is "$([ -e "$M/ncu.ran" ] && echo ran)" "" "no program is started"
machine route --probe "what do my warps wait for"
is "$rc/$([ -e "$M/ncu.ran" ] && echo ran)" "0/ran" "but for --probe"

# every command that is offered, on an export that is there
python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import trace
trace.make("run.sqlite", [dict(start=1000 * i, end=1000 * i + 400, demangledName=1, shortName=2, correlationId=i + 1) for i in range(9)],
           {1: "gemm()", 2: "gemm"})
PY
python3 -c '
import json
for r in json.load(open("list.json"))["routes"]:
    print(r["command"])' | sort -u >commands
while read -r program words; do
	# shellcheck disable=SC2086
	machine $words
	is "$program/$rc" "kernoscope/0" "$program $words"
done <commands
done_testing
