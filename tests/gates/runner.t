#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The runner counts what happened: a crash, a lost plan and a timeout are failures, a skip stays a
# skip, and the last line is the sum.
. "$(dirname "$0")/../lib/tap.sh"

# suite DIR/NAME <script    adds a TAP suite to the tree at $T/tree
tree=$T/tree
suite() {
	mkdir -p "$tree/tests/$(dirname "$1")"
	{ echo '#!/usr/bin/env bash'; cat; } >"$tree/tests/$1"
}
fresh() { rm -rf "$tree"; mkdir -p "$tree/tests"; }
# total ARGS...   runs the suites named, sets $total to the last line
total() {
	run env -u KS_BUILD O=build KS_TREE="$tree" KS_TEST_SECONDS="${seconds:-20}" perl "$ROOT/tests/run" "$@"
	total=${out##*$'\n'}
}

fresh
suite cli/good.t <<<'echo "ok 1 - a"; echo "ok 2 - b"; echo 1..2'
total cli
is "$rc/$total" "0/2 passed, 0 failed, 0 skipped" "two passes"

suite cli/bad.t <<<'echo "ok 1 - a"; echo "not ok 2 - b"; echo 1..2; exit 1'
total cli
is "$rc/$total" "1/3 passed, 1 failed, 0 skipped" "a failure is counted once and decides the exit code"

fresh
suite cli/crash.t <<<'echo "ok 1 - a"; kill -SEGV $$'
total cli
is "$rc/$total" "1/1 passed, 1 failed, 0 skipped" "a crash is a failure"

fresh
suite cli/noplan.t <<<'echo "ok 1 - a"'
total cli
is "$rc/$total" "1/1 passed, 1 failed, 0 skipped" "a script that ends early is a failure"

fresh
suite cli/short.t <<<'echo 1..3; echo "ok 1 - a"; echo "ok 2 - b"'
total cli
is "$rc/$total" "1/2 passed, 1 failed, 0 skipped" "fewer tests than planned is a failure"

fresh
suite cli/empty.t <<<':'
total cli
is "$rc/$total" "1/0 passed, 1 failed, 0 skipped" "a script that says nothing is a failure"

fresh
suite cli/status.t <<<'echo "ok 1 - a"; echo 1..1; exit 3'
total cli
is "$rc/$total" "1/1 passed, 1 failed, 0 skipped" "a bad exit status is a failure"

fresh
suite cli/skip.t <<<'echo "ok 1 # SKIP no judge"; echo "ok 2 - b"; echo 1..2'
suite gpu/all.t <<<'echo "1..0 # SKIP no device"'
total cli gpu
is "$rc/$total" "0/1 passed, 0 failed, 2 skipped" "skips are neither passed nor failed"
like "$out" '^  no device$' "the reason of a skip is printed"

fresh
suite cli/slow.t <<<'echo "ok 1 - a"; sleep 30; echo 1..1'
seconds=1 total cli
is "$rc/$total" "1/1 passed, 1 failed, 0 skipped" "the time limit makes a failure"

fresh
total cli
isnt "$rc" 0 "no suite at all is no success"

# cmocka: a test binary of ours, made here.
if have cc && echo '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
static void good(void **s) { (void)s; assert_int_equal(1, 1); }
static void skipped(void **s) { (void)s; skip(); }
static void bad(void **s) { (void)s; if (getenv("KS_T_BAD")) assert_int_equal(1, 2); }
static void dies(void **s) { (void)s; if (getenv("KS_T_EXIT")) _Exit(0); }
int main(void)
{
	const struct CMUnitTest a[] = { cmocka_unit_test(good), cmocka_unit_test(skipped) };
	const struct CMUnitTest b[] = { cmocka_unit_test(good), cmocka_unit_test(skipped), cmocka_unit_test(bad),
					cmocka_unit_test(dies), cmocka_unit_test(good) };
	return cmocka_run_group_tests(a, NULL, NULL) + cmocka_run_group_tests(b, NULL, NULL);
}' >"$T/unit.c" && fresh && mkdir -p "$tree/build/asan" "$tree/tests/unit/base" && cc -o "$tree/build/asan/unit-base" "$T/unit.c" -lcmocka 2>/dev/null; then
	: >"$tree/tests/unit/base/test_x.c"
	total unit
	is "$rc/$total" "0/5 passed, 0 failed, 2 skipped" "cmocka groups add up"
	KS_T_BAD=1 total unit
	is "$rc/$total" "1/4 passed, 1 failed, 2 skipped" "a failed cmocka test is counted"
	KS_T_EXIT=1 total unit
	is "$rc" 1 "a unit binary that leaves early has not passed"
	rm "$tree/build/asan/unit-base"
	total unit
	is "$rc/$total" "1/0 passed, 1 failed, 0 skipped" "a unit binary that was not built is a failure"
else
	skip "no compiler with cmocka" 4
fi
done_testing
