/* SPDX-License-Identifier: Apache-2.0
 *
 * What --redact does to one text or name. Hashes are those of sha256sum and of openssl's HMAC; what
 * an address looks like is of RFC 4291, 4122 and 1123, written here by hand.
 */
#include "all.h"

#include "base/clock.h"
#include "base/redact.h"
#include "base/scrub.h"
#include "base/str.h"

struct pair {
	const char *from, *to;
};

static void expect_scrubbed(const struct pair *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ks_buf b;

		ks_buf_init(&b, 4096);
		ks_scrub(&b, ks_str_c(p[i].from), NULL);
		assert_string_equal(ks_buf_text(&b), p[i].to);
		ks_buf_release(&b);
	}
}

static void paths_go_and_their_endings_stay(void **state)
{
	static const struct pair texts[] = {
		{ "/srv/alice/run.sqlite", "<path>.sqlite" },
		{ "cannot open /tmp/a: no such file", "cannot open <path>: no such file" },
		{ "\"/data/My Models/run 7.py\" is gone", "\"<path>.py\" is gone" },
		{ "/srv/a/My Files/run.csv, done", "<path>.csv, done" },
		{ "/srv/a/My\\ Files/x", "<path>" },
		{ "at /src/kernel.cu:12:3", "at <path>.cu:12:3" },
		{ "/srv/train.py(12): forward", "<path>.py(12): forward" },
		{ "-I/usr/include -L/opt/lib", "-I<path> -L<path>" },
		{ "PATH=/usr/bin:/opt/bin", "PATH=<path>:<path>" },
		{ "see ../deck/x.in and ./y.sh", "see <path> and <path>.sh" },
		{ "~/.cache/a and ~bob/b", "<path> and <path>" },
		{ "C:\\Users\\alice\\run.exe", "<path>.exe" },
		{ "D:/data/run.json", "<path>.json" },
		{ "\\\\server\\share\\x", "<path>" },
		{ "/usr/lib/libcupti.so.12.6", "<path>.so" },
		{ "/var/log/alice.secret", "<path>" },
		{ "under build/home/alice/x", "under build<path>" },
		{ "\xe5\x9c\xa8/home/alice", "\xe5\x9c\xa8<path>" },
	};

	(void)state;
	expect_scrubbed(texts, KS_ARRAY_LEN(texts));
}

static void what_only_looks_a_little_like_a_path_stays(void **state)
{
	static const struct pair texts[] = {
		{ "operator/(float, float)", "operator/(float, float)" },
		{ "GB/s, N/A, and/or, 1/2", "GB/s, N/A, and/or, 1/2" },
		{ "model/layer1/attention", "model/layer1/attention" },
		{ "a / b // c", "a / b // c" },
		{ "ns::f<int>::~f()", "ns::f<int>::~f()" },
		{ "kworker/0:1", "kworker/0:1" },
		{ "aten::linear, op_id = 318126", "aten::linear, op_id = 318126" },
	};

	(void)state;
	expect_scrubbed(texts, KS_ARRAY_LEN(texts));
}

static void addresses_and_ids_go(void **state)
{
	static const struct pair texts[] = {
		{ "https://host.example/x?y=1.", "<url>." },
		{ "alice@example.com wrote", "<mail> wrote" },
		{ "ssh alice@node7", "ssh <mail>" },
		{ "10.0.0.7:29500", "<address>:29500" },
		{ "fe80::1ff:fe23:4567:890a%eth0", "<address>%eth0" },
		{ "[2001:db8::8a2e:370:7334]", "[<address>]" },
		{ "listens on ::1", "listens on <address>" },
		{ "00:1b:44:11:3a:b7", "<address>" },
		{ "GPU-7fe06e87-5166-47d7-c8b8-437082124e19", "GPU-<uuid>" },
		{ "7fe06e87516647d7c8b8437082124e19", "<uuid>" },
		{ "bus 0000:3b:00.0", "bus <pci>" },
		{ "00000000:3B:00.0", "<pci>" },
	};

	(void)state;
	expect_scrubbed(texts, KS_ARRAY_LEN(texts));
}

static void versions_names_and_times_are_no_addresses(void **state)
{
	static const struct pair texts[] = {
		{ "2025.5.1.121", "2025.5.1.121" },
		{ "525.105.17", "525.105.17" },
		{ "v1.2.3.4", "v1.2.3.4" },
		{ "1.2.3.4.5", "1.2.3.4.5" },
		{ "at 12:30:45", "at 12:30:45" },
		{ "ab::cd::ef<1>", "ab::cd::ef<1>" },
		{ "f2::c1", "f2::c1" },
		{ "memcpy@GLIBC_2.14 and f@plt", "memcpy@GLIBC_2.14 and f@plt" },
	};

	(void)state;
	expect_scrubbed(texts, KS_ARRAY_LEN(texts));
}

