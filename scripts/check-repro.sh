#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the tree twice, in two folders of different depth and at different times, and compares what
# comes out byte by byte. Arguments: files of the build folder, the program when none is named.
set -eu
[ $# -gt 0 ] || set -- kernoscope
tmp=$(mktemp -d "${TMPDIR:-/tmp}/ks-repro.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
for where in a longer/name/b; do
	mkdir -p "$tmp/$where"
	tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tmp/$where"
	make -s -j2 -C "$tmp/$where" O=build "${@/#/build/}" >"$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; exit 1; }
done
for file; do
	cmp "$tmp/a/build/$file" "$tmp/longer/name/b/build/$file"
done
