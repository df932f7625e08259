#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# gen.sh KSGEN ROOT: writes every committed generated file below ROOT. Man pages, schemas and completions are those
# that `ksgen list-files` names; files of theirs that nothing makes any more are removed.
set -eu
ksgen=$1
root=$2
mkdir -p "$root/man" "$root/schema" "$root/completions" "$root/docs/reference"

write() { # job word file
	"$ksgen" "$1" "$2" > "$root/$3.tmp"
	mv "$root/$3.tmp" "$root/$3"
}

made=$("$ksgen" list-files)
for old in "$root"/man/*.1 "$root"/schema/*.json "$root"/completions/*; do
	case "$made
" in
	*" ${old#"$root"/}
"*) ;;
	*) rm -f "$old" ;;
	esac
done
printf '%s\n' "$made" | while read -r job name file; do
	write "$job" "$name" "$file"
done
for name in metrics refusals options sections verdicts archs limits findings formats; do
	write "ref-$name" en "docs/reference/$name.md"
	write "ref-$name" zh "docs/reference/$name.zh-CN.md"
done
