#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs unit, command-line and known-answer tests on a build with gcov's counters and prints the share
# of lines that ran, by layer and for the twenty least covered files.
set -u
build=${O:-build/cov}
find "$build" -name '*.gcda' -delete
KS_ASAN=$build O=$build tests/run unit cli known golden || echo "coverage: some tests failed; the numbers below are of what ran"
find "$build/obj" -name '*.gcda' -print0 | sort -z | xargs -0 -r -n 1 gcov -n 2>/dev/null |
	perl -ne '
		$file = $1 if /^File .(.*).$/;
		if (/^Lines executed:([0-9.]+)% of (\d+)/ && defined $file && $file =~ m{(src/(?:([^/]+)/)?[^/]+\.c)$}) {
			my ($name, $layer) = ($1, $2 // "main");
			my ($pct, $n) = $_ =~ /:([0-9.]+)% of (\d+)/;
			$file{$name} = [ $pct, $n ];
			$sum{$layer}[0] += $pct * $n / 100; $sum{$layer}[1] += $n;
			$all[0] += $pct * $n / 100; $all[1] += $n;
			$file = undef;
		}
		END {
			die "coverage: nothing was measured\n" if !$all[1];
			printf "%6.1f %%  %6d lines  %s\n", 100 * $sum{$_}[0] / $sum{$_}[1], $sum{$_}[1], $_ for sort keys %sum;
			printf "%6.1f %%  %6d lines  all\n\n", 100 * $all[0] / $all[1], $all[1];
			my @low = sort { $file{$a}[0] <=> $file{$b}[0] } keys %file;
			printf "%6.1f %%  %6d lines  %s\n", @{ $file{$_} }, $_ for grep { defined } @low[ 0 .. 19 ];
		}'
