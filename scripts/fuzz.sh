#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs each libFuzzer target named for FUZZ_SECONDS from its committed seeds. What it finds that is
# new stays in the build folder; an input that crashes is kept there and named. Exit 1 then.
set -u
seconds=${FUZZ_SECONDS:-60}
build=${O:-build/fuzz}
status=0
[ $# -gt 0 ] || { echo "error: tests/fuzz holds no fuzz_*.c" >&2; exit 1; }
for name in "$@"; do
	corpus=$build/corpus-$name
	crashes=$build/crashes-$name/
	mkdir -p "$corpus" "$crashes"
	dictionary=tests/fuzz/$name.dict
	echo "fuzz: $name for $seconds s"
	if ! "$build/fuzz-$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$crashes" ${dictionary:+$([ -f "$dictionary" ] && echo "-dict=$dictionary")} \
		"$corpus" "tests/fuzz/seeds/$name" >"$build/fuzz-$name.log" 2>&1; then
		tail -n 40 "$build/fuzz-$name.log"
		echo "error: $name failed; its input is in $crashes"
		status=1
	fi
	grep -E '^stat::number_of_executed_units|^stat::new_units_added' "$build/fuzz-$name.log"
done
exit "$status"
