#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which command a line means, help, version, and the name the program is called by.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
VERSION=$(cat "$ROOT/VERSION")

run "$KS_BIN" --version
is "$rc/$out/$err" "0/kernoscope $VERSION/" "--version"
run "$KS_BIN" -v
is "$rc/$out" "0/kernoscope $VERSION" "-v"
run "$KS_BIN" --version --no-such-option
is "$rc/$out" "0/kernoscope $VERSION" "--version ends the line"

run "$KS_BIN" --help
is "$rc/$err" "0/" "--help succeeds"
ok "--help fits a screen of 24 lines and 80 columns" awk 'length($0) > 80 { wide = 1 } END { exit NR > 24 || wide }' "$T/out"
like "$out" '--ks-sqlite FILE' "--help names the main option"
run "$KS_BIN" --help all
is "$rc/$err" "0/" "--help all succeeds"
for option in --kernel-name --devices --packet --strict --replay-mode --lang --list-sets; do
	like "$out" "$option( |$|=)" "--help all lists $option"
done
like "$out" '^Not in this version' "--help all says what is not there yet"
run "$KS_BIN" help
is "$rc" 0 "help"
run "$KS_BIN" help occupancy
like "$out" 'not in this version' "a command of a later version says so"
like "$out" '^  ks__theoretical_occupancy_pct' "and the section of that name is shown, in any case"
run "$KS_BIN" help nvtx
like "$err" 'kernoscope route WORDS' "what has no page may be found by words"
run "$KS_BIN" help ks-step
like "$out" 'coefficient of variation at most|at least three on' "help OPTION says what one line cannot"
run "$KS_BIN" help ks-nvtx --lang zh
like "$out" '启动线程上打开着的区间' "in either language"
run "$KS_BIN" help explain
like "$out" 'explain METRIC' "help COMMAND"
run "$KS_BIN" help --set
like "$out" '--set basic' "help --OPTION"
run "$KS_BIN" help counters_denied
like "$out" '^  counters_denied' "help CODE"
like "$out" 'what to do: ' "help CODE says what to do"
run "$KS_BIN" help Duration
like "$out" 'gpu__time_duration.sum' "help SECTION lists its metrics"
run "$KS_BIN" help ks__launch_time_mean
like "$out" '^  ks__launch_time_mean' "help METRIC"
run "$KS_BIN" help dram__bytes.sum
like "$out" 'est__dram_bytes_total' "help of an ncu name says what stands for it"
run "$KS_BIN" help counters_denid
is "$rc/$err" "2/error: no help on counters_denid; did you mean counters_denied? [usage]" "help with a slip"
run "$KS_BIN" help a b
is "$rc" 2 "help takes one topic"
run "$KS_BIN" --lang zh --help
like "$out" '用法：kernoscope' "--help in Chinese"
run env KERNOSCOPE_LANG=zh "$KS_BIN" --help
like "$out" '用法：kernoscope' "the language comes from the environment"
run env KERNOSCOPE_LANG=zh "$KS_BIN" --lang en --help
like "$out" '^usage: kernoscope' "--lang wins over the environment"
for words in "--help all --lang zh" "--lang zh --help all" "--help --lang=zh all" "--help --lang zh" \
	"help --lang zh" "help all --lang zh" "report --help --lang zh" "explain --help --lang zh" \
	"help --strict --lang zh" "help --lang zh --set"; do
	# shellcheck disable=SC2086
	run "$KS_BIN" $words
	is "$rc/$err" "0/" "$words"
	ok "$words: in Chinese" python3 -c '
import re, sys
assert re.search("[\u4e00-\u9fff]", open(sys.argv[1], encoding="utf-8").read())' "$T/out"
done
run "$KS_BIN" --help --lang de
is "$rc/$out" "2/" "--help with a wrong language"
for topic in Output output OUTPUT 输出; do
	run "$KS_BIN" help "$topic"
	is "$rc/$err" "0/" "help $topic: a group of options"
	like "$out" '^  -f, --force-overwrite' "help $topic lists its options"
	unlike "$out" '--kernel-name' "help $topic lists no others"
