# SPDX-License-Identifier: Apache-2.0
#
# TAP for tests in bash. Source it, call the functions below, end with done_testing.
#
#     . "$(dirname "$0")/../lib/tap.sh"
#     run "$KS_BIN" --version
#     is "$rc" 0 "--version succeeds"
#     like "$out" '^kernoscope [0-9]' "it names program and version"
#     done_testing
#
# The script gets: $KS_BIN (absolute), $KS_SHARED (absolute; may not exist), $ROOT (the repository),
# $T (an empty folder of its own, removed at the end). A script that ends without done_testing has
# no plan and counts as failed.
set -u
export LC_ALL=C.UTF-8
unset "${!KERNOSCOPE_@}" PAGER LESS LANG LC_MESSAGES NO_COLOR CLICOLOR_FORCE SOURCE_DATE_EPOCH

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tap_absolute() {
	case $1 in
	/*) printf '%s' "$1" ;;
	*) printf '%s/%s' "$ROOT" "$1" ;;
	esac
}
KS_BIN=$(tap_absolute "${KS_BIN:-build/kernoscope}")
KS_SHARED=$(tap_absolute "${KS_SHARED:-../shared}")
export KS_BIN KS_SHARED
T=$(mktemp -d "${TMPDIR:-/tmp}/ks-test.XXXXXX") || exit 2
export XDG_CONFIG_HOME=$T/.config # nobody's own configuration
trap 'chmod -R u+rwX "$T" 2>/dev/null; rm -rf "$T"' EXIT

tap_n=0
tap_failed=0

# pass NAME | fail NAME [DIAGNOSTIC]
pass() {
	tap_n=$((tap_n + 1))
	printf 'ok %d - %s\n' "$tap_n" "$1"
}
fail() {
	tap_n=$((tap_n + 1))
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_n" "$1"
	[ $# -lt 2 ] || printf '%s\n' "$2" | head -c 4000 | sed 's/^/#   /'
}

# ok NAME COMMAND ARGS...   passes when the command succeeds
ok() {
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed: $*"; fi
}
# not_ok NAME COMMAND ARGS...   passes when the command fails
not_ok() {
	local name=$1
	shift
	if "$@"; then fail "$name" "succeeded: $*"; else pass "$name"; fi
}
# is GOT WANT NAME
is() {
	if [ "$1" = "$2" ]; then pass "$3"; else fail "$3" "got:  $1
want: $2"; fi
}
isnt() {
	if [ "$1" != "$2" ]; then pass "$3"; else fail "$3" "got: $1"; fi
}
# like GOT ERE NAME   any line may match
like() {
	if grep -Eq -e "$2" <<<"$1"; then pass "$3"; else fail "$3" "got: $1
does not match: $2"; fi
}
unlike() {
	if grep -Eq -e "$2" <<<"$1"; then fail "$3" "got: $1
matches: $2"; else pass "$3"; fi
}
# lines TEXT N NAME   TEXT has exactly N lines
lines() {
	local n
	n=$(printf '%s' "$1" | grep -c '')
	is "$n" "$2" "$3"
}

# run COMMAND ARGS...   sets $out, $err, $rc; the bytes as they were are in $T/out and $T/err.
# stdin is empty unless $run_stdin names a file.
run() {
	"$@" >"$T/out" 2>"$T/err" <"${run_stdin:-/dev/null}"
	rc=$?
	out=$(tr -d '\0' <"$T/out")
	err=$(tr -d '\0' <"$T/err")
}

# skip REASON [COUNT]   COUNT tests that cannot be made here
skip() {
	local i
	for ((i = 0; i < ${2:-1}; i++)); do
		tap_n=$((tap_n + 1))
		printf 'ok %d # SKIP %s\n' "$tap_n" "$1"
	done
}
# skip_all REASON   the whole script
skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}
have() { command -v "$1" >/dev/null 2>&1; }
need_bin() { [ -x "$KS_BIN" ] || { printf 'Bail out! no program at %s\n' "$KS_BIN"; exit 2; }; }

done_testing() {
	printf '1..%d\n' "$tap_n"
	[ "$tap_failed" -eq 0 ]
	exit
}
