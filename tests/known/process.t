#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the process does to the machine, as strace and valgrind see it: no network, no child, no file
# but the outputs it was asked for, nothing beside the input, no invalid access, no leak.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
example=$(dirname "$KS_BIN")/example.sqlite
mkdir "$T/in" "$T/o"
cp "$example" "$T/in/run.sqlite"

if have strace && strace -o /dev/null true 2>/dev/null; then
	# trace NAME ARGS...: $calls = the system calls of interest of one run
	trace() {
		local name=$1
		shift
		run strace -f -o "$T/calls" -e trace=network,process,openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,mkdir,mkdirat "$KS_BIN" "$@"
		is "$rc" 0 "$name: exit 0 under strace"
		calls=$(cat "$T/calls")
		unlike "$calls" '(socket|connect|sendto|bind)\(' "$name: no network"
		is "$(grep -v CLONE_THREAD <<<"$calls" | grep -cE '(execve|fork|vfork|clone3?)\(')" 1 "$name: no child process"
	}
	trace text --ks-sqlite "$T/in/run.sqlite"
	is "$(grep -E 'O_(WRONLY|RDWR|CREAT)|(creat|unlink|rename|link|mkdir)' <<<"$calls")" "" "text: nothing is opened for writing"
	trace files --ks-sqlite "$T/in/run.sqlite" -o "$T/o/r" --packet "$T/o/p.json" --launch-csv
	written=$(grep -E 'O_(WRONLY|RDWR|CREAT)' <<<"$calls" | grep -oE '"[^"]*"' | tr -d '"' | sort -u)
	is "$(grep -v "^$T/o/" <<<"$written")" "" "files: only the output folder is written"
	trace "re-read" -i "$T/o/r.ksreport.json" --csv
	is "$(grep -E 'O_(WRONLY|RDWR|CREAT)' <<<"$calls")" "" "re-read: nothing is opened for writing"
	is "$(ls "$T/in")" run.sqlite "nothing appears beside the input"
else
	skip "no strace here, or not allowed to trace" 13
fi

if have valgrind; then
	check() {
		local name=$1
		shift
		run valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect "$KS_BIN" "$@"
		is "$rc" "${want:-0}" "$name under valgrind"
		[ "$rc" = "${want:-0}" ] || head -n 20 <<<"$err" | sed 's/^/#   /'
	}
	check "the example" --ks-sqlite "$T/in/run.sqlite" --set full --print-details all
	check "all outputs" --ks-sqlite "$T/in/run.sqlite" -f -o "$T/o/r" --packet "$T/o/p.json" --launch-csv
	check "re-reading" -i "$T/o/r.ksreport.json" --format svg
	want=1 check "an error" --ks-sqlite "$T/in/nothing.sqlite"
	want=2 check "a usage error" --no-such-option
else
	skip "no valgrind here" 5
fi
done_testing
