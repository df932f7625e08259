#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# schema prints what is published, and lists it. What the schemas say is judged in tests/known/schema.t.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

run "$KS_BIN" schema
is "$rc/$err" "0/" "schema"
like "$out" '^  packet +The decision packet' "a name and one line for it"
cp out list
lines_of_list=$(($(wc -l <list) - 1))
is "$(ls "$ROOT/schema" | wc -l)" "$lines_of_list" "as many as there are files"
run "$KS_BIN" schema --list
ok "--list is the same" cmp -s out list
run "$KS_BIN" schema --lang zh
like "$out" '决策包' "the list in Chinese"
is "$(sed -n 's/^  \([a-z-]*\) .*/\1/p' <<<"$out")" "$(sed -n 's/^  \([a-z-]*\) .*/\1/p' list)" "with the same names"
run "$KS_BIN" schema --json
is "$rc/$err" "0/" "schema --json"
run "$KS_BIN" schema --json --lang zh
like "$out" '决策包' "its texts in the document's language"

for name in $(sed -n 's/^  \([a-z-]*\) .*/\1/p' list); do
	"$KS_BIN" schema "$name" >one 2>err
	cmp -s one "$ROOT/schema/$name.schema.json" || fail "schema $name" "differs from schema/$name.schema.json"
	[ ! -s err ] || fail "schema $name says nothing on stderr" "$(cat err)"
done
pass "every name gives the bytes of its file"

run "$KS_BIN" schema pakcet
is "$rc/$out" "2/" "a wrong name is a usage error"
like "$err" '^error: no schema is called pakcet; did you mean packet\? \[usage\]$' "with the nearest"
run "$KS_BIN" schema qqqqqqqqqqqq
like "$rc $err" '^2 error: .*`kernoscope schema` lists them' "and where nothing is near, the way to the list"
run "$KS_BIN" schema pakcet --json
like "$err" '^\{"error":\{"status":2,"cause":"usage"' "as one JSON line where JSON was asked for"
run "$KS_BIN" schema packet report
is "$rc" 2 "one name at a time"
run "$KS_BIN" schema packet --list
is "$rc" 2 "a name and --list contradict each other"
run "$KS_BIN" help schema
like "$rc $out" 'schema \[NAME\]' "help on it"
"$KS_BIN" schema report | head -c 10 >/dev/null
is "${PIPESTATUS[0]}" 0 "a reader that goes away is no error"
if [ -e /dev/full ]; then
	"$KS_BIN" schema report >/dev/full 2>err
	is "$?" 1 "a full disk is"
else
	skip "no /dev/full here"
fi
done_testing
