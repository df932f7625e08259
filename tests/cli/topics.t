#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The pages of help TOPIC: there in both languages, found by a slip of the name, and every example in
# them runs.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

run "$KS_BIN" help topics
is "$rc/$err" "0/" "help topics"
topics=$(awk '/^  [a-z]/ { print $1 }' <<<"$out")
like "$topics" '^provenance$' "lists them by name"
for lang in en zh; do
	bad=
	for t in $topics; do
		run "$KS_BIN" help "$t" --lang "$lang"
		[ "$rc" = 0 ] && [ -z "$err" ] && [ "$(wc -l <"$T/out")" -ge 4 ] && [ "$(wc -l <"$T/out")" -le 34 ] || bad="$bad $t"
	done
	is "$bad" "" "each is one page ($lang)"
done
run "$KS_BIN" help provenence
like "$err" 'did you mean provenance\?' "the nearest name to a slip"
run "$KS_BIN" help config
like "$out" '^  config \[KEY' "a command and a page of one name: the command"
like "$out" '^Where options come from$' "and the page"
run "$KS_BIN" help tiers
like "$out" '^3 instrumented: ' "layers are a list"

# Chinese has no blanks to break a line at, but the words of a command are whole all the same.
for c in config explain help remedy report route schema stats ks-step within; do "$KS_BIN" help "$c" --lang zh; done >pages
not_ok "no command is cut in two where a line ends" grep -E '(^|[^k])ernoscope|(^| )k$|kernoscop?$' pages

python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import made, shutil, tap
shutil.copy(made.make(made.steps), "run.sqlite")
PY
for t in $topics; do "$KS_BIN" help "$t"; done | sed -n 's/^    kernoscope //p' | sort -u >examples
ok "there are examples" [ -s examples ]
while read -r line; do
	words=${line%%>*}
	words=${words/-k regex:gemm/-k regex:k}
	case $words in -i*) "$KS_BIN" --ks-sqlite run.sqlite -o run -f >/dev/null 2>&1 ;; esac
	rm -f run.packet.json
	[ "${words#-i}" = "$words" ] && rm -f run.ksreport.json run.perfetto-trace
	# shellcheck disable=SC2086
	run "$KS_BIN" ${words//2s..5s/0s..5s}
	is "$rc" 0 "kernoscope $line"
done <examples
for t in $topics; do "$KS_BIN" help "$t"; done | grep -o '`kernoscope [^`]*`' | tr -d '`' | sort -u >inline
while read -r line; do
	case $line in *FILE* | *CODE* | *KEY*) continue ;; esac
	run sh -c "\"\$KS_BIN\" ${line#kernoscope }"
	is "$rc" 0 "$line"
done <inline
done_testing
