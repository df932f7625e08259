#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# What every file of the tree must have and must not have: an SPDX line near the top of each source
# file, no unfinished-work words, no path of one machine, no white space at line ends.
use strict;
use warnings;

my $root = $ENV{KS_TREE} // '.';
# Written apart so that this file does not trip over itself.
my $unfinished = join '|', map { join '', @$_ } [ 'TO', 'DO' ], [ 'FIX', 'ME' ], [ 'XX', 'X' ], [ 'HA', 'CK' ];
my $machine = join '|', map { join '', @$_ } [ '/ho', 'me/\w' ], [ '/ro', 'ot/' ], [ '/wo', 'rk/' ], [ '/tmp', '/[wb][/-]' ];
my ($bad, $seen) = (0, 0);

sub complain {
	print "$_[0]\n";
	$bad++;
}

my @list = split /\0/, `cd '$root' && find . \\( -name .git -o -name build -o -name shared \\) -prune -o -type f -print0 | sort -z`;
for my $path (@list) {
	(my $file = $path) =~ s{^\./}{};
	next if $file =~ m{^tests/fuzz/seeds/} || $file =~ /\.(?:png|sqlite|gz|ico)$/ || $file eq 'LICENSE';
	open my $in, '<:raw', "$root/$file" or die "$file: $!\n";
	my @line = <$in>;
	close $in;
	$seen++;
	my $source = $file =~ /\.(?:[ch]|def|pl|py|sh|t|mk|sql)$/ || $file =~ m{(?:^|/)Makefile$|^\.ci/|^tests/run$};
	complain("$file: no SPDX line in the first three")
		if $source && !grep { /SPDX-License-Identifier: Apache-2\.0/ } @line[ 0 .. ($#line < 2 ? $#line : 2) ];
	for my $i (0 .. $#line) {
		my $n = $i + 1;
		complain("$file:$n: unfinished: $1") if $line[$i] =~ /\b($unfinished)\b/;
		complain("$file:$n: a path of one machine: $&") if $line[$i] =~ m{(?:^|[\s"'=(:])(?:$machine)[^\s"']*};
		complain("$file:$n: white space at the end") if $source && $line[$i] =~ /[ \t]+\r?\n$/;
	}
	complain("$file: no newline at the end") if $source && @line && $line[-1] !~ /\n$/;
}
die "no file seen: nothing was checked\n" if !$seen;
exit($bad ? 1 : 0);
