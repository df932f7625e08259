#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The READMEs tell the truth: every output shown is what the program prints, every command of an sh
# block works word for word, every relative link leads to a file, both languages show the same commands.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
build=$(dirname "$KS_BIN")
script=$ROOT/scripts/readme-output.pl

run env O="$build" perl "$script" --check
if [ "$rc" = 0 ]; then pass "the output shown is what the program prints"; else
	fail "the output shown is what the program prints" "$out$err; run: perl scripts/readme-output.pl"
fi

# Commands that cannot run inside a test: they install, need NVIDIA's tools, or run this very test.
elsewhere='^(make (demo|check|install|peer|bench)|sudo make|nsys |ncu )'
mkdir "$T/w"
cp "$build/example.sqlite" "$T/w/run.sqlite"
python3 - "$ROOT/tests/lib" "$T/w" <<'EOF' || exit 2
import sys
sys.path.insert(0, sys.argv[1])
import cubin
import readings
code = cubin.elf(80, [cubin.kernel("gemv_f16_splitk")])
open(sys.argv[2] + "/app.so", "wb").write(cubin.host([cubin.fatbin([cubin.member(80, code)])]))
for name, text in (("node.prom", readings.scrape(2)), ("gpus.csv", readings.query(2))):
    with open(f"{sys.argv[2]}/{name}", "w", encoding="ascii") as f:
        f.write(text)
EOF
export PATH=$build:$PATH
while IFS= read -r line; do
	want=0
	[[ $line =~ \#\ exit\ ([0-9]+) ]] && want=${BASH_REMATCH[1]}
	if [[ $line =~ $elsewhere ]]; then
		target=$(sed -nE 's/.*make ([a-z]+).*/\1/p' <<<"$line")
		[ -z "$target" ] || ok "README: make $target is a target" grep -q "^$target:" "$ROOT/Makefile"
		continue
	fi
	run bash -c "cd '$T/w' && $line"
	is "$rc" "$want" "README: $line"
done < <(perl "$script" --commands)

missing=
for file in "$ROOT"/README*.md "$ROOT"/CONTRIBUTING.md "$ROOT"/docs/*.md; do
	while IFS= read -r link; do
		[ -e "$(dirname "$file")/${link%%#*}" ] || missing="$missing ${file##*/}:$link"
	done < <(grep -oE '\]\([^)#][^)]*\)' "$file" | sed -E 's/^\]\(|\)$//g' | grep -vE '^(https?|mailto):')
done
is "$missing" "" "every relative link of the documents leads to a file"

commands_of() { sed -n '/^```sh$/,/^```$/p' "$1" | grep -vE '^```|^ *#|^$' | sed 's/ *#.*//'; }
is "$(commands_of "$ROOT/README.zh-CN.md")" "$(commands_of "$ROOT/README.md")" "both READMEs show the same commands"
done_testing
