#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where results cannot go: a missing, read-only or full folder, an existing file, a symbolic link.
# Exit 1, one line that says what to do, the old file intact, nothing half written.
. "$(dirname "$0")/../lib/tap.sh"
need_bin

mkdir "$T/new"
run "$KS_BIN" --ks-synthetic -o "$T/new/r" --packet "$T/new/p.json"
is "$rc" 0 "a plain run writes"
ok "the report is there" test -s "$T/new/r.ksreport.json"
ok "the packet is there" test -s "$T/new/p.json"

# refused NAME ERE: the last run failed as it should
refused() {
	is "$rc" 1 "$1: exit 1"
	lines "$err" 1 "$1: one line"
	like "$err" "$2" "$1: the line says what to do"
}

cp "$T/new/r.ksreport.json" "$T/before"
run "$KS_BIN" --ks-synthetic -o "$T/new/r"
refused "an existing report" '-f \(--force-overwrite\)'
ok "an existing report stays as it was" cmp -s "$T/before" "$T/new/r.ksreport.json"
run "$KS_BIN" --ks-synthetic --packet "$T/new/p.json"
refused "an existing packet" '-f \(--force-overwrite\)'
run "$KS_BIN" --ks-synthetic -f -o "$T/new/r" --packet "$T/new/p.json"
is "$rc" 0 "-f replaces"

run "$KS_BIN" --ks-synthetic --packet "$T/p.json/"
is "$rc" 1 "a name that ends in a slash"
mkdir "$T/folder.json"
run "$KS_BIN" --ks-synthetic -f --packet "$T/folder.json"
refused "a folder of that name" 'folder|directory'

echo old >"$T/target"
ln -s "$T/target" "$T/link.json"
run "$KS_BIN" --ks-synthetic -f --packet "$T/link.json"
refused "a symbolic link" 'link'
is "$(cat "$T/target")" old "a symbolic link is not written through"

if [ "$(id -u)" = 0 ] && have setpriv; then
	# from a copy, because nobody may not be allowed to look into the checkout
	cp "$KS_BIN" "$T/kernoscope"
	as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$T/kernoscope" "$@"; }
elif [ "$(id -u)" != 0 ]; then
	as_user() { "$KS_BIN" "$@"; }
fi
if declare -F as_user >/dev/null; then
	chmod 755 "$T"
	mkdir -m 555 "$T/readonly"
	run as_user --ks-synthetic -o "$T/readonly/r"
	refused "a read-only folder" 'permission|denied|writ'
	is "$(ls -A "$T/readonly")" "" "a read-only folder stays empty"
	mkdir -m 555 "$T/closed"
	run as_user --ks-synthetic -o "$T/closed/below/r"
	is "$rc/$(ls -A "$T/closed")" 1/ "a folder that cannot be made"
else
	skip "root without setpriv: a read-only folder cannot be made" 5
fi

# A full disk: a tmpfs of one page for the file and a second one for the folder.
mkdir "$T/full"
trap 'umount "$T/full" 2>/dev/null; chmod -R u+rwX "$T"; rm -rf "$T"' EXIT
if mount -t tmpfs -o size=8k,nr_inodes=10 ks-test "$T/full" 2>/dev/null; then
	run "$KS_BIN" --ks-synthetic --set full -o "$T/full/r"
	refused "a full disk" 'space|full'
	is "$(ls -A "$T/full" | grep -v '\.case$')" "" "a full disk: nothing half written"
	echo old >"$T/full/p.json"
	head -c 8192 /dev/zero >"$T/full/filler" 2>/dev/null
	run "$KS_BIN" --ks-synthetic -f --packet "$T/full/p.json"
	refused "a full disk and -f" 'space|full'
	is "$(cat "$T/full/p.json")" old "a full disk: the old file is intact"
	umount "$T/full"
else
	skip "no right to mount a small file system" 8
fi

run bash -c '"$KS_BIN" --ks-synthetic --csv >/dev/full'
is "$rc" 1 "stdout on a full device: exit 1"
lines "$err" 1 "stdout on a full device: one line"
run bash -c '"$KS_BIN" --ks-synthetic --print-details all | head -n 1; exit "${PIPESTATUS[0]}"'
is "$err" "" "a closed pipe is quiet"
run bash -c '"$KS_BIN" --ks-synthetic --csv >&-'
is "$rc" 1 "a closed stdout: exit 1"
done_testing
