#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The man pages: one for the program and one for each command, clean for mandoc, and every example in them runs.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2

commands=$("$KS_BIN" completion bash | sed -n "s/^.*local commands='\([^']*\)'.*/\1/p")
like " $commands " ' report .* help ' "the commands of this version are known"

# one page for each, and no other
want=$(printf 'kernoscope.1\n'; for c in $commands; do echo "kernoscope-$c.1"; done)
is "$(cd "$ROOT/man" && ls | sort)" "$(sort <<<"$want")" "a page for the program and for each command, and no other"

# what help says of a command's options is what its page says
missing=
for c in $commands; do
	[ "$c" != report ] || continue
	for option in $("$KS_BIN" help "$c" --lang en | sed -n 's/^  \(-[a-zA-Z], \)\{0,1\}--\([a-z0-9-]*\).*/\2/p'); do
		grep -q "^\.It Fl Fl $option\b" "$ROOT/man/kernoscope-$c.1" || missing="$missing $c:--$option"
	done
done
is "$missing" "" "a page has the options that help lists"
missing=
for option in $("$KS_BIN" help all --lang en | sed '/ --.* --/d' | sed -n 's/^  \(-[a-zA-Z], \)\{0,1\}--\([a-z0-9-]*\).*/\2/p'); do
	grep -q "^\.\(It \)\{0,1\}Fl Fl $option\b" "$ROOT/man/kernoscope.1" || missing="$missing --$option"
done
is "$missing" "" "the program's page has those of help all"
is "$(grep -L '^\.Sh EXIT STATUS' "$ROOT"/man/*.1)" "" "every page has exit codes"
is "$(grep -L '^\.Sh EXAMPLES' "$ROOT"/man/*.1)" "" "and examples"

# the day of a page is that of the release
is "$(sed -n 's/^KS_RELEASE("\([^"]*\)".*/\1/p' "$ROOT/src/tables/release.def")" "$(cat "$ROOT/VERSION")" \
	"the release of the pages is the version of the program"
is "$(grep -h '^\.Dd' "$ROOT"/man/*.1 | sort -u | wc -l)" 1 "all pages have one date"
run make -s -C "$ROOT" O="$T/gen" "$T/gen/ksgen"
if [ "$rc" = 0 ]; then
	"$T/gen/ksgen" man - >today.1
	faketime=$(SOURCE_DATE_EPOCH=0 TZ=Pacific/Kiritimati "$T/gen/ksgen" man - | cmp - today.1 && echo same)
	is "$faketime" same "and it does not come from the clock or the zone"
else
	skip "the generator cannot be built here"
fi

# cross-references lead to pages that are there
missing=
for page in $(sed -n 's/^\.Xr \(kernoscope[a-z-]*\) 1.*/\1/p' "$ROOT"/man/*.1 | sort -u); do
	[ -e "$ROOT/man/$page.1" ] || missing="$missing $page"
done
is "$missing" "" "cross-references lead to pages that are there"

if have mandoc; then
	# mandoc looks for other pages where the system keeps its own; ours are looked for above
	is "$(for page in "$ROOT"/man/*.1; do mandoc -T lint -W style "$page"; done 2>&1 | grep -v 'referenced manual not found: Xr kernoscope')" "" \
		"mandoc has no complaint"
	bad=
	for page in "$ROOT"/man/*.1; do
		mandoc -T utf8 "$page" >page 2>&1
		sed 's/.\x08//g' page >plain
		grep -q '^NAME$' plain && grep -q '^SYNOPSIS$' plain && grep -q '^DESCRIPTION$' plain || bad="$bad ${page##*/}"
		! awk 'length > 80' plain | grep -q . || bad="$bad wide:${page##*/}"
	done
	is "$bad" "" "every page is drawn, within 80 columns"
	is "$(mandoc -T utf8 "$ROOT/man/kernoscope-explain.1" | sed 's/.\x08//g' | grep -c '^     kernoscope explain METRIC\[@KERNEL\] FILE')" 1 \
		"the synopsis reads as help shows it"
else
	skip "no mandoc here" 3
fi

# every example is run where it can be
python3 -B - "$ROOT" <<'PY'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "lib"))
import trace
names = {1: "void gemm<float>(float*)", 2: "gemm", 3: "copy(int*)", 4: "copy"}
rows = [dict(start=1000 * i, end=1000 * i + 400, demangledName=1, shortName=2, correlationId=i + 1) for i in range(10)]
rows += [dict(start=20000 + 1000 * i, end=20000 + 1000 * i + 100, demangledName=3, shortName=4, correlationId=20 + i) for i in range(4)]
trace.make("run.sqlite", rows, names)
PY
mkdir bin home
ln -s "$KS_BIN" bin/kernoscope
shown=0
while read -r line; do
	[ -n "$line" ] || continue
	shown=$((shown + 1))
	# the recorder and the program to be recorded are not here
	case $line in nsys*) continue ;; esac
	HOME=$T/home XDG_CONFIG_HOME=$T/home PATH=$T/bin:$PATH run bash -c "$line"
	is "$rc" 0 "example: $line"
	[ "$rc" = 0 ] || printf '#   %s\n' "$err"
done < <(awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT"/man/*.1 | sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//')
ok "there were examples" test "$shown" -gt 10

# installed with the rest
run make -s -C "$ROOT" -n install DESTDIR="$T/root" O="$(dirname "$KS_BIN")"
like "$out" 'man1' "make install takes the pages along"
like "$out" 'completions' "and the completions"
done_testing
