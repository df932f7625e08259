#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# gen.sh KSGEN ROOT: writes every committed generated file below ROOT. Knows the list of them.
set -eu
ksgen=$1
root=$2
mkdir -p "$root/man" "$root/docs/reference"

write() { # job language file
	"$ksgen" "$1" "$2" > "$root/$3.tmp"
	mv "$root/$3.tmp" "$root/$3"
}

write man en man/kernoscope.1
for name in metrics refusals options sections verdicts archs limits formats; do
	write "ref-$name" en "docs/reference/$name.md"
	write "ref-$name" zh "docs/reference/$name.zh-CN.md"
done
