/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged files: whatever a byte is turned into, the reader ends in time, with the rows or with one
 * line; a damaged page is never "no rows".
 */
#include "all.h"

#include "base/str.h"

/* Numerical Recipes' 32-bit generator: the seed printed below gives the same flips again. */
static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void expect_an_orderly_end(const char *path)
{
	struct record r;

	record_start(&r);

	const enum ks_status st = record_nsys(&r, path);

	if (st != KS_OK) {
		assert_int_equal(st, KS_E_INPUT);
		assert_non_null(strstr(record_error(&r), path));
		assert_null(strchr(record_error(&r), '\n'));
	}
	record_end(&r);
}

static void flip_bytes_of(const char *name, int rounds)
{
	const char *shared = shared_folder();
	const char *broken = in_scratch("broken.sqlite");
	const uint32_t first_seed = 20261130;
	uint32_t seed = first_seed;
	unsigned char *bytes;
	char path[512];

	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/%s", shared, name);

	const size_t n = read_bytes(path, &bytes);

	print_message("  %s, %d rounds, seed %u\n", name, rounds, first_seed);
	for (int round = 0; round < rounds; round++) {
		size_t at[8];
		unsigned char was[8];
		const size_t flips = 1 + next(&seed) % 8;

		for (size_t i = 0; i < flips; i++) {
			/* every other round aims at page headers, where a byte matters most */
			at[i] = round % 2 ? next(&seed) % n
					  : next(&seed) % (n / 4096) * 4096 + next(&seed) % 16;
			was[i] = bytes[at[i]];
			bytes[at[i]] = (unsigned char)next(&seed);
		}
		given_bytes(broken, bytes, n);
		expect_an_orderly_end(broken);
		for (size_t i = flips; i-- > 0;) /* put back, last flip first */
			bytes[at[i]] = was[i];
	}
	free(bytes);
}

static void flipped_bytes_never_crash_or_hang(void **state)
{
	(void)state;
	flip_bytes_of("kmeans_2021_12tables.sqlite", 300);
	flip_bytes_of("rtx3060_2025.sqlite", 100);
	/* ranges and enumerations */
	flip_bytes_of("memfusion_rtx3090_nvtx.sqlite", 60);
}

static void a_damaged_kernel_page_is_never_no_rows(void **state)
{
	const char *path = in_scratch("page.sqlite");
	unsigned char *bytes;
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(
		path,
		"pragma page_size=4096; create table StringIds(id integer primary key, value text);"
		"create table CUPTI_ACTIVITY_KIND_KERNEL(start int, end int, deviceId int, "
		"demangledName int);"
		"with recursive c(i) as (select 0 union all select i + 1 from c where i < 4999)"
		" insert into CUPTI_ACTIVITY_KIND_KERNEL select i * 10, i * 10 + 5, 0, 1 from c;");

	const size_t n = read_bytes(path, &bytes);

	for (size_t page = 3; page < n / 4096; page++) { /* 1 is the schema, 2 the strings */
		unsigned char was[8];

		memcpy(was, bytes + page * 4096, 8);
		memset(bytes + page * 4096, 0xff, 8);
		given_bytes(path, bytes, n);
		memcpy(bytes + page * 4096, was, 8);
		record_start(&r);
		if (record_nsys(&r, path) != KS_E_INPUT)
			fail_msg("page %zu broken, %zu rows given", page, r.n_launches);
		assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_DAMAGED_ROW);
		assert_non_null(strstr(record_error(&r), "CUPTI_ACTIVITY_KIND_KERNEL"));
		assert_true(r.err.offset >= 0);
		record_end(&r);
	}
	free(bytes);
}

/* Interior pages that all point at one child: a small file with more rows than the world has
 * seconds. */
static void a_tree_folded_onto_itself_ends(void **state)
{
	enum { PAGE = 1024, LEVELS = 12, FIRST = 3, CELLS = 40 };
	const char *path = in_scratch("folded.sqlite");
	unsigned char *bytes;
	struct record r;

	(void)state;
	(void)unlink(path);
	given_db(
		path,
		"pragma page_size=1024; create table StringIds(id integer primary key, value text);"
		"create table CUPTI_ACTIVITY_KIND_KERNEL(start int, end int);"
		"create table filler(x); insert into filler values(zeroblob(1024 * 20));"
		"insert into CUPTI_ACTIVITY_KIND_KERNEL values(1,2);");

	const size_t n = read_bytes(path, &bytes);

	assert_true(n >= PAGE * (FIRST + LEVELS + 4));
	/* page FIRST is the table's root; give it and LEVELS - 1 filler pages CELLS children each,
	 * all the same */
	for (size_t level = 0; level < LEVELS; level++) {
		const size_t page = level == 0 ? FIRST : FIRST + 2 + level;
		const size_t child = FIRST + 2 + level + 1;
		unsigned char *p = bytes + (page - 1) * PAGE;
		const bool leaf = level + 1 == LEVELS;

		memset(p, 0, PAGE);
		p[0] = leaf ? 0x0d : 0x05;
		p[3] = 0;
		p[4] = CELLS;
		p[5] = (unsigned char)((PAGE - CELLS * 6) >> 8);
		p[6] = (unsigned char)(PAGE - CELLS * 6);
		if (!leaf)
			p[11] = (unsigned char)child;
		for (size_t c = 0; c < CELLS; c++) {
			const size_t at = PAGE - (c + 1) * 6;
			unsigned char *slot = p + (leaf ? 8 : 12) + c * 2;

			slot[0] = (unsigned char)(at >> 8);
			slot[1] = (unsigned char)at;
			if (leaf) { /* length, row id, and a record of the constants 0 and 1 */
				p[at] = 3;
				p[at + 1] = (unsigned char)(c + 1);
				p[at + 2] = 3;
				p[at + 3] = 8;
				p[at + 4] = 9;
			} else {
				p[at + 3] = (unsigned char)child;
				p[at + 4] = (unsigned char)(c + 1);
			}
		}
	}
	given_bytes(path, bytes, n);
	free(bytes);
	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	print_message("  %s\n", record_error(&r));
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_TOO_MANY_ROWS);
	record_end(&r);
}

int test_damage(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flipped_bytes_never_crash_or_hang),
		cmocka_unit_test(a_damaged_kernel_page_is_never_no_rows),
		cmocka_unit_test(a_tree_folded_onto_itself_ends),
	};

	return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
