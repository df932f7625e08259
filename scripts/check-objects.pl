#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# What the compiled layers may not hold: writable data (no mutable globals, no function-local
# statics) and, outside base, calls past the one door to heap, files and processes. Reads the
# archives of a build without sanitizers: check-objects.pl BUILD_FOLDER
use strict;
use warnings;

my $build = shift // 'build';
my @layers = qw(base tables evidence model source analyze verdict render cmd);
# Beside what src/base/banned.h catches by name, with the forms the compiler turns calls into.
my $banned = join '|', qw(malloc calloc realloc free strdup strndup fopen fdopen freopen printf puts
	putchar fwrite fputs fputc __printf_chk __fprintf_chk fprintf vfprintf __vfprintf_chk write pwrite
	rename link symlink strcpy strcat strncpy strncat sprintf vsprintf __sprintf_chk __strcpy_chk
	__strcat_chk strtok gets atoi atol atof sscanf __isoc99_sscanf gmtime localtime ctime asctime mktemp
	tmpnam system popen setlocale exit _exit abort);
# Where a layer is itself a door: one entry, one reason.
my %allowed = ();
my ($bad, $seen) = (0, 0);

for my $layer (@layers) {
	my $archive = "$build/libks-$layer.a";
	next if !-e $archive;
	my $member = '';
	open my $in, '-|', 'objdump', '-t', $archive or die "objdump: $!\n";
	while (my $line = <$in>) {
		if ($line =~ /^(\S+\.o):/) {
			$member = "$layer/$1";
			next;
		}
		# value flags section<TAB>size [visibility] name
		next if $line !~ /^[0-9a-f]+ (.{7}) (\S+)\t([0-9a-f]+)\s+(?:\.hidden\s+)?(\S+)/;
		my ($flags, $section, $size, $name) = ($1, $2, hex $3, $4);
		$seen++;
		if ($section =~ /^(?:\.data|\.bss|\.tbss|\.tdata|\*COM\*)(?:\.(?!rel\.ro).*)?$/ && $size > 0 && $flags =~ /O/) {
			print "$member: $name is writable data ($section)\n";
			$bad++;
		}
		if ($section eq '*UND*' && $layer ne 'base' && $name =~ /^(?:$banned)$/ && !$allowed{"$member:$name"}) {
			print "$member: calls $name, which belongs to base\n";
			$bad++;
		}
	}
	close $in or die "objdump failed on $archive\n";
}
die "no symbol seen under $build: nothing was checked\n" if !$seen;
exit($bad ? 1 : 0);
