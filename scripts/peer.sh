#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prepares the published original, Kernoscope 0.2.3 from PyPI, in BUILD/peer for tests/peer and the
# bench. It needs Python 3.12 or newer, which Debian 12 does not package: any newer interpreter on
# PATH or under a version manager is taken, else a Debian 13 root is made with debootstrap (as root,
# about 270 MB in the build folder). Not part of `make check`.
set -eu
version=0.2.3
build=$(mkdir -p "${O:-build}" && cd "${O:-build}" && pwd)
peer=$build/peer
[ -x "$peer/bin/kernoscope" ] && { "$peer/bin/kernoscope" --version; exit 0; }

new_enough() { "$1" -c 'import sys, venv; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; }
find_python() {
	local candidate
	for candidate in python3.14 python3.13 python3.12 python3 "$HOME"/.pyenv/versions/*/bin/python3 \
		"$HOME"/.local/share/uv/python/*/bin/python3 /opt/python*/bin/python3 /usr/local/bin/python3; do
		candidate=$(command -v "$candidate" 2>/dev/null) || continue
		new_enough "$candidate" && { echo "$candidate"; return; }
	done
	return 1
}

if python=$(find_python); then
	echo "peer: with $python"
	"$python" -m venv "$peer"
	"$peer/bin/pip" install --quiet --disable-pip-version-check "kernoscope==$version"
else
	command -v debootstrap >/dev/null 2>&1 && [ "$(id -u)" = 0 ] || {
		echo "error: no Python 3.12 or newer found, and no debootstrap with root to make one; install either and run make peer again" >&2
		exit 1
	}
	root=$build/peer-root
	echo "peer: making a Debian 13 root in $root"
	rm -rf "$root"
	debootstrap --variant=minbase --include=python3,python3-venv trixie "$root" >"$build/peer-root.log" 2>&1 ||
		{ tail -n 5 "$build/peer-root.log" >&2; exit 1; }
	for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
		[ ! -f "$file" ] || install -D -m 644 "$file" "$root$file"
	done
	chroot "$root" python3 -m venv /peer
	chroot "$root" /peer/bin/pip install --quiet --disable-pip-version-check "kernoscope==$version"
	# Files named on the command line live outside: the two trees that tests use are shown inside.
	mkdir -p "$peer/bin"
	cat >"$peer/bin/kernoscope" <<-WRAPPER
		#!/bin/sh
		exec unshare -m sh -c '
			root=\$1; cwd=\$2; shift 2
			for d in /tmp /dev /proc "\$cwd"; do mkdir -p "\$root\$d"; mount --rbind "\$d" "\$root\$d" || exit 1; done
			exec chroot "\$root" sh -c "cd \"\\\$1\" && shift && exec /peer/bin/kernoscope \"\\\$@\"" sh "\$cwd" "\$@"
		' sh "$root" "\$PWD" "\$@"
	WRAPPER
	chmod +x "$peer/bin/kernoscope"
fi
"$peer/bin/kernoscope" --version
