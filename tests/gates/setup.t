#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up and installation: what is said where something is missing, what is asked before something is
# installed, and that `make install` and `uninstall` are each other's opposite.
. "$(dirname "$0")/../lib/tap.sh"

# the build's own check
run env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= sh "$ROOT/scripts/check-deps.sh" cc
is "$rc" 1 "libraries are missing: exit 1"
lines "$err" 1 "one line"
like "$err" 'apt-get install .*libsqlite3-dev libjansson-dev libpcre2-dev nettle-dev libxxhash-dev libutf8proc-dev' "it names the Debian packages"
run sh "$ROOT/scripts/check-deps.sh" no-such-compiler
like "$rc $err" '^1 .*gcc' "a missing compiler is named"

# A machine made of doubles: nothing is installed, apt-get and sudo write down what they were asked.
fake=$T/fake
mkdir "$fake"
double() { printf '#!/bin/sh\n%s\n' "$2" >"$fake/$1"; chmod +x "$fake/$1"; }
base="bash sh env dirname mktemp rm tail cat printf"
for tool in $base; do ln -s "$(command -v "$tool")" "$fake/$tool" 2>/dev/null; done
double dpkg-query 'exit 1'
double apt-get "echo \"\$*\" >>'$T/apt.log'; for a; do [ \"\$a\" = \"\$KS_T_NO_PACKAGE\" ] && exit 100; done; exit 0"
setup() { : >"$T/apt.log"; run env PATH="$fake" "$@" bash "$ROOT/scripts/setup.sh" "$mode"; }

mode=build
double id 'echo 1000'
setup
is "$rc" 1 "neither root nor sudo: exit 1"
lines "$err" 1 "neither root nor sudo: one line"
like "$err" 'apt-get install .*libsqlite3-dev' "the line can be pasted"
is "$(cat "$T/apt.log")" "" "nothing was installed"

double sudo "echo sudo >>'$T/apt.log'; exec \"\$@\""
setup
is "$rc/$(cat "$T/apt.log")" 1/ "sudo without a terminal is not used unasked"

double id 'echo 0'
setup
is "$rc" 0 "root: exit 0"
like "$(cat "$T/apt.log")" 'install -y --no-install-recommends .*libsqlite3-dev' "root installs"
unlike "$(cat "$T/apt.log")" 'libcmocka|valgrind' "a build does not fetch the test set"

mode=check
setup KS_T_NO_PACKAGE=libcmocka-dev
is "$rc" 1 "a needed package that cannot be had is fatal"
setup KS_T_NO_PACKAGE=mandoc
is "$rc" 0 "a judge that cannot be had is not fatal"
like "$out" '^setup: mandoc cannot be had' "it is reported"
like "$(cat "$T/apt.log")" 'recommends valgrind$' "the others are tried one by one"

double dpkg-query 'echo installed'
for tool in gcc make pkg-config perl python3 clang clang-format clang-tidy valgrind strace mandoc sqlite3 tidy chromium xmllint zsh fish cmark-gfm; do double "$tool" ''; done
setup
is "$rc/$out$(cat "$T/apt.log")" 0/ "everything is there: nothing is said or done"

# install and uninstall
need_bin
build=$(dirname "$KS_BIN")
run make -s -C "$ROOT" O="$build" DESTDIR="$T/dest" PREFIX=/usr install
is "$rc" 0 "make install"
ok "the program is there and runs" "$T/dest/usr/bin/kernoscope" --version
ok "so is the manual page" test -s "$T/dest/usr/share/man/man1/kernoscope.1"
ok "so are licence and notice" test -s "$T/dest/usr/share/doc/kernoscope/LICENSE" -a -s "$T/dest/usr/share/doc/kernoscope/NOTICE"
run make -s -C "$ROOT" O="$build" DESTDIR="$T/dest" PREFIX=/usr uninstall
is "$rc/$(find "$T/dest" ! -type d)" 0/ "make uninstall leaves no file"

if have mandoc; then
	run mandoc -T lint -W warning "$ROOT/man/kernoscope.1"
	is "$rc/$out" 0/ "the manual page is clean for mandoc"
else
	skip "no mandoc here"
fi
done_testing
