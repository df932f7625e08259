#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Standard output is the result and nothing else; everything for people beside it is on standard error.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000

for format in text screen json csv svg; do
	run "$KS_BIN" --ks-synthetic --format $format
	is "$rc/$err" "0/" "--format $format: nothing on standard error"
	ok "--format $format: a result" test -s "$T/out"
	ok "--format $format: no escape sequence into a file" bash -c '! grep -q $'"'\\033'"' "$1"' - "$T/out"
	cp "$T/out" "$T/first"
	run "$KS_BIN" --ks-synthetic --format $format
	ok "--format $format: the same bytes again" cmp -s "$T/out" "$T/first"
done
run "$KS_BIN" --ks-synthetic --format json
ok "--format json is one JSON value" python3 -m json.tool "$T/out" /dev/null
run "$KS_BIN" --ks-synthetic --format csv
cp "$T/out" "$T/csv"
run "$KS_BIN" --ks-synthetic --csv
ok "--csv is --format csv" cmp -s "$T/out" "$T/csv"

rows() { grep -c '^    launch__registers_per_thread' "$T/out"; }
run "$KS_BIN" --ks-synthetic
is "$(rows)" 0 "text: no metric rows unless asked for"
for asked in "--metrics launch__registers_per_thread" "--section LaunchStats" "--page raw" "--print-details all"; do
	run "$KS_BIN" --ks-synthetic $asked
	is "$(rows)" 2 "$asked shows rows, one for each kernel"
	run "$KS_BIN" --ks-synthetic $asked --print-details header
	is "$(rows)" 0 "$asked --print-details header does not"
done
like "$err" '^$' "and nothing is said about it"

run "$KS_BIN" --ks-synthetic --packet -
ok "--packet - holds one JSON value and a line end" python3 -c '
import json, sys
b = open(sys.argv[1], "rb").read()
p = json.loads(b)
assert b.endswith(b"}\n") and b.count(b"\n") == 1, b
assert p["cost"]["packet_bytes"] == len(b) - 1 <= 4096, (p["cost"], len(b))
' "$T/out"
is "$err" "" "--packet -: nothing beside it"
run "$KS_BIN" --ks-synthetic --packet - --csv
ok "--packet - wins over --csv" python3 -m json.tool "$T/out" /dev/null
is "$err" "warn: --packet - takes standard output for itself; --csv is left out" "and says so"

run "$KS_BIN" --ks-synthetic --screen only
cp "$T/out" "$T/screen"
run "$KS_BIN" --ks-synthetic --format screen
ok "--screen only is --format screen" cmp -s "$T/out" "$T/screen"
run "$KS_BIN" --ks-synthetic
cp "$T/out" "$T/text"
run "$KS_BIN" --ks-synthetic --screen off
ok "without --screen the text stands alone" cmp -s "$T/out" "$T/text"
run "$KS_BIN" --ks-synthetic --screen auto
ok "--screen auto: the screen, then the text" bash -c '{ cat "$1/screen"; echo; cat "$1/text"; } | cmp -s - "$1/out"' - "$T"
run "$KS_BIN" --ks-synthetic --screen only --csv
ok "--screen only beside --csv: the CSV stays whole" cmp -s "$T/out" "$T/csv"
ok "--screen only beside --csv: the screen is on standard error" cmp -s "$T/err" "$T/screen"
run "$KS_BIN" --ks-synthetic --screen auto --csv
is "$err" "" "--screen auto beside --csv is off"

run "$KS_BIN" --ks-synthetic --csv --replay-mode kernel
is "$err" "warn: these flags are accepted for ncu compatibility but have no effect here: --replay-mode" "remarks are on standard error"
ok "and the result is untouched" cmp -s "$T/out" "$T/csv"
run "$KS_BIN" --ks-synthetic --csv --replay-mode kernel --quiet
is "$err" "" "--quiet takes remarks away"
run "$KS_BIN" --quiet --ks-sqlite "$T/none.sqlite"
lines "$err" 1 "--quiet leaves errors"
run "$KS_BIN" --quiet --ks-synthetic -o "$T/q"
like "$err" "^==PROF== wrote $T/q.ksreport.json \([0-9,]+ bytes\)$" "--quiet leaves the lines that name written files"

run "$KS_BIN" --ks-synthetic --csv --replay-mode kernel --log-file "$T/log"
is "$(cat "$T/log")" "$err" "--log-file holds the same lines"
run "$KS_BIN" --ks-sqlite "$T/none.sqlite" --log-file "$T/log2"
is "$rc" 1 "an error with a log"
is "$(cat "$T/log2")" "$err" "--log-file holds the error as well"
run "$KS_BIN" --ks-synthetic --csv --log-file "$T/log"
is "$rc" 1 "an existing log is not replaced without -f"
run "$KS_BIN" --ks-synthetic --csv --log-file "$T/log" -f
is "$rc" 0 "and is with it"

for args in --csv "--format json" "--packet -" --help; do
	# the reader is gone before the first byte: a pipe whose read end is closed
	python3 - "$KS_BIN" $args >"$T/broken" 2>&1 <<'PY'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
p = subprocess.run([sys.argv[1], "--ks-synthetic"] + sys.argv[2:], stdout=w, stderr=subprocess.PIPE)
print(p.returncode, p.stderr.decode())
PY
	is "$(cat "$T/broken")" "0 " "a broken pipe is quiet: $args"
	run bash -c '"$0" --ks-synthetic "$@" >/dev/full' "$KS_BIN" $args
	is "$rc" 1 "a full disk under standard output is exit 1: $args"
	lines "$err" 1 "a full disk: one line: $args"
	run bash -c '"$0" --ks-synthetic "$@" >&-' "$KS_BIN" $args
	is "$rc" 1 "a closed standard output is exit 1: $args"
done
run bash -c '"$0" --ks-synthetic -o "$1/closed" >&- 2>&-' "$KS_BIN" "$T"
ok "with closed streams no file is written into" python3 -m json.tool "$T/closed.ksreport.json" /dev/null
done_testing
