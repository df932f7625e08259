#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each gate lets a clean tree pass and stops what it is there to stop.
. "$(dirname "$0")/../lib/tap.sh"

tree=$T/tree
fresh() { rm -rf "$tree"; mkdir -p "$tree"/src/{base,analyze,render,source,cmd}; }
put() { mkdir -p "$(dirname "$tree/$1")"; cat >"$tree/$1"; }
gate() { run env KS_TREE="$tree" perl "$ROOT/scripts/$1.pl"; }
spdx='/* SPDX-License-Identifier: Apache-2.0 */'

# layers
fresh
put src/analyze/a.c <<<'#include "base/base.h"'
gate check-layers
is "$rc" 0 "a lower layer may be included"
put src/analyze/a.c <<<'#include "render/render.h"'
gate check-layers
is "$rc" 1 "a higher layer may not"
like "$out" 'src/analyze/a.c:1: ' "the place is named"
put src/analyze/a.c <<<'#include "source/source.h"'
gate check-layers
is "$rc" 1 "analyze must not know source"
put src/analyze/a.c <<<''
put src/render/a.c <<<'#include "analyze/analyze.h"'
gate check-layers
is "$rc" 1 "render must not know analyze"
put src/render/a.c <<<'#include <sqlite3.h>'
gate check-layers
is "$rc" 1 "a library stays in its layer"
fresh
gate check-layers
isnt "$rc" 0 "an empty tree is not called clean"

# sizes
lines() { for ((i = 0; i < $1; i++)); do echo "	x++;"; done; }
fresh
put src/base/f.c <<<"int f(int a, int b, int c, int d, int e, int g) { if (a) { while (b) { for (;;) { if (c) { return d; } } } } return e + g; }"
gate check-size
is "$rc" 0 "at the limits: six parameters, four levels"
put src/base/f.c <<<"int f(int a, int b, int c, int d, int e, int g, int h) { return a; }"
gate check-size
like "$rc $out" '^1 .*f: params 7' "seven parameters"
put src/base/f.c <<<"int f(int a) { if (a) while (a) for (;;) do if (a) a++; while (a); return a; }"
gate check-size
like "$rc $out" '^1 .*f: nesting 5' "five levels without a brace"
put src/base/f.c <<<"int f(int a) { if (a) a++; else if (a) a++; else if (a) a++; else if (a) a++; else if (a) a++; else a--; return a; }"
gate check-size
is "$rc" 0 "an else-if chain is one level"
{ echo "int f(int x)"; echo "{"; lines 96; echo "	return x;"; echo "}"; } | put src/base/f.c
gate check-size
is "$rc" 0 "a function of 100 lines"
{ echo "int f(int x)"; echo "{"; lines 97; echo "	return x;"; echo "}"; } | put src/base/f.c
gate check-size
like "$rc $out" '^1 .*f: lines 101' "a function of 101 lines"
{ echo "int f(int x) {"; for i in {1..20}; do echo "if (x == $i) x++;"; done; echo "return x; }"; } | put src/base/f.c
gate check-size
like "$rc $out" '^1 .*f: branches 21' "twenty ifs are 21 paths"
{ echo "int f(int x) { switch (x) {"; for i in {1..40}; do echo "case $i:"; done; echo "return 1; default: return 0; } }"; } | put src/base/f.c
gate check-size
is "$rc" 0 "labels that share a statement are one branch"
{ for i in {1..1001}; do echo "extern int x$i;"; done; echo "int f(void) { return 0; }"; } | put src/base/f.c
gate check-size
like "$rc $out" '^1 .*f.c: 1002 lines' "a file over 1000 lines"
put src/base/f.c <<<"int f(int a) { if (a) while (a) for (;;) do json_object_foreach(a, b) a++; while (a); return a; }"
gate check-size
like "$rc $out" '^1 .*f: nesting 5' "a loop made by a macro is a loop"
put src/base/f.c <<<'/* int g(int a,int b,int c,int d,int e,int f,int g) {} */
static const char *s = "int h(int a,int b,int c,int d,int e,int f,int g) { {";
static const struct { int a; } t[] = { { 1 }, { 2 } };
#define M(a, b, c, d, e, f, g) { (a)
int f(void) { struct p q = (struct p){ .a = 1 }; return q.a; }'
gate check-size
is "$rc" 0 "comments, strings, tables and macros are no functions"
put src/base/f.c <<<'int f(void) { if (1) { return 0; }'
gate check-size
like "$rc $out" '^[1-9].*cannot be measured' "what cannot be measured is not passed"

# words
fresh
put src/base/a.c <<<"$spdx"
gate check-words
is "$rc" 0 "a clean file"
put src/base/a.c <<<"int x;"
gate check-words
is "$rc" 1 "no SPDX line"
for word in TO'DO' FIX'ME'; do
	put src/base/a.c <<<"$spdx /* $word: later */"
	gate check-words
	is "$rc" 1 "the word $word"
done
put src/base/a.c <<<"$spdx /* \"/ho""me/me/x\" */"
gate check-words
is "$rc" 1 "a path of one machine"
put src/base/a.c <<<"$spdx  "
gate check-words
is "$rc" 1 "white space at the end of a line"

# objects
if have cc && have objdump; then
	build=$T/build
	mkdir -p "$build"
	compile() {
		echo "$1" >"$T/o.c"
		cc -fPIE -O1 -c -o "$T/o.o" "$T/o.c" && rm -f "$build/libks-cmd.a" && ar rcsD "$build/libks-cmd.a" "$T/o.o"
		run perl "$ROOT/scripts/check-objects.pl" "$build"
	}
	compile 'static const char *const t[] = { "a" }; const char *f(int i) { return t[i]; }'
	is "$rc" 0 "constant tables with pointers are fine"
	compile 'static int n; int f(void) { return n++; }'
	like "$rc $out" '^1 .*n is writable data' "a mutable global"
	compile 'int f(void) { static int n = 3; return n++; }'
	like "$rc $out" '^1 .*writable data' "a function-local static"
	compile '#include <stdlib.h>
void *f(void) { return malloc(3); }'
	like "$rc $out" '^1 .*calls malloc' "the heap past its door"
	rm "$build"/*.a
	run perl "$ROOT/scripts/check-objects.pl" "$build"
	isnt "$rc" 0 "an empty build is not called clean"
else
	skip "no compiler with objdump" 5
fi
done_testing
