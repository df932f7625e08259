#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The main job on the bundled example trace, for `make demo`. Says that the trace is a made one.
set -eu
build=${O:-build}
bin=$build/kernoscope
out=$build/demo
mkdir -p "$out"

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || say() { printf '\n%s\n' "$1"; }

say "The example trace is made by scripts/make-example.sql, not recorded on a GPU: $build/example.sqlite"
say "\$ $bin --ks-sqlite $build/example.sqlite"
"$bin" --ks-sqlite "$build/example.sqlite"
say "\$ $bin --ks-sqlite $build/example.sqlite -f -o $out/example --packet $out/example.packet.json"
"$bin" --ks-sqlite "$build/example.sqlite" -f -o "$out/example" --packet "$out/example.packet.json" >/dev/null
"$bin" --ks-sqlite "$build/example.sqlite" --format svg >"$out/example.svg"

say "Written:"
for file in "$out"/example*; do
	[ -f "$file" ] && printf '  %8d bytes  %s\n' "$(wc -c <"$file")" "$file"
done
say "On a trace of your own:"
echo "  nsys profile -o run ./your-program && nsys export --type sqlite run.nsys-rep"
echo "  $bin --ks-sqlite run.sqlite"