done
run "$KS_BIN" help Collection
like "$out" '--repeat' "a group that is not there yet says so"
run "$KS_BIN" report --help
like "$out" '^  report ' "report --help is about report"
run "$KS_BIN" help ks__occupancy_limiter
like "$out" '^    exact; how: ' "a metric without a unit shows none"
unlike "$out" 'unit' "nor the word"
run "$KS_BIN" help ks__launch_time_mean
like "$out" '^    unit ms, exact; how: ' "a metric with a unit shows it"
run "$KS_BIN" help -o
like "$out" 'PREFIX.launches.csv' "help -o names both files"
like "$out" '-f \(--force-overwrite\)' "and how to replace them"
run "$KS_BIN" help --strict
for word in '--metrics' '--page' 'exit code 2' '--set basic passes' 'environment'; do
	like "$(tr -s ' \n' ' ' <"$T/out")" "$word" "help --strict speaks of $word"
done
run "$KS_BIN" help explain
like "$(tr -s ' \n' ' ' <"$T/out")" 'regex:PATTERN' "help explain tells of patterns"

run "$KS_BIN" --list-sets
is "$rc/$err" "0/" "--list-sets succeeds"
like "$out" '^  basic +Duration, LaunchStats, LaunchConfigs, Occupancy' "--list-sets names the sections"
like "$out" '^  full .*NumaAffinity' "--list-sets: full"

run "$KS_BIN"
is "$rc/$out" "1/" "nothing to read: exit 1"
lines "$err" 1 "nothing to read: one line"
like "$err" '^error: nothing to read; give a recording: kernoscope --ks-sqlite' "nothing to read: what to do"
like "$err" '--help' "nothing to read: where the options are"

for ending in sqlite:--ks-sqlite nsys-rep:--ks-nsys-rep qdrep:--ks-nsys-rep ksreport.json:-i; do
	for content in '' junk; do
		file=$T/damaged.${ending%%:*}
		printf '%s' "$content" >"$file"
		run "$KS_BIN" "$file"
		is "$rc/$out/$err" "1//error: $file is a recording, not a program; read it with: kernoscope ${ending##*:} $file [input]" \
			".${ending%%:*} holding '$content': how to give it"
	done
done
echo junk >"$T/damaged.ncu-rep"
run "$KS_BIN" "$T/damaged.ncu-rep"
like "$err" 'is a report of Nsight Compute' "a damaged .ncu-rep is known by its name"

# programs that are there wherever this runs
mkdir "$T/bin"
for name in python explain explian; do
	printf '#!/bin/sh\nexit 9\n' >"$T/bin/$name"
	chmod +x "$T/bin/$name"
done
PATH=$T/bin:$PATH
run "$KS_BIN" --set basic -- python train.py --lr 'a b'
is "$rc/$out" "1/" "a program is not started in this version"
lines "$err" 1 "one line"
like "$err" "nsys profile --trace=cuda,nvtx -o run python train.py --lr 'a b' && nsys export" "it says how to record this very program"
run "$KS_BIN" python train.py --csv
like "$err" 'nsys profile .* python train.py --csv &&' "options after the program are the program's"
run "$KS_BIN" -- explain x
like "$err" 'nsys profile .* explain x &&' "after -- a command's name is a program"
run "$KS_BIN" --set basic explain x
like "$err" 'nsys profile .* explain x &&' "after an option a command's name is a program"
run "$KS_BIN" "$T/bin/explian"
like "$err" 'nsys profile' "a path is never a slip of a command"

run "$KS_BIN" "$T/no.sqlite"
is "$rc/$err" "1/error: $T/no.sqlite does not exist. Check the path. [input]" "a recording's name that is not there is no program"

ln -s "$KS_BIN" "$T/ncu"
run "$T/ncu" --ks-synthetic --csv
is "$rc" 0 "called as ncu it works the same"
lines "$err" 1 "called as ncu: one line more"
is "$err" "==PROF== kernoscope running in ncu compatibility mode (symlinked as 'ncu'); data sources differ from NVIDIA Nsight Compute." "the compatibility line"
cp "$T/out" "$T/as-ncu"
run "$KS_BIN" --ks-synthetic --csv
ok "called as ncu: the same result" cmp -s "$T/out" "$T/as-ncu"
run "$T/ncu" --quiet --ks-synthetic --csv
is "$err" "" "--quiet takes the compatibility line away"
run "$T/ncu" --quiet --ks-synthetic --launch-csv -c 3
is "$(grep -c . "$T/out")" 4 "called as ncu, -c counts over all kernels"
run "$KS_BIN" --quiet --ks-synthetic --launch-csv -c 3
is "$(grep -c . "$T/out")" 7 "called by its own name, -c counts per kernel"
done_testing
