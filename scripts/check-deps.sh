#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Says what the build needs and this machine lacks, as one line to paste; exits 1 then. Installs
# nothing. Looks with the compiler and pkg-config, so that it works on any distribution.
cc=${1:-cc}
missing=

lacks() { missing="$missing $1"; }

command -v "$cc" >/dev/null 2>&1 || lacks gcc
if command -v pkg-config >/dev/null 2>&1; then
	while read -r module package; do
		pkg-config --exists "$module" || lacks "$package"
	done <<-EOT
		sqlite3 libsqlite3-dev
		jansson libjansson-dev
		libpcre2-8 libpcre2-dev
		nettle nettle-dev
		libxxhash libxxhash-dev
		libutf8proc libutf8proc-dev
		zlib zlib1g-dev
		inih libinih-dev
	EOT
else
	lacks pkg-config
	for package in libsqlite3-dev libjansson-dev libpcre2-dev nettle-dev libxxhash-dev libutf8proc-dev zlib1g-dev libinih-dev; do
		lacks "$package"
	done
fi
# libiberty has no pkg-config file: try it.
dir=$(mktemp -d "${TMPDIR:-/tmp}/ks-deps.XXXXXX") || exit 1
echo 'extern int cplus_demangle_v3_callback(const char *, int, void *, void *);
int main(void) { return cplus_demangle_v3_callback("", 0, 0, 0); }' >"$dir/probe.c"
if command -v "$cc" >/dev/null 2>&1; then
	"$cc" -o "$dir/probe" "$dir/probe.c" -liberty >/dev/null 2>&1 || lacks libiberty-dev
fi
rm -rf "$dir"

[ -z "$missing" ] && exit 0
echo "error: the build needs packages that are not here; on Debian or Ubuntu: sudo apt-get install -y --no-install-recommends$missing" >&2
exit 1
