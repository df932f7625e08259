#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Memory that runs out, disks that fill up, and the power cut: whatever fails in the middle of a run,
# the exit code and one line say so, no half-written file appears under its name, an old file stays as
# it was, and no temporary file is left (except by a kill).
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname($0);
use Torture;

# What is wrong with a run in which something was made to fail; '' when nothing is.
sub fault {
	my ($r, $whole, $old, $killed) = @_;
	my $files = left_behind();
	return "signal $r->{signal}" if $r->{signal} && !($killed && $r->{signal} == 9);
	for my $name (sort keys %$files) {
		my $bytes = $files->{$name};
		next if defined $whole->{$name} && $bytes eq $whole->{$name};
		next if defined $old->{$name} && $bytes eq $old->{$name};
		next if $killed && !defined $whole->{$name}; # a temporary file nobody could remove
		next if $name eq 'log';                      # lines up to the failure are what a log is for
		return defined $whole->{$name} ? "$name is half written" : "$name is left behind";
	}
	for my $name (keys %$old) {
		return "the old $name is gone" if !defined $files->{$name};
	}
	return '' if $killed;
	my @line = split /\n/, $r->{err};
	my @error = grep { /^error: / } @line;
	if ($r->{rc} == 0) {
		return "exit 0 with '$error[0]'" if @error;
		return 'exit 0 without its files' if grep { !defined $files->{$_} } keys %$whole;
		return 'exit 0 with other bytes on stdout' if $r->{out} ne $r->{want_out};
		return '';
	}
	return "exit $r->{rc}" if $r->{rc} != 1;
	# The log is an output of its own: that it could not be written either is a second line.
	@error = grep { !m{/log was not written} } @error if @error > 1;
	return scalar(@error) . ' error lines: ' . $r->{err} if @error != 1;
	return '';
}

for my $command (commands()) {
	my ($name, @args) = @$command;
	prepare();
	my $plain = run_under({}, \@args);
	test($plain->{rc} == 0 && $plain->{allocs} > 0, "$name: runs when nothing fails", $plain->{err});
	my $whole = left_behind();
	delete $whole->{log};
	my %old = map { $_ => "old bytes of $_\n" } grep { !m{/} } keys %$whole;

	for my $mode ([ 'one allocation fails', 'allocs', 'KS_T_ALLOC', 0, {} ],
		[ 'memory stays full', 'allocs', 'KS_T_ALLOC', 1, \%old ],
		[ 'one write fails', 'steps', 'KS_T_STEP', 0, \%old ],
		[ 'the disk stays full', 'steps', 'KS_T_STEP', 1, {} ],
		[ 'killed', 'steps', 'KS_T_KILL', 0, \%old ]) {
		my ($what, $counter, $variable, $sticky, $before) = @$mode;
		my @why;
		my @at = points($plain->{$counter});
		for my $at (@at) {
			prepare($before);
			my $r = run_under({ $variable => $at, KS_T_STICKY => $sticky }, \@args);
			$r->{want_out} = $plain->{out};
			my $fault = fault($r, $whole, $before, $variable eq 'KS_T_KILL');
			push @why, "at $at of $plain->{$counter}: $fault" if $fault;
		}
		test(!@why, "$name: $what, at " . @at . " places of $plain->{$counter}", @why);
	}
	prepare();
	my $torn = run_under({ KS_T_TORN => 1 }, \@args);
	my $files = left_behind();
	my @differ = grep { ($files->{$_} // '') ne $whole->{$_} } keys %$whole;
	test($torn->{rc} == 0 && !@differ && $torn->{out} eq $plain->{out},
		"$name: short and interrupted writes change nothing", "rc $torn->{rc}", @differ, $torn->{err});
}
done();
