#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# remedy says what a refusal code means and what to do, from its rows.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

run "$KS_BIN" remedy unknown_arch
is "$rc/$err" "0/" "a code"
like "$out" '^unknown_arch: The limits of this architecture are not known$' "its title first"
like "$out" '^  raised when: ' "when it is raised"
like "$out" '^  do: Export again with nsys 2021\.2 or newer$' "what to do"
like "$out" '^  cost: manual$' "what that costs"
like "$out" '^  then answers: theoretical_occupancy$' "what it unlocks"
run "$KS_BIN" remedy counters_denied
like "$out" '^  cost: the number itself cannot be had here$' "what cannot be had is not offered"
like "$out" '^  stands before: stall_breakdown' "nor said to follow"
like "$out" '^  on this machine: kernoscope doctor says' "who can change it is said by doctor"
run "$KS_BIN" remedy no_launch_activity
like "$out" '^  command: nsys profile --trace=cuda,nvtx -o run PROGRAM$' "the command filled in"
run "$KS_BIN" remedy mixed_launch_config --json
ok "as JSON" python3 -c '
import json
d = json.load(open("out"))
assert d["schema_version"] == 1 and d["code"] == "mixed_launch_config" and d["state"] == "live" and d["later"] == ""
assert d["remedy"] == {"action": "Read LaunchConfigs; each one has its own rows",
    "command": "kernoscope --ks-sqlite run.sqlite -k NAME --print-details all", "cost_s": 0, "cost_kind": "wall_seconds",
    "then_answers": ["launch_configs"]}, d'
run "$KS_BIN" remedy Unknown-Arch
is "$rc" 0 "dashes and capitals do not matter"
run "$KS_BIN" remedy unknwon_arch
is "$rc/$out" "2/" "a slip"
like "$err" 'did you mean unknown_arch\?' "has its nearest code"
run "$KS_BIN" remedy zzzzzzzzzz
is "$rc" 2 "no code at all"
like "$err" '`kernoscope remedy` lists them all' "says where they are"
run "$KS_BIN" remedy a b
is "$rc" 2 "one code at a time"
run "$KS_BIN" remedy gpm_denied
like "$out" '^  not raised yet: running a program' "a code of a later version says so"
run "$KS_BIN" remedy
is "$rc/$err" "0/" "without a code"
is "$(grep -c '^[^ ].*' <<<"$out")" 8 "seven groups, and how to go on"
run "$KS_BIN" remedy --json
ok "all codes: the original's 58 and ours, both languages complete" python3 -c '
import json, subprocess, sys
en = json.load(open("out"))["refusals"]
zh = json.loads(subprocess.run([sys.argv[1], "remedy", "--json", "--lang", "zh"], capture_output=True).stdout)["refusals"]
assert len(en) == len(zh) == len({r["code"] for r in en}) >= 58
def cjk(s): return any("一" <= c <= "鿿" for c in s)
for a, b in zip(en, zh):
    assert a["code"] == b["code"]
    for k in ("title", "when"):
        assert a[k] and not cjk(a[k]) and cjk(b[k]), (a["code"], k)
    assert a["remedy"]["action"] and cjk(b["remedy"]["action"]), a["code"]
    assert (a["state"] == "live") == (a["later"] == ""), a["code"]
    assert a["remedy"]["command"] == b["remedy"]["command"]' "$KS_BIN"
run "$KS_BIN" remedy unknown_arch --lang zh
like "$out" '^unknown_arch：不知道该架构的资源上限$' "in Chinese"

# every command of ours that a remedy offers starts: its options and names are those of this version
"$KS_BIN" remedy --json | python3 -c '
import json, sys
for r in json.load(sys.stdin)["refusals"]:
    c = r["remedy"]["command"]
    if c.startswith("kernoscope "):
        print(c)' | sort -u >commands
python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import trace
trace.make("run.sqlite", [dict(start=1000 * i, end=1000 * i + 400, demangledName=1, shortName=2, correlationId=i + 1) for i in range(9)],
           {1: "NAME()", 2: "NAME"})
PY
ok "there are some" [ -s commands ]
while read -r program words; do
	words=${words/--devices N/--devices 0}
	# shellcheck disable=SC2086
	run "$KS_BIN" $words
	is "$program/$rc" "kernoscope/0" "$program $words"
	rm -f run.ksreport.json run.perfetto-trace
done <commands
done_testing
