#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prepares the judges that Debian does not package, in $O/judges: Perfetto's message classes from
# PyPI, with which tests/known/perfetto.t reads our timeline. Not part of the build; where it cannot
# be had the test says skipped. Called by `make judges`, and by `make check` in CI.
set -u
cd "$(dirname "$0")/.." || exit 1
folder=${O:-build}/judges
[ ! -x "$folder/bin/python" ] || "$folder/bin/python" -c 'import perfetto.protos.perfetto.trace.perfetto_trace_pb2' 2>/dev/null || rm -rf "$folder"
[ ! -x "$folder/bin/python" ] || exit 0
no() {
	rm -rf "$folder"
	echo "judges: $1; the test that asks Perfetto's classes will be skipped"
	exit 0
}
command -v python3 >/dev/null 2>&1 || no "there is no python3"
python3 -m venv "$folder" >/dev/null 2>&1 || no "python3 cannot make a virtual environment (python3-venv)"
timeout 300 "$folder/bin/python" -m pip install --quiet --disable-pip-version-check perfetto protobuf >/dev/null 2>&1 ||
	no "PyPI's perfetto cannot be had here"
"$folder/bin/python" -c 'import perfetto.protos.perfetto.trace.perfetto_trace_pb2' 2>/dev/null || no "PyPI's perfetto has no message classes"
echo "judges: Perfetto's message classes are in $folder"
