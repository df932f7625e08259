#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Keeps the output shown in the READMEs real. After a line `<!-- output of: COMMAND -->` (or `output of,
# N lines:`) the next fenced block is what COMMAND prints; it is run with the built program on PATH, in
# a folder that holds the example trace as run.sqlite, at 100 columns. After `<!-- picture of: COMMAND -->`
# the next image is a file that holds what COMMAND prints.
#     scripts/readme-output.pl            rewrites the blocks and pictures
#     scripts/readme-output.pl --check    says which differ, exit 1 then
#     scripts/readme-output.pl --commands lists the commands of README.md's ```sh blocks, one a line
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

chdir dirname(abs_path($0)) . '/..' or die "$0: $!\n";
my $mode = $ARGV[0] // '';
my $build = abs_path($ENV{O} // 'build') // die "no build folder\n";
my $scratch = tempdir('ks-readme.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($blocks, $differ) = (0, 0);

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar <$in>;
}

sub spew {
	my ($path, $text) = @_;
	open my $out, '>:raw', $path or die "$path: $!\n";
	print $out $text;
	close $out or die "$path: $!\n";
	print "$path: rewritten\n";
}

sub output_of {
	my ($command, $most) = @_;
	local $ENV{PATH} = "$build:$ENV{PATH}";
	local $ENV{COLUMNS} = 100;
	local $ENV{SOURCE_DATE_EPOCH} = 1700000000;
	local $ENV{LC_ALL} = 'C.UTF-8';
	delete local @ENV{qw(KERNOSCOPE_LANG LANG NO_COLOR CLICOLOR_FORCE TMPDIR)};
	local $ENV{XDG_CONFIG_HOME} = $scratch;
	my $text = qx(cd '$scratch' && ( $command ) 2>&1);
	my @line = map { s/[ \t]+$//r } split /\n/, $text;
	@line = (@line[ 0 .. $most - 1 ], '...') if $most && @line > $most;
	return join '', map { "$_\n" } @line;
}

if ($mode eq '--commands') {
	my $text = slurp('README.md');
	while ($text =~ /^```sh\n(.*?)^```$/gms) {
		print map { "$_\n" } grep { /\S/ && !/^\s*#/ } split /\n/, $1;
	}
	exit 0;
}
copy("$build/example.sqlite", "$scratch/run.sqlite") or die "$build/example.sqlite: $! (make it with: make $build/example.sqlite)\n";
for my $file (glob 'README*.md') {
	my $text = slurp($file);
	my $new = $text =~ s{(<!-- output of(?:, (\d+) lines)?: (.*?) -->\n+```\w*\n)(.*?)(^```$)}{
		my ($head, $most, $command, $old, $tail) = ($1, $2 // 0, $3, $4, $5);
		my $now = output_of($command, $most);
		$blocks++;
		if ($now ne $old) {
			$differ++;
			print "$file: the output of `$command` is not what is shown\n" if $mode eq '--check';
		}
		$head . $now . $tail;
	}gemsr;
	while ($text =~ /<!-- picture of: (.*?) -->\n+!\[[^\]]*\]\(([^)]+)\)/g) {
		my ($path, $now) = ($2, output_of($1, 0));
		next if -e $path && slurp($path) eq $now;
		$differ++;
		if ($mode eq '--check') {
			print "$path is not the picture that $file says it is\n";
			next;
		}
		make_path(dirname($path));
		spew($path, $now);
	}
	next if $mode eq '--check' || $new eq $text;
	spew($file, $new);
}
die "no output block found in README*.md: nothing was checked\n" if !$blocks;
exit($mode eq '--check' && $differ ? 1 : 0);
