/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf's wire format by the examples of its own documentation, and blocks deflated by several
 * threads: zlib reads them back in order, whoever made them.
 */
#include "all.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/pbw.h"
#include "base/zpack.h"

static void expect_bytes(const struct ks_pbw *w, const char *bytes, size_t n)
{
	assert_false(ks_pbw_failed(w));
	assert_int_equal(w->n, n);
	assert_memory_equal(w->p, bytes, n);
}
#define EXPECT(w, literal) expect_bytes((w), (literal), sizeof(literal) - 1)

/* protobuf.dev, "Encoding": field 1 = 150 is 08 96 01; "testing" in field 2 is 12 07 74 65 ... */
static void fields_look_as_the_documentation_says(void **state)
{
	struct ks_pbw w;

	(void)state;
	ks_pbw_init(&w, 4096);
	ks_pbw_uint(&w, 1, 150);
	EXPECT(&w, "\x08\x96\x01");
	ks_pbw_reset(&w);
	ks_pbw_bytes(&w, 2, "testing", 7);
	EXPECT(&w, "\x12\x07testing");
	ks_pbw_reset(&w);
	ks_pbw_uint(&w, 1, (uint64_t)-2); /* ten bytes, as int64 has it */
	EXPECT(&w, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	ks_pbw_reset(&w);
	ks_pbw_fixed64(&w, 47, 0x0102030405060708u); /* tag 47 << 3 | 1 = 377 = 0xf9 0x02 */
	EXPECT(&w, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
	ks_pbw_release(&w);
}

static void messages_nest_whatever_their_length(void **state)
{
	struct ks_pbw w;
	char text[300];

	(void)state;
	ks_pbw_init(&w, 4096);
	size_t outer = ks_pbw_open(&w, 3);

	ks_pbw_uint(&w, 1, 150);
	ks_pbw_close(&w, outer);
	EXPECT(&w, "\x1a\x03\x08\x96\x01");
	ks_pbw_reset(&w);

	memset(text, 'x', sizeof(text));
	outer = ks_pbw_open(&w, 1);
	const size_t inner = ks_pbw_open(&w, 2);

	ks_pbw_bytes(&w, 3, text, sizeof(text));
	ks_pbw_close(&w, inner);
	ks_pbw_close(&w, outer);
	/* 300 = ac 02: 1 + 2 + 300 = 303 inside (af 02), 1 + 2 + 303 = 306 outside (b2 02) */
	assert_int_equal(w.n, 309);
	assert_memory_equal(w.p, "\x0a\xb2\x02\x12\xaf\x02\x1a\xac\x02xxx", 12);
	assert_int_equal(w.p[308], 'x');
	ks_pbw_release(&w);
}

static void strings_are_made_utf8(void **state)
{
	struct ks_pbw w;

	(void)state;
	ks_pbw_init(&w, 4096);
	ks_pbw_text(&w, 1, STR("a\xff\x1b[0m"));
	EXPECT(&w, "\x0a\x0a"
		   "a\\xFF\\e[0m");
	ks_pbw_release(&w);
}

static void a_full_writer_stays_failed(void **state)
{
	struct ks_pbw w;
	static const char text[5000];

	(void)state;
	ks_pbw_init(&w, 4096);
	ks_pbw_uint(&w, 1, 1);
	const size_t at = ks_pbw_open(&w, 2);

	ks_pbw_bytes(&w, 3, text, sizeof(text));
	ks_pbw_close(&w, at);
	assert_true(ks_pbw_failed(&w));
	ks_pbw_reset(&w);
	ks_pbw_uint(&w, 1, 1);
	assert_true(ks_pbw_failed(&w));
	ks_pbw_release(&w);
}

/* --- blocks --------------------------------------------------------------------------------------
 */

struct taken {
	unsigned char *packed, *plain;
	size_t n_packed, n_plain, blocks;
};

#define BLOCKS 40
#define MOST   (BLOCKS * KS_ZPACK_BLOCK)

static void keep(void *arg, const void *deflated, size_t n)
{
	struct taken *t = arg;
	uLongf room = (uLongf)(MOST - t->n_plain);

	assert_int_equal(uncompress(t->plain + t->n_plain, &room, deflated, (uLong)n), Z_OK);
	t->n_plain += room;
	memcpy(t->packed + t->n_packed, deflated, n);
	t->n_packed += n;
	t->blocks++;
}

static void when_packed(struct taken *t, const unsigned char *data, size_t n, unsigned workers)
{
	struct ks_zpack *z = ks_zpack_open(keep, t, workers);

	t->n_packed = t->n_plain = t->blocks = 0;
	assert_non_null(z);
	for (size_t at = 0; at < n; at += KS_ZPACK_BLOCK) {
		const size_t rest = n - at;

		assert_int_equal(ks_zpack_add(z, data + at,
					      rest < KS_ZPACK_BLOCK ? rest : KS_ZPACK_BLOCK, NULL),
				 KS_OK);
	}
	assert_int_equal(ks_zpack_flush(z, NULL), KS_OK);
	ks_zpack_close(z);
}

static void blocks_come_back_in_order_and_alike_with_any_number_of_threads(void **state)
{
	struct taken alone = { malloc(MOST), malloc(MOST), 0, 0, 0 },
		     many = { malloc(MOST), malloc(MOST), 0, 0, 0 };
	const size_t n = MOST - 1000;
	unsigned char *data = malloc(n);
	uint64_t seed = 88172645463325252u;

	(void)state;
	assert_non_null(data);
	for (size_t i = 0; i < n; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		data[i] = (unsigned char)(i % 7 ? i / 1000 : seed);
	}
	when_packed(&alone, data, n, 0);
	when_packed(&many, data, n, 3);
	assert_int_equal(alone.blocks, BLOCKS);
	assert_int_equal(alone.n_plain, n);
	assert_memory_equal(alone.plain, data, n);
	assert_true(alone.n_packed < n / 2);
	assert_int_equal(many.n_packed, alone.n_packed);
	assert_memory_equal(many.packed, alone.packed, alone.n_packed);
	free(alone.packed);
	free(alone.plain);
	free(many.packed);
	free(many.plain);
	free(data);
}

static void nothing_is_handed_out_after_a_close(void **state)
{
	struct taken t = { malloc(MOST), malloc(MOST), 0, 0, 0 };
	struct ks_zpack *z = ks_zpack_open(keep, &t, 3);

	(void)state;
	assert_non_null(z);
	assert_int_equal(ks_zpack_add(z, "abc", 3, NULL), KS_OK);
	ks_zpack_close(z);
	assert_int_equal(t.blocks, 0);
	ks_zpack_close(NULL);
	free(t.packed);
	free(t.plain);
}

int test_pbw(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_look_as_the_documentation_says),
		cmocka_unit_test(messages_nest_whatever_their_length),
		cmocka_unit_test(strings_are_made_utf8),
		cmocka_unit_test(a_full_writer_stays_failed),
		cmocka_unit_test(blocks_come_back_in_order_and_alike_with_any_number_of_threads),
		cmocka_unit_test(nothing_is_handed_out_after_a_close),
	};

	return cmocka_run_group_tests_name("pbw", tests, NULL, NULL);
}
