#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every option that help lists is used by some test of this folder, and the ones no other test is about
# are used here.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2
"$KS_BIN" --ks-synthetic --csv >plain 2>/dev/null

# the options of ncu that change nothing (contract 01 §3.4): each takes a value, is named, and no byte differs
for option in --replay-mode --app-replay-mode --app-replay-buffer --app-replay-match --cache-control \
	--clock-control --pm-sampling-buffer-size --pm-sampling-interval --pm-sampling-max-passes \
	--warp-sampling-buffer-size --warp-sampling-interval --warp-sampling-max-passes --mps \
	--mps-num-clients --mps-timeout --pipeline-boost-state --preload-library --import-sass --import-source; do
	run "$KS_BIN" --ks-synthetic --csv $option anything
	is "$rc/$err" "0/warn: these flags are accepted for ncu compatibility but have no effect here: $option" "$option is taken and named"
	ok "$option changes nothing" cmp -s plain out
	run "$KS_BIN" --ks-synthetic --csv $option
	is "$rc" 2 "$option needs a value"
done

run "$KS_BIN" --ks-synthetic --csv --no-progress
ok "--no-progress" cmp -s plain out
run "$KS_BIN" --ks-synthetic --print-details all --print-units base
is "$rc" 0 "--print-units base"
run "$KS_BIN" --ks-synthetic --print-details all --print-units auto
is "$rc" 0 "--print-units auto"
run "$KS_BIN" --ks-synthetic --kernel-name-base mangled --csv
is "$rc" 0 "--kernel-name-base mangled"
run "$KS_BIN" --ks-synthetic --print-metric-name base --csv
like "$err" '^warn: --print-metric-name base is taken as name' "--print-metric-name base"
run "$KS_BIN" --ks-synthetic --page source --csv
like "$err" '^warn: --page source' "--page source"
run "$KS_BIN" --ks-synthetic --export run --csv
is "$rc" 0 "--export"
run "$KS_BIN" --ks-synthetic --export run --csv --force-overwrite
is "$rc" 0 "--force-overwrite"
run "$KS_BIN" --import run.ksreport.json --csv
ok "--import" cmp -s plain out

# a planned option is never passed over in silence
for option in $("$KS_BIN" --help all | sed '1,/^Not in this version/d;/^$/,$d' | tr -d '\n'); do
	run "$KS_BIN" --ks-synthetic --csv $option 1
	is "$rc/$out" "2/" "$option: not in this version, exit 2"
done

listed=$("$KS_BIN" --help all | sed '/^Not in this version/,/^$/d' | grep -oE -- '--[a-z][a-z-]+' | sort -u)
missing=
for option in $listed; do
	grep -qF -- "$option" "$ROOT"/tests/cli/*.t || missing="$missing $option"
done
is "$missing" "" "every option that help lists has a test"
done_testing
