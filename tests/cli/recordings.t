#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Given a recording under the wrong option, or none, then one line says how to read this very file.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2
[ -d "$KS_SHARED/data/nsys-rep" ] || skip_all "no ../shared/data/nsys-rep here"
cp "$KS_SHARED/data/nsys-rep/kmeans_2021.qdrep" "a run.qdrep"
cp "$KS_SHARED/data/nsys-sqlite/rtx3060_2025.sqlite" run.sqlite
chmod u+w ./*

want="error: a run.qdrep is an nsys report, which only nsys can read; export it first: nsys export --type sqlite --output 'a run.sqlite' 'a run.qdrep' [input]"
run "$KS_BIN" --ks-sqlite "a run.qdrep"
is "$rc/$out/$err" "1//$want" "--ks-sqlite of an nsys report: the exact command, quoted for a shell"
run "$KS_BIN" "a run.qdrep"
is "$rc/$err" "1/$want" "the same as the only word"
run "$KS_BIN" -i "a run.qdrep"
is "$rc/$err" "1/$want" "the same under -i"

run env PATH=/usr/bin:/bin KS_TOOL_SEARCH_DIRS= "$KS_BIN" --ks-nsys-rep "a run.qdrep"
is "$rc/$out" "1/" "--ks-nsys-rep without nsys"
lines "$err" 1 "one line"
like "$err" 'nsys export --type sqlite' "with the command"

mkdir bin
cat >bin/nsys <<'SH'
#!/bin/sh
while [ $# -gt 0 ]; do
	case $1 in
	-o | --output) cp run.sqlite "$2" ;;
	--output=*) cp run.sqlite "${1#*=}" ;;
	esac
	shift
done
SH
chmod +x bin/nsys
"$KS_BIN" --ks-sqlite run.sqlite --csv >direct 2>/dev/null
for way in "--ks-nsys-rep" "report"; do
	run env PATH="$T/bin:/usr/bin:/bin" "$KS_BIN" $way "a run.qdrep" --csv
	is "$rc/$err" "0/" "$way with nsys there"
	is "$(cut -d, -f1-7 out | cksum)" "$(cut -d, -f1-7 direct | cksum)" "$way: the numbers of the export"
done
printf '#!/bin/sh\necho "license expired" >&2\nexit 3\n' >bin/nsys
run env PATH="$T/bin:/usr/bin:/bin" "$KS_BIN" --ks-nsys-rep "a run.qdrep"
is "$rc" 1 "an nsys that fails"
like "$err" 'license expired' "its last words are passed on"

run "$KS_BIN" run.sqlite
is "$rc/$err" "1/error: run.sqlite is a recording, not a program; read it with: kernoscope --ks-sqlite run.sqlite [input]" "an export as the only word"
run "$KS_BIN" report run.sqlite --csv
ok "report FILE reads an export" cmp -s out direct
run "$KS_BIN" report --ks-sqlite run.sqlite --csv
ok "report --ks-sqlite FILE as well" cmp -s out direct
run "$KS_BIN" report run.sqlite --help
is "$rc" 0 "report --help"
run "$KS_BIN" --ks-nsys-rep run.sqlite
is "$rc" 1 "--ks-nsys-rep of an export"
like "$err" 'kernoscope --ks-sqlite run.sqlite' "says how to read it"
for rep in "$KS_SHARED"/data/ncu-rep/*.ncu-rep; do
	run "$KS_BIN" --ks-sqlite "$rep"
	is "$rc" 1 "a report of Nsight Compute"
	like "$err" 'Nsight Compute' "is called so"
	break
done
# A command that an error suggests can be pasted, whatever the path is.
: >"empty run.sqlite"
run "$KS_BIN" --ks-sqlite "empty run.sqlite"
like "$err" "--output 'empty run.sqlite' REPORT" "an empty file: the path in the command is one word"
done_testing
