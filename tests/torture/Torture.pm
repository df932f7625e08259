# SPDX-License-Identifier: Apache-2.0
#
# Shared by the torture tests: runs the real binary under shim.c and judges what a failed run left
# behind. KS_TORTURE_FULL=1 tries every number; otherwise a stride makes KS_TORTURE_POINTS of them.
package Torture;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use Exporter 'import';
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
our @EXPORT = qw(commands prepare run_under points test skip_test done left_behind slurp $out_dir);

my $build = $ENV{KS_BUILD} // $ENV{O} // 'build';
our $bin = abs_path($ENV{KS_BIN} // "$build/kernoscope");
my $shim = abs_path("$build/torture.so");
my $example = abs_path("$build/example.sqlite");
my $work = tempdir('ks-torture.XXXXXX', TMPDIR => 1, CLEANUP => 1);
our $out_dir = "$work/out";
my ($n, $failed) = (0, 0);

$ENV{SOURCE_DATE_EPOCH} = 1700000000;
$ENV{LC_ALL} = 'C';
delete @ENV{qw(KERNOSCOPE_LANG LANG)};

for my $need ($bin, $shim, $example) {
	if (!defined $need || !-e $need) {
		print "Bail out! not built: kernoscope, torture.so or example.sqlite in $build\n";
		exit 1;
	}
}

sub test {
	my ($good, $name, @why) = @_;
	$n++;
	$failed++ if !$good;
	print $good ? '' : 'not ', "ok $n - $name\n";
	print map { "#   $_\n" } @why[ 0 .. ($#why < 20 ? $#why : 20) ] if !$good;
}

sub skip_test {
	$n++;
	print "ok $n # SKIP $_[0]\n";
}

sub done {
	print "1..$n\n";
	exit($failed ? 1 : 0);
}

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or return undef;
	local $/;
	return scalar(<$in>) // '';
}

# name => arguments; the files go below $out_dir. A report to read back is made once.
sub commands {
	my $report = "$work/in";
	make_path($work);
	system($bin, '--ks-sqlite', $example, '-o', $report, '--quiet', '--no-case') == 0
		or die "cannot make $report: is the program whole?\n";
	return (
		[ 'text', '--ks-sqlite', $example ],
		[ 'every page of text', '--ks-sqlite', $example, '--print-details', 'all' ],
		[ 'found events', 'find', 'kernel', $example, '--sort', 'duration', '--limit', '3' ],
		[ 'a gap and what ends it', 'show', 'gap:0:1', $example ],
		[ 'a line for ncu', 'ncu-command', 'gemv_f16_splitk', $example ],
		[ 'everything written', '--ks-sqlite', $example, '-f', '-o', "$out_dir/r", '--packet', "$out_dir/p.json",
			'--launch-csv', '--export-name-map', "$out_dir/names.csv", '--log-file', "$out_dir/log" ],
		[ 'synthetic', '--ks-synthetic', '--set', 'full', '-f', '-o', "$out_dir/s" ],
		[ 'part of a timeline', '--ks-sqlite', $example, '--within', 'step:1..3', '--format', 'folded', '-f',
			'--ks-perfetto', "$out_dir/t.json" ],
		[ 're-read report', '-i', "$report.ksreport.json", '--csv' ],
		[ 'explain', 'explain', 'gpu__time_duration.sum', $example ],
		[ 'device code', '--ks-cubin', 'tests/fuzz/seeds/cubin/host', '--ks-cubin', 'tests/fuzz/seeds/cubin/packed', '--set', 'basic' ],
		[ 'events without names', 'stats', 'cuda_gpu_trace', $example, '--redact=names', '--format', 'csv' ],
	);
}

# An output folder that holds nothing, or an old file of every name in $old (name => bytes).
sub prepare {
	my ($old) = @_;
	remove_tree($out_dir);
	make_path($out_dir);
	for my $name (keys %{ $old // {} }) {
		open my $o, '>:raw', "$out_dir/$name" or die "$out_dir/$name: $!\n";
		print $o $old->{$name};
		close $o;
	}
}

# Every file below $out_dir: relative name => bytes.
sub left_behind {
	my %file;
	my @dir = ('');
	while (defined(my $dir = shift @dir)) {
		opendir my $d, "$out_dir/$dir" or next;
		for my $name (sort readdir $d) {
			next if $name eq '.' || $name eq '..';
			my $path = $dir eq '' ? $name : "$dir/$name";
			if (-d "$out_dir/$path") { push @dir, $path } else { $file{$path} = slurp("$out_dir/$path") }
		}
	}
	return \%file;
}

# Runs the binary with the shim's settings: { rc, signal, out, err, allocs, steps }.
sub run_under {
	my ($settings, $args) = @_;
	my $count = "$work/count";
	unlink $count;
	my $pid = fork() // die "fork: $!\n";
	if (!$pid) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$work/stdout" or exit 127;
		open STDERR, '>', "$work/stderr" or exit 127;
		$ENV{LD_PRELOAD} = $shim;
		$ENV{KS_T_COUNT} = $count;
		$ENV{$_} = $settings->{$_} for keys %$settings;
		exec $bin, @$args or exit 127;
	}
	waitpid $pid, 0;
	my %r = (rc => $? >> 8, signal => $? & 127, out => slurp("$work/stdout"), err => slurp("$work/stderr"));
	@r{qw(allocs steps)} = split ' ', slurp($count) // '0 0';
	return \%r;
}

# Which numbers of 1..$most to try.
sub points {
	my ($most) = @_;
	my $want = $ENV{KS_TORTURE_FULL} ? $most : ($ENV{KS_TORTURE_POINTS} // 40);
	return 1 .. $most if $most <= $want;
	# The first ones closely (start-up has the most paths), the rest evenly to the end.
	my %at = map { $_ => 1 } 1 .. int($want / 4), $most;
	my $rest = $want - keys %at;
	$at{ int($want / 4) + int($_ * ($most - $want / 4) / ($rest + 1)) } = 1 for 1 .. $rest;
	return sort { $a <=> $b } grep { $_ >= 1 } keys %at;
}
1;
