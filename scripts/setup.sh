#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up for `make demo` (build) and `make check` (check) on Debian and Ubuntu. Installs what is
# missing as root, asks first with sudo, and with neither prints the one line to run and stops.
# Skips what is there. Never called by plain `make`.
set -u
cd "$(dirname "$0")/.." || exit 1

# Needed to build: a missing one is fatal.
REQUIRED="gcc make pkg-config libsqlite3-dev libjansson-dev libpcre2-dev nettle-dev libxxhash-dev libutf8proc-dev zlib1g-dev libinih-dev libiberty-dev"
# Needed by `make check`: fatal as well, the unit tests are written with it.
TEST="libcmocka-dev perl"
# Judges and second opinions that some test asks, and libraries that are loaded where they are there: tried
# one by one; a test whose judge is absent says skipped.
OPTIONAL="python3 python3-venv clang libclang-rt-14-dev clang-format clang-tidy valgrind strace libxml2-utils mandoc sqlite3 tidy chromium fonts-noto-cjk python3-jsonschema zsh fish cmark-gfm libcurl4-openssl-dev"

case ${1:-} in
build) want=$REQUIRED optional= ;;
check) want="$REQUIRED $TEST" optional=$OPTIONAL ;;
*)
	echo "usage: scripts/setup.sh build|check" >&2
	exit 2
	;;
esac

# Is the package, or a program of another origin that does its work, there?
have_package() {
	case $1 in
	gcc | make | pkg-config | perl | python3 | clang | clang-format | clang-tidy | valgrind | strace | mandoc | sqlite3 | zsh | fish | tidy | chromium | cmark-gfm)
		command -v "$1" >/dev/null 2>&1
		;;
	python3-jsonschema)
		# of the first python3, or of the system's
		python3 -c "from jsonschema import Draft202012Validator" 2>/dev/null ||
			/usr/bin/python3 -c "from jsonschema import Draft202012Validator" 2>/dev/null
		;;
	libxml2-utils) command -v xmllint >/dev/null 2>&1 ;;
	*) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
	esac
}

missing_of() {
	local p
	for p in "$@"; do have_package "$p" || printf ' %s' "$p"; done
}

if ! command -v dpkg-query >/dev/null 2>&1; then
	# Not Debian: nothing to install with; the compiler and pkg-config say what is missing.
	exec sh scripts/check-deps.sh "${CC:-cc}"
fi

missing=$(missing_of $want)
missing_optional=$(missing_of $optional)
[ -n "$missing$missing_optional" ] || exit 0

run_as=
if [ "$(id -u)" != 0 ]; then
	if [ -z "$missing" ]; then
		echo "setup: not here, their tests will be skipped:$missing_optional"
		exit 0
	fi
	line="sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
	if ! command -v sudo >/dev/null 2>&1 || [ ! -t 0 ]; then
		echo "error: packages are missing and this is neither root nor a terminal with sudo; run: $line" >&2
		exit 1
	fi
	printf 'setup: these packages are missing:%s\nInstall them with sudo? [y/N] ' "$missing$missing_optional"
	read -r answer
	case $answer in
	y* | Y*) run_as=sudo ;;
	*)
		echo "error: not installed; run: $line" >&2
		exit 1
		;;
	esac
fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp "${TMPDIR:-/tmp}/ks-setup.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
apt() { $run_as apt-get -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >"$log" 2>&1 </dev/null; }
install() { apt install -y --no-install-recommends "$@"; }

echo "setup: installing$missing$missing_optional"
apt update || { echo "setup: apt-get update failed; going on with the lists that are there:"; tail -n 3 "$log"; }
if [ -n "$missing" ] && ! install $missing; then
	tail -n 20 "$log" >&2
	echo "error: could not install what the build needs:$missing" >&2
	exit 1
fi
# All at once is quick; one by one only where that fails.
if [ -n "$missing_optional" ] && ! install $missing_optional; then
	for p in $missing_optional; do
		install "$p" || echo "setup: $p cannot be had here; tests that need it will be skipped"
	done
fi
exit 0
