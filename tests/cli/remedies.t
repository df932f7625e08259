#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What to do about a number that is missing: commands that can be pasted, and what blocks a decision
# first.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

run "$KS_BIN" --ks-synthetic
like "$out" 'add -k synthetic_gemm --print-details all' "a hint names the kernel"
run "$KS_BIN" --ks-synthetic --print-details all
unlike "$out" 'add -k ' "what is shown already is not offered"
run "$KS_BIN" help mixed_launch_config
like "$out" 'kernoscope --ks-sqlite run.sqlite -k NAME --print-details all' "without a run there are words in the places"

data="$KS_SHARED/data/nsys-sqlite"
if [ -f "$data/h100_2gpu_nccl_2026.sqlite" ]; then
	cp "$data/h100_2gpu_nccl_2026.sqlite" 'a b.sqlite'
	COLUMNS=80 LINES=24 run "$KS_BIN" --ks-sqlite 'a b.sqlite'
	like "$out" 'unknown_arch .*Export again with nsys 2021.2 or newer' "a refused decision keeps its remedy on a small screen"
	COLUMNS=120 LINES=120 run "$KS_BIN" --ks-sqlite 'a b.sqlite' -o r
	like "$(tr -s ' \n' ' ' <<<"$out")" "kernoscope --ks-sqlite 'a b.sqlite' -k 'regex:\^sm80_xmma[a-z0-9_]*' --print-details all" "a command names file and kernel, quoted"
	like "$out" "kernoscope --ks-sqlite 'a b.sqlite' --devices 0" "and a device of the trace"
	unlike "$out$(cat r.ksreport.json)" 'run\.sqlite' "no made-up file, neither on the screen nor in the report"
	COLUMNS=80 LINES=24 run "$KS_BIN" --ks-sqlite "$data/extrap_concurrent_kernels_2022.sqlite"
	like "$out" 'kernels overlap: their times are added up' "kernel time above the span is explained"
	COLUMNS=120 LINES=70 run "$KS_BIN" --ks-sqlite "$data/extrap_concurrent_kernels_2022.sqlite"
	like "$out" 'launches: [0-9]*; an interval of the median needs 8' "a failed premise says what failed"
	unlike "$out" 'not in this version\) \(' "what this version cannot do has no cost"
else
	skip "$data is not there" 7
fi
done_testing
