#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Measures every C function of the tree and fails over the hard stops: lines of a file, lines,
# nesting, parameters and cyclomatic complexity of a function. `-v` lists the largest of each.
# Counted: if, for, while, do, NAME_foreach, ?, &&, || and each group of case labels (labels that share their
# statements are one branch). An else-if chain is one level of nesting.
use strict;
use warnings;

my %stop = (file => 1000, lines => 100, nesting => 4, params => 6, branches => 20);
my $root = $ENV{KS_TREE} // '.';
my $verbose = grep { $_ eq '-v' } @ARGV;
my (@functions, @files);
my $bad = 0;

sub complain {
	print "$_[0]\n";
	$bad++;
}

# Blanks comments, literals and preprocessor lines, keeping every newline.
sub code_of {
	my ($text) = @_;
	my $keep = sub { (my $s = shift) =~ s/[^\n]//g; $s };
	$text =~ s{(/\*.*?\*/)|(//[^\n]*)|("(?:[^"\\\n]|\\.)*")|('(?:[^'\\\n]|\\.)*')}
		{ defined $3 ? '"S"' : defined $4 ? "'C'" : ' ' . $keep->($1 // $2) }gse;
	$text =~ s{^[ \t]*#(?:[^\n]*\\\n)*[^\n]*}{ $keep->($&) }gme;
	return $text;
}

# Tokens as [text, line].
sub tokens_of {
	my ($code) = @_;
	my ($line, @tokens) = (1);
	while ($code =~ /\G(?:(\n)|([ \t\r\f]+)|([A-Za-z_]\w*|\.?\d[\w.]*|"S"|'C'|&&|\|\||.))/gs) {
		if (defined $1) { $line++ }
		elsif (defined $3) { push @tokens, [ $3, $line ] }
	}
	return \@tokens;
}

my %close = ('(' => ')', '{' => '}', '[' => ']');

# Index just behind the bracket that closes the one at $i; dies at the end of the file.
sub behind {
	my ($t, $i) = @_;
	my ($open, $depth) = ($t->[$i][0], 0);
	for (; $i < @$t; $i++) {
		$depth++ if $t->[$i][0] eq $open;
		return $i + 1 if $t->[$i][0] eq $close{$open} && --$depth == 0;
	}
	die "unbalanced $open\n";
}

# One statement at $i, $depth levels deep. Returns the index behind it; raises $f->{nesting}.
sub statement {
	my ($t, $i, $depth, $f) = @_;
	die "function without end\n" if $i >= @$t;
	$f->{nesting} = $depth if $depth > $f->{nesting};
	my $word = $t->[$i][0];
	if ($word eq '{') {
		$i++;
		$i = statement($t, $i, $depth, $f) while $i < @$t && $t->[$i][0] ne '}';
		die "function without end\n" if $i >= @$t;
		return $i + 1;
	}
	if ($word eq 'if') {
		$i = statement($t, behind($t, $i + 1), $depth + 1, $f);
		return $i if $i >= @$t || $t->[$i][0] ne 'else';
		return statement($t, $i + 1, $t->[ $i + 1 ][0] eq 'if' ? $depth : $depth + 1, $f);
	}
	return statement($t, behind($t, $i + 1), $depth + 1, $f) if $word =~ /^(?:for|while|switch|\w*foreach)$/;
	if ($word eq 'do') {
		$i = statement($t, $i + 1, $depth + 1, $f); # now at `while (...) ;`
		return behind($t, $i + 1) + 1;
	}
	if ($word =~ /^(?:case|default)$/) {
		$i++ while $t->[$i][0] ne ':';
		return $t->[ $i + 1 ][0] eq '}' ? $i + 1 : statement($t, $i + 1, $depth, $f);
	}
	return $i + 2 if $word =~ /^[A-Za-z_]/ && ($t->[ $i + 1 ][0] // '') eq ':'; # a label
	while ($i < @$t && $t->[$i][0] ne ';') {
		die "statement runs into }\n" if $t->[$i][0] eq '}';
		$i = $close{ $t->[$i][0] } ? behind($t, $i) : $i + 1;
	}
	return $i + 1;
}

sub branches_of {
	my ($t, $from, $to) = @_;
	my $n = 1;
	for my $i ($from .. $to - 1) {
		my $word = $t->[$i][0];
		if ($word =~ /^(?:if|for|while|\w*foreach|\?|&&|\|\|)$/) { $n++ }
		elsif ($word eq 'case') {
			my $before = $t->[ $i - 1 ][0];
			# `case A: case B:` is one branch; a label ends in ':'.
			$n++ if $before ne ':';
		}
	}
	return $n;
}

sub params_of {
	my ($t, $from, $to) = @_; # the tokens between the brackets
	return 0 if $from >= $to || ($to - $from == 1 && $t->[$from][0] eq 'void');
	my ($n, $i) = (1, $from);
	while ($i < $to) {
		$n++ if $t->[$i][0] eq ',';
		$i = $close{ $t->[$i][0] } ? behind($t, $i) : $i + 1;
	}
	return $n;
}

# The functions of one file.
sub scan {
	my ($file, $t) = @_;
	my ($i, $start) = (0, 0);
	while ($i < @$t) {
		my $word = $t->[$i][0];
		if ($word eq ';') {
			$start = ++$i;
		} elsif ($word eq '(' && $i > $start && $t->[ $i - 1 ][0] =~ /^[A-Za-z_]/) {
			my ($name, $open, $end) = ($t->[ $i - 1 ][0], $i, behind($t, $i));
			# Attributes may stand between the list and the body.
			my $j = $end;
			while ($j < @$t && $t->[$j][0] =~ /^[A-Za-z_]/) {
				$j++;
				$j = behind($t, $j) if $j < @$t && $t->[$j][0] eq '(';
			}
			if ($j < @$t && $t->[$j][0] eq '{') {
				my %f = (file => $file, name => $name, line => $t->[$start][1], nesting => 0);
				my $stop = statement($t, $j, 0, \%f);
				$f{lines} = $t->[ $stop - 1 ][1] - $f{line} + 1;
				$f{params} = params_of($t, $open + 1, $end - 1);
				$f{branches} = branches_of($t, $j, $stop);
				push @functions, \%f;
				$i = $start = $stop;
			} else {
				$i = $end;
			}
		} elsif ($close{$word}) {
			$i = behind($t, $i);
			# `struct x { ... };` and `enum ...`: the ';' that follows ends it.
		} else {
			$i++;
		}
	}
}

my @list = split /\0/, `cd '$root' && find . \\( -name .git -o -name build -o -name shared \\) -prune -o -type f \\( -name '*.[ch]' -o -name '*.pl' -o -name '*.py' -o -name '*.sh' -o -name '*.t' \\) -print0 | sort -z`;
for my $path (@list) {
	(my $file = $path) =~ s{^\./}{};
	open my $in, '<:raw', "$root/$file" or die "$file: $!\n";
	local $/;
	my $text = <$in>;
	close $in;
	my $n = ($text =~ tr/\n//);
	push @files, { file => $file, lines => $n };
	complain("$file: $n lines, the limit is $stop{file}") if $n > $stop{file};
	next if $file !~ /\.[ch]$/;
	eval { scan($file, tokens_of(code_of($text))); 1 } or complain("$file: cannot be measured: $@" =~ s/\n$//r);
}
for my $f (@functions) {
	for my $what (qw(lines nesting params branches)) {
		complain("$f->{file}:$f->{line}: $f->{name}: $what $f->{$what}, the limit is $stop{$what}")
			if $f->{$what} > $stop{$what};
	}
}
if ($verbose) {
	printf "%d files, %d functions\n", scalar @files, scalar @functions;
	my @top = sort { $b->{lines} <=> $a->{lines} } @files;
	printf "  %4d lines %s\n", $_->{lines}, $_->{file} for grep { defined } @top[ 0 .. 9 ];
	for my $what (qw(lines nesting params branches)) {
		my @order = sort { $b->{$what} <=> $a->{$what} } @functions;
		printf "  %4d %s %s:%d %s\n", $_->{$what}, $what, $_->{file}, $_->{line}, $_->{name}
			for grep { defined } @order[ 0 .. 4 ];
	}
}
die "no function seen: nothing was measured\n" if !@functions;
exit($bad ? 1 : 0);