/* A name may have 16 MiB; each of these took 30 seconds at 256 KiB when every letter looked ahead.
 */
static void a_long_text_takes_as_long_as_it_is(void **state)
{
	static const char *const piece[] = { "a.", "a-", "1.", "a", "deadbeef-", ".so.", "a+b@" };
	const size_t len = (size_t)256 << 10;
	struct ks_buf text, out;

	(void)state;
	ks_buf_init(&text, 2 * len);
	ks_buf_init(&out, 4 * len);
	const ks_ns start = ks_clock_system.monotonic();

	for (size_t i = 0; i < KS_ARRAY_LEN(piece); i++) {
		ks_buf_reset(&text);
		ks_buf_reset(&out);
		while (text.n < len)
			ks_buf_cstr(&text, piece[i]);
		ks_scrub(&out, ks_buf_view(&text), NULL);
		assert_false(ks_buf_failed(&out));
	}
	assert_true(ks_clock_system.monotonic() - start < INT64_C(5000000000));
	ks_buf_release(&text);
	ks_buf_release(&out);
}

static void what_was_taken_out_is_not_taken_out_again(void **state)
{
	static const struct pair texts[] = {
		{ "<path>.sqlite and <address>:1", "<path>.sqlite and <address>:1" },
	};

	(void)state;
	expect_scrubbed(texts, KS_ARRAY_LEN(texts));
}

/* --- one run ------------------------------------------------------------------------------------
 */

struct run {
	struct ks_arena arena;
	struct ks_redact *r;
};

static void start(struct run *t, enum ks_redact_mode mode, const char *key)
{
	ks_arena_init(&t->arena, 1 << 20);
	t->r = ks_redact_open(&t->arena, mode, key);
	assert_non_null(t->r);
}

static void end(struct run *t)
{
	ks_redact_close(t->r);
	ks_arena_release(&t->arena);
}

static void expect(ks_str got, const char *want)
{
	assert_true(ks_str_eqc(got, want));
}

static void without_it_everything_stays(void **state)
{
	(void)state;
	expect(ks_redact_text(NULL, STR("/srv/alice")), "/srv/alice");
	expect(ks_redact_path(NULL, STR("run.sqlite")), "run.sqlite");
	expect(ks_redact_name(NULL, KS_NAME_KERNEL, STR("gemm")), "gemm");
	expect(ks_redact_original(NULL, KS_NAME_KERNEL, STR("gemm")), "gemm");
	expect(ks_redact_choice(NULL, STR("regex:x")), "regex:x");
	assert_int_equal(ks_redact_mode_of(NULL), KS_REDACT_NO);
	ks_redact_word(NULL, STR("abcd"), STR("x"));
}

/* printf gemm | sha256sum */
static void a_name_becomes_its_hash(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_NAMES, NULL);
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("gemm")), "kernel_161882838761");
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("gemm")), "kernel_161882838761");
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("gemm")), "range_161882838761");
	expect(ks_redact_original(t.r, KS_NAME_KERNEL, STR("kernel_161882838761")), "gemm");
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("kernel_161882838761")),
	       "kernel_161882838761");
	expect(ks_redact_choice(t.r, STR("gemm")), "kernel_161882838761");
	expect(ks_redact_choice(t.r, STR("regex:ge")), "regex:<pattern>");
	expect(ks_redact_within(t.r, STR("nvtx:gemm")), "nvtx:range_161882838761");
	expect(ks_redact_within(t.r, STR("1ms..2ms")), "1ms..2ms");
	end(&t);
}

/* printf gemm | openssl dgst -sha256 -hmac key */
static void a_key_makes_other_hashes(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_NAMES, "key");
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("gemm")), "kernel_a0191774ffbb");
	end(&t);
}

static void names_of_our_own_stay(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_NAMES, NULL);
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("(device)")), "(device)");
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("<unknown>")), "<unknown>");
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("")), "");
	end(&t);
}

/* printf '/b/x.py: f' | sha256sum begins with the four digits behind the sign. */
static void two_names_never_become_one(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_YES, NULL);
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("gemm")), "gemm");
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("/a/x.py: f")), "<path>.py: f");
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("/b/x.py: f")), "<path>.py: f~4f44");
	expect(ks_redact_name(t.r, KS_NAME_RANGE, STR("/b/x.py: f")), "<path>.py: f~4f44");
	end(&t);
}

