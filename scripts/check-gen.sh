#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check-gen.sh KSGEN FOLDER: makes the generated files in FOLDER and compares them with the committed ones.
# Fails on a difference, on a missing file, and on a file in one of the folders that nothing makes.
set -eu
ksgen=$1
folder=$2
rm -rf "$folder"
sh "$(dirname "$0")/gen.sh" "$ksgen" "$folder"
rc=0
for dir in man schema completions docs/reference; do
	diff -ru "$dir" "$folder/$dir" || rc=1
done
if [ "$rc" -ne 0 ]; then
	echo "check-gen: generated files have drifted; run: make gen" >&2
fi
exit "$rc"
