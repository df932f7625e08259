#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The equality part of `make bench`, at its smallest size: speed is measured only on right answers.
command -v python3 >/dev/null 2>&1 || { echo "1..0 # SKIP no python3 here"; exit 0; }
cd "$(dirname "$0")/../.." && exec python3 bench/run.py --check