static void processes_may_be_called_alike_and_lose_their_arguments(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_YES, NULL);
	expect(ks_redact_name(t.r, KS_NAME_PROCESS, STR("/a/x.py --key=1")), "<path>.py");
	expect(ks_redact_name(t.r, KS_NAME_PROCESS, STR("/b/x.py --key=2")), "<path>.py");
	expect(ks_redact_name(t.r, KS_NAME_PROCESS, STR("python3")), "python3");
	end(&t);
}

static void words_are_found_where_they_can_be_told(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_YES, NULL);
	ks_redact_word(t.r, STR("alice"), STR("<user>"));
	ks_redact_argument(t.r, STR("report"), STR("<argument>"));
	ks_redact_argument(t.r, STR("acme-run.sqlite"), STR("<path>.sqlite"));
	expect(ks_redact_text(t.r, STR("alice")), "<user>");
	expect(ks_redact_text(t.r, STR("the alice-worker of malice")),
	       "the <user>-worker of malice");
	expect(ks_redact_text(t.r, STR("report")), "<argument>");
	expect(ks_redact_text(t.r, STR("a report of acme-run.sqlite")),
	       "a report of <path>.sqlite");
	end(&t);
}

/* A report may name a million kernels, and most names begin with "void". */
static void words_that_begin_alike_are_found_at_once(void **state)
{
	enum { WORDS = 60000 };
	struct run t;
	char word[64];

	(void)state;
	start(&t, KS_REDACT_YES, NULL);
	t.arena.limit = 64 << 20;
	const ks_ns begin = ks_clock_system.monotonic();

	for (int i = 0; i < WORDS; i++) {
		snprintf(word, sizeof(word), "void k%06d(int)", i);
		ks_redact_word(t.r, ks_str_c(word), STR("<k>"));
	}
	ks_redact_word(t.r, STR("void k000007(int) [clone]"), STR("<clone>"));
	ks_redact_word(t.r, STR("void"), STR("<void>"));
	for (int i = 0; i < WORDS; i++) {
		snprintf(word, sizeof(word), "see void k%06d(int), void k!", i);
		expect(ks_redact_text(t.r, ks_str_c(word)), "see <k>, <void> k!");
	}
	expect(ks_redact_text(t.r, STR("a void k000007(int) [clone] of void k000007(int) and "
				       "voided")),
	       "a <clone> of <k> and voided");
	assert_true(ks_clock_system.monotonic() - begin < INT64_C(5000000000));
	end(&t);
}

/* Messages cut long words. */
static void a_word_that_was_cut_is_found(void **state)
{
	char word[301], cut[256];
	struct run t;

	(void)state;
	memset(word, 'x', sizeof(word) - 1);
	word[7] = '.';
	word[sizeof(word) - 1] = '\0';
	snprintf(cut, sizeof(cut), "%.240s...", word);
	start(&t, KS_REDACT_YES, NULL);
	ks_redact_argument(t.r, ks_str_c(word), STR("<path>"));
	assert_false(ks_str_has(ks_redact_text(t.r, ks_str_c(cut)), STR("xxxxxxx.x")));
	end(&t);
}

static void without_memory_nothing_is_told(void **state)
{
	struct run t;

	(void)state;
	start(&t, KS_REDACT_NAMES, NULL);
	assert_false(ks_redact_failed(t.r));
	t.arena.limit = t.arena.used;
	expect(ks_redact_text(t.r, STR("/srv/alice/x")), "<redacted>");
	expect(ks_redact_path(t.r, STR("alice.sqlite")), "<redacted>");
	expect(ks_redact_name(t.r, KS_NAME_KERNEL, STR("gemm")), "<redacted>");
	assert_true(ks_redact_failed(t.r));
	end(&t);
}

int test_redact(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_go_and_their_endings_stay),
		cmocka_unit_test(what_only_looks_a_little_like_a_path_stays),
		cmocka_unit_test(addresses_and_ids_go),
		cmocka_unit_test(versions_names_and_times_are_no_addresses),
		cmocka_unit_test(a_long_text_takes_as_long_as_it_is),
		cmocka_unit_test(what_was_taken_out_is_not_taken_out_again),
		cmocka_unit_test(without_it_everything_stays),
		cmocka_unit_test(a_name_becomes_its_hash),
		cmocka_unit_test(a_key_makes_other_hashes),
		cmocka_unit_test(names_of_our_own_stay),
		cmocka_unit_test(two_names_never_become_one),
		cmocka_unit_test(processes_may_be_called_alike_and_lose_their_arguments),
		cmocka_unit_test(words_are_found_where_they_can_be_told),
		cmocka_unit_test(words_that_begin_alike_are_found_at_once),
		cmocka_unit_test(a_word_that_was_cut_is_found),
		cmocka_unit_test(without_memory_nothing_is_told),
	};

	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
