#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Given a command line that is wrong, when it is run, then the exit code is 2, standard output is empty
# and standard error is one line with the reason and, where there is one, the nearest name.
. "$(dirname "$0")/../lib/tap.sh"
need_bin

# wrong NAME LINE ARGS...
wrong() {
	local name=$1 want=$2
	shift 2
	run "$KS_BIN" "$@"
	is "$rc/$out/$err" "2//error: $want [usage]" "$name"
}

wrong "an unknown option names the nearest" \
	"unknown option --ks-sqllite; did you mean --ks-sqlite?" --ks-sqllite x
wrong "with = as well" \
	"unknown option --print-detials; did you mean --print-details?" --print-detials=all --ks-synthetic
wrong "nothing near: where the list is" \
	"unknown option --qqqqqqqq; \`kernoscope --help all\` lists them" --qqqqqqqq
wrong "an unknown letter" "unknown option -Z; \`kernoscope --help all\` lists them" -Z
wrong "an ambiguous prefix lists its meanings" \
	"--launch-s fits several options: --launch-skip, --launch-skip-before-match; type more of the name" --launch-s 1
wrong "a missing value" "--kernel-name needs a value: NAME" --ks-synthetic -k
wrong "a value where none belongs" "--csv takes no value; leave out the = and what follows it" --csv=1
wrong "an empty value" "--kernel-name has an empty value; give one or leave the option out" -k '' --ks-synthetic
wrong "not a whole number" "--launch-count needs a whole number, not three" -c three --ks-synthetic
wrong "a negative number" "--launch-skip must not be negative: -2" -s -2 --ks-synthetic
wrong "a wrong choice names the nearest" "--set: no such choice: fulll; did you mean full?" --set fulll
wrong "a wrong choice without a near one lists all" \
	"--page: no such choice: xyzzy; choose one of details|raw|source" --page xyzzy
wrong "a wrong format" "--format: no such choice: jsn; did you mean json?" --format jsn --ks-synthetic
wrong "a planned format" \
	"--format ndjson is not in this version; choose one of text, screen, json, csv, md, html, svg, timeline-svg, histogram-svg, occupancy-svg, occupancy-csv, folded, nvtx-csv, perfetto" --format ndjson --ks-synthetic
wrong "a planned option" \
	"--ks-memtrace is not in this version; leave it out (\`kernoscope --help all\` lists what is)" --ks-memtrace x --ks-synthetic
wrong "a wrong section" "unknown section Ocupancy; did you mean Occupancy?" --section Ocupancy --ks-synthetic
wrong "a wrong section without a near one" \
	"unknown section Qqqqqqqqq; \`kernoscope --list-sets\` names them all" --section Qqqqqqqqq --ks-synthetic
wrong "a wrong metric" \
	"unknown metric ks__launch_cuont; did you mean ks__launch_count?" --metrics ks__launch_cuont --ks-synthetic
wrong "a wrong device list" \
	"--devices needs device ids separated by commas, such as 0,1, not 0,x" --devices 0,x --ks-synthetic
wrong "two sources" "--ks-sqlite and --ks-synthetic both name the input; keep one of them" --ks-synthetic --ks-sqlite x
wrong "two results" "--csv and --format both want standard output; keep one of them" --ks-synthetic --csv --format svg
wrong "a slip in a command" \
	"explian is no command of kernoscope and no program on PATH; did you mean explain?" explian x y
for words in "compare a b" frobnicate ./nofile; do
	# shellcheck disable=SC2086
	wrong "$words: neither a command nor a program" \
		"${words%% *} is no command of kernoscope and no program on PATH; \`kernoscope help\` lists the commands" $words
done
wrong "after -- a word must be a program" \
	"explain is no program on PATH; as a command it must be the first word: kernoscope explain ..." -- explain x
mkdir "$T/folder.d"
echo text >"$T/notes"
for path in folder.d notes; do
	wrong "$path is neither a program nor a recording" \
		"$T/$path is neither a program that may be run nor a recording; a recording is read with: kernoscope --ks-sqlite run.sqlite" "$T/$path"
done
wrong "-o to standard output" \
	"-o writes files and cannot write to standard output; for the report there use --format json" -o - --ks-synthetic
wrong "two recordings" "a.sqlite and b.sqlite: one recording at a time; run once for each" --ks-sqlite a.sqlite b.sqlite
wrong "two recordings, the second a report" \
	"a.ksreport.json and b.ksreport.json: one recording at a time; run once for each" -i a.ksreport.json b.ksreport.json
wrong "a planned command" \
	"the command occupancy is not in this version; \`kernoscope help\` lists those that are" occupancy
wrong "report without a file" "report takes one file: an nsys SQLite export or a .ksreport.json" report
wrong "report with two files" "report takes one file: an nsys SQLite export or a .ksreport.json" report a b
wrong "explain without a file" \
	"explain needs a metric and a file: kernoscope explain METRIC[@KERNEL] FILE" explain ks__launch_count
wrong "a prefix that is a folder" \
	"-o needs a file name prefix, not out/; for example -o run writes run.ksreport.json" -o out/ --ks-synthetic
wrong "a wrong language" "--lang: no such choice: de; choose one of en|zh" --lang de --ks-synthetic
wrong "and one that is near the other" "--lang: no such choice: cn; choose one of en|zh" --lang cn --ks-synthetic

run "$KS_BIN" -k 'regex:(' --ks-synthetic
is "$rc/$out" "2/" "a pattern that does not compile"
lines "$err" 1 "a pattern that does not compile: one line"

run "$KS_BIN" --lang zh --ks-sqllite x
like "$err" '^error: 未知选项 --ks-sqllite；是否想输入 --ks-sqlite？ \[usage\]$' "the language given before the fault is used"

run "$KS_BIN" --format json --csv --ks-synthetic
ok "with --format json the error is one JSON line" python3 -c '
import json, sys
lines = open(sys.argv[1]).read().splitlines()
assert len(lines) == 1, lines
e = json.loads(lines[0])["error"]
assert e["status"] == 2 and e["cause"] == "usage" and "standard output" in e["message"], e
' "$T/err"
is "$out" "" "and standard output stays empty"
done_testing
