#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Fails on a wrong #include: a file may include headers of its own layer or of a lower one;
# render never includes source or analyze, analyze never includes source. A library's header stays
# in the layers that may do what it does: analysis opens no database.
use strict;
use warnings;

my @order = qw(base tables evidence model source analyze verdict render cmd);
my %rank;
@rank{@order} = 0 .. $#order;
my %never = (render => [qw(source analyze)], analyze => ['source']);
# Library header => layers that may include it.
my %library = (
	'sqlite3.h'     => ['source'],
	'jansson.h'     => [qw(source verdict cmd)],
	'pcre2.h'       => ['analyze'],
	'nettle/sha2.h' => [qw(base source verdict)],
	'xxhash.h'      => [qw(base evidence)],
	'utf8proc.h'    => ['base'],
	'getopt.h'      => ['cmd'],
);
my $root = $ENV{KS_TREE} // '.';
my ($bad, $seen) = (0, 0);

sub complain {
	my ($file, $line, $text) = @_;
	print "$file:$line: $text\n";
	$bad++;
}

for my $path (sort glob("$root/src/*.[ch] $root/src/*/*.[ch] $root/src/*/*.def")) {
	(my $file = $path) =~ s{^\Q$root\E/}{};
	my ($layer) = $file =~ m{^src/([^/]+)/};
	if (!defined $layer) {
		complain($file, 1, 'only main.c lives in src/ itself') if $file ne 'src/main.c';
		$layer = 'cmd';
	}
	if (!exists $rank{$layer}) {
		complain($file, 1, "folder $layer is no layer");
		next;
	}
	open my $in, '<', $path or die "$path: $!\n";
	while (my $line = <$in>) {
		if ($line =~ /^\s*#\s*include\s+"([^"]+)"/) {
			my $header = $1;
			$seen++;
			my ($target) = $header =~ m{^([^/]+)/};
			if (!defined $target || !exists $rank{$target}) {
				complain($file, $., "\"$header\": write the path from src/, LAYER/file.h");
			} elsif ($rank{$target} > $rank{$layer}) {
				complain($file, $., "$layer includes $header of the higher layer $target");
			} elsif (grep { $_ eq $target } @{ $never{$layer} // [] }) {
				complain($file, $., "$layer must not know $target ($header)");
			}
		} elsif ($line =~ /^\s*#\s*include\s+<([^>]+)>/ && exists $library{$1}) {
			$seen++;
			complain($file, $., "<$1> belongs in: @{ $library{$1} }")
				if !grep { $_ eq $layer } @{ $library{$1} };
		}
	}
	close $in;
}
die "no #include seen under $root/src: nothing was checked\n" if !$seen;
exit($bad ? 1 : 0);
