/* SPDX-License-Identifier: Apache-2.0
 *
 * Cubins and fatbins made of known bytes: what is read of them, and that no cut and no wrong byte
 * becomes a crash or a number.
 */
#include "cubin_made.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/str.h"
#include "source/cubin_internal.h"

static struct ks_arena arena;
static struct ks_code code;

static void begin(void)
{
	ks_arena_init(&arena, 64 << 20);
	ks_code_init(&code, &arena);
}

static void end(void)
{
	ks_code_release(&code);
	ks_arena_release(&arena);
}

/* The bytes at the end of their own allocation, so that a read past them is seen. */
static enum ks_status when_read(const void *p, size_t n)
{
	struct ks_err err;

	ks_err_init(&err);
	given_bytes(in_scratch("code"), p, n);
	const enum ks_status status = ks_cubin_read(test_ctx(), in_scratch("code"), &code, &err);

	assert_int_equal(status == KS_OK, err.text == KS_TEXT_NONE);
	return status;
}

/* One cubin in memory alone. */
static enum ks_code_fate when_parsed(const unsigned char *p, size_t n)
{
	struct ks_code_reader r = { .ctx = test_ctx(), .code = &code };
	struct ks_code_member m = { .arch = KS_UNKNOWN };
	unsigned char *own = malloc(n > 0 ? n : 1);

	assert_non_null(own);
	memcpy(own, p, n);
	const enum ks_code_fate fate = ks_cubin_elf(&r, (struct ks_bytes){ own, n }, &m);

	free(own);
	assert_false(r.no_memory);
	return fate;
}

static const struct ks_code_function *function(const char *name)
{
	for (size_t i = 0; i < code.n_functions; i++)
		if (ks_str_eqc(code.function[i].name, name))
			return &code.function[i];
	fail_msg("there is no function %s", name);
	return NULL;
}

static void a_kernel_of_an_old_file_has_its_resources(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, true);
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_int_equal(code.n_functions, 2);
	const struct ks_code_function *k = function("k");

	assert_true(k->is_kernel);
	assert_int_equal(k->arch, 86);
	assert_int_equal(k->registers, 40); /* the attribute, not the 38 beside the section */
	assert_int_equal(k->stack, 24);
	assert_int_equal(k->shared, 2048);
	assert_int_equal(k->reserved, 0);
	assert_int_equal(k->local, 96);
	assert_int_equal(k->constant, 64);
	assert_int_equal(k->barriers, 3);
	assert_int_equal(k->code_bytes, 256);
	assert_true(code.file[0].is_cubin);
	end();
}

static void a_device_function_has_what_stands_beside_its_section(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, true);
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_false(function("d")->is_kernel);
	assert_int_equal(function("d")->registers, 24);
	assert_int_equal(function("d")->constant, KS_UNKNOWN);
	end();
}

/* From version 8 on nothing stands there: left to the linker is unknown, and not 0. */
static void a_new_file_says_less_beside_its_sections(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_int_equal(function("k")->arch, 90);
	assert_int_equal(function("k")->registers, 40);
	assert_int_equal(function("k")->barriers, 7);
	assert_int_equal(function("k")->reserved, 1024);
	assert_int_equal(function("d")->registers, KS_UNKNOWN);
	end();
}

static void another_version_of_the_header_has_no_known_architecture(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	m.p[8] = 9;
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_int_equal(function("k")->arch, KS_UNKNOWN);
	assert_int_equal(function("k")->barriers, 7); /* the attribute says it */
	assert_int_equal(function("k")->registers, 40);
	end();
}

static void a_file_that_is_cut_anywhere_gives_nothing(void **state)
{
	struct made m;

	(void)state;
	for (int old = 0; old < 2; old++) {
		begin();
		made_cubin(&m, old != 0);
		for (size_t n = 0; n < m.n; n++) {
			assert_int_equal(when_parsed(m.p, n), KS_CODE_DAMAGED);
			assert_int_equal(code.n_functions, 0);
		}
		assert_int_equal(when_parsed(m.p, m.n), KS_CODE_READ);
		end();
	}
}

/* Whatever a byte becomes: no crash, no hang; what is read is read whole. */
static void any_byte_may_be_wrong(void **state)
{
	static const unsigned char wrong[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	for (size_t i = 0; i < m.n; i++) {
		const unsigned char right = m.p[i];

		for (size_t w = 0; w < KS_ARRAY_LEN(wrong); w++) {
			m.p[i] = wrong[w];
			if (when_parsed(m.p, m.n) == KS_CODE_DAMAGED)
				assert_int_equal(code.n_functions, 0);
			code.n_functions = 0;
		}
		m.p[i] = right;
	}
	end();
}

static void an_attribute_that_is_shorter_than_it_says_is_no_number(void **state)
{
	struct made m;
	size_t at = 0;

	(void)state;
	begin();
	made_cubin(&m, false);
	while (m.p[at] != 4 || m.p[at + 1] != 0x2f)
		at++;
	m.p[at + 2] = 200; /* beyond the section */
	assert_int_equal(when_read(m.p, m.n), KS_E_INPUT);
	m.p[at + 2] = 4; /* within it: what follows is no list of attributes */
	assert_int_equal(when_read(m.p, m.n), KS_E_INPUT);
	assert_int_equal(code.n_functions, 0);
	assert_int_equal(code.n_files, 0);
	end();
}

/* Found by the fuzzer: a section without a type is no section, wherever it says it lies. */
static void names_are_not_looked_for_in_a_section_without_a_type(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	const size_t names = m.sections + 64 * m.p[62];

	made_le(&m, names + 4, 0, 4);
	made_le(&m, names + 24, UINT64_C(1) << 60, 8);
	assert_int_equal(when_parsed(m.p, m.n), KS_CODE_DAMAGED);
	end();
}

static void sections_may_be_counted_in_the_first_of_them(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	made_le(&m, m.sections + 32, m.p[60], 8);
	made_le(&m, m.sections + 40, m.p[62], 4);
	made_le(&m, 60, 0, 2);
	made_le(&m, 62, 0xffff, 2);
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_int_equal(function("k")->registers, 40);
	end();
}

static void containers_lie_one_behind_another(void **state)
{
	static const char ptx[] = ".version 8.0";
	struct made old, fresh, fat = { .n = 0 };

	(void)state;
	begin();
	made_cubin(&old, true);
	made_cubin(&fresh, false);
	const struct made_member first[] = { { 2, 86, 0x11, old.p, old.n, 0 },
					     { 1, 52, 0x11, ptx, sizeof(ptx), 0 } };
	const struct made_member second[] = { { 2, 90, 0x11, fresh.p, fresh.n, 0 } };

	made_container(&fat, first, 2);
	fat.n = (fat.n + 15) / 8 * 8;
	made_container(&fat, second, 1);
	fat.n += 8;
	assert_int_equal(when_read(fat.p, fat.n), KS_OK);
	assert_int_equal(code.n_functions, 4);
	assert_int_equal(code.n_members, 3);
	assert_int_equal(code.member[1].kind, KS_CODE_PTX);
	assert_int_equal(code.member[1].arch, 52);
	assert_int_equal(code.member[2].kernels, 1);
	assert_false(code.file[0].torn);
	end();
}

static void what_stands_before_a_tear_stays(void **state)
{
	struct made old, fat = { .n = 0 };

	(void)state;
	made_cubin(&old, true);
	const struct made_member one[] = { { 2, 86, 0x11, old.p, old.n, 0 } };

	made_container(&fat, one, 1);
	const size_t whole = fat.n;

	made_container(&fat, one, 1);
	for (size_t n = whole + 1; n < fat.n; n += 97) {
		begin();
		assert_int_equal(when_read(fat.p, n), KS_OK);
		assert_true(code.file[0].torn);
		assert_int_equal(code.n_members, 1);
		end();
	}
	for (size_t n = 0; n < whole; n += 61) {
		begin();
		assert_int_equal(when_read(fat.p, n), KS_E_INPUT);
		assert_int_equal(code.n_files, 0);
		end();
	}
}

static void a_damaged_member_is_listed_and_the_next_is_read(void **state)
{
	struct made old, bad, fat = { .n = 0 };

	(void)state;
	begin();
	made_cubin(&old, true);
	made_cubin(&bad, true);
	made_le(&bad, 40, 1u << 30, 8);
	const struct made_member both[] = { { 2, 80, 0x11, bad.p, bad.n, 0 },
					    { 2, 86, 0x11, old.p, old.n, 0 } };

	made_container(&fat, both, 2);
	assert_int_equal(when_read(fat.p, fat.n), KS_OK);
	assert_int_equal(code.member[0].fate, KS_CODE_DAMAGED);
	assert_int_equal(code.member[0].arch, 80);
	assert_int_equal(code.member[0].stored, bad.n);
	assert_int_equal(code.member[1].fate, KS_CODE_READ);
	assert_int_equal(code.n_functions, 2);
	end();
}

static void a_packing_that_is_not_known_is_listed(void **state)
{
	struct made old, fat = { .n = 0 };

	(void)state;
	begin();
	made_cubin(&old, true);
	const struct made_member one[] = { { 2, 86, 0xa011, old.p, old.n, old.n } };

	made_container(&fat, one, 1);
	assert_int_equal(when_read(fat.p, fat.n), KS_OK);
	assert_int_equal(code.member[0].fate, KS_CODE_NO_UNPACKER);
	assert_int_equal(code.member[0].arch, 86);
	assert_int_equal(code.n_functions, 0);
	end();
}

/* An LZ4 block of literals alone: a token 0xf0, the length less 15 in bytes of 255, the bytes. */
static size_t literals(unsigned char *out, const unsigned char *p, size_t n)
{
	size_t at = 0, left = n - 15;

	out[at++] = 0xf0;
	for (; left >= 255; left -= 255)
		out[at++] = 255;
	out[at++] = (unsigned char)left;
	memcpy(out + at, p, n);
	return at + n;
}

static void a_packed_member_is_unpacked_where_the_library_is(void **state)
{
	struct made old, fat = { .n = 0 };
	unsigned char packed[sizeof(old.p) + 128];
	void *library = dlopen("liblz4.so.1", RTLD_LAZY);

	(void)state;
	begin();
	made_cubin(&old, true);
	const struct made_member one[] = { { 2, 86, 0x2011, packed, literals(packed, old.p, old.n),
					     old.n } };

	made_container(&fat, one, 1);
	assert_int_equal(when_read(fat.p, fat.n), KS_OK);
	assert_int_equal(code.member[0].packing, KS_CODE_LZ4);
	assert_int_equal(code.member[0].fate, library != NULL ? KS_CODE_READ : KS_CODE_NO_UNPACKER);
	assert_int_equal(code.n_functions, library != NULL ? 2 : 0);
	if (library != NULL)
		(void)dlclose(library);
	end();
}

/* Sizes that lie: less or more than there is, and more than anyone would unpack. */
static void a_packed_member_with_a_false_size_is_damaged(void **state)
{
	struct made old;
	unsigned char packed[sizeof(old.p) + 128];

	(void)state;
	made_cubin(&old, true);
	const size_t n = literals(packed, old.p, old.n);
	const uint64_t plain[] = { old.n - 1, old.n + 1, 1, UINT64_C(1) << 40 };

	for (size_t i = 0; i < KS_ARRAY_LEN(plain); i++) {
		const struct made_member one[] = { { 2, 86, 0x2011, packed, n, plain[i] } };
		struct made fat = { .n = 0 };

		begin();
		made_container(&fat, one, 1);
		assert_int_equal(when_read(fat.p, fat.n), KS_OK);
		assert_int_not_equal(code.member[0].fate, KS_CODE_READ);
		assert_int_equal(code.n_functions, 0);
		end();
	}
}

/* A file of 16 KB that says 100 times that half a gigabyte lies in a few bytes: one such part may
 * be large, and the rest is not unpacked. */
static void parts_that_unpack_to_far_more_than_the_file_are_not_unpacked(void **state)
{
	static const unsigned char few[16] = { 0 };
	struct made_member bomb[100];
	struct made fat = { .n = 0 };
	size_t refused = 0;

	(void)state;
	begin();
	for (size_t i = 0; i < KS_ARRAY_LEN(bomb); i++)
		bomb[i] = (struct made_member){ 2, 80, 0x2011, few, sizeof(few), 536870912 };
	made_container(&fat, bomb, KS_ARRAY_LEN(bomb));
	assert_int_equal(when_read(fat.p, fat.n), KS_OK);
	for (size_t i = 0; i < KS_ARRAY_LEN(bomb); i++)
		refused += code.member[i].fate == KS_CODE_TOO_LARGE;
	assert_int_equal(refused, 99);
	end();
}

/* Found in review: they were read once for each header. */
static void sections_of_a_host_that_lie_over_each_other_are_read_once(void **state)
{
	static struct made m, fat;
	struct made old;

	(void)state;
	begin();
	made_cubin(&old, true);
	const struct made_member one[] = { { 2, 86, 0x11, old.p, old.n, 0 } };

	fat = (struct made){ .n = 0 };
	made_container(&fat, one, 1);
	m = (struct made){ .n = 64 };
	const size_t at = made_put(&m, fat.p, fat.n);
	const size_t names = made_put(&m, "\0.nv_fatbin", 12), headers = m.n;

	memcpy(m.p,
	       "\x7f"
	       "ELF\2\1\1",
	       7);
	made_le(&m, 18, 62, 2);
	made_le(&m, 40, headers, 8);
	made_le(&m, 58, 64, 2);
	made_le(&m, 60, 4, 2);
	made_le(&m, 62, 3, 2);
	m.n += (size_t)4 * 64;
	for (size_t i = 1; i < 4; i++) {
		made_le(&m, headers + 64 * i, i < 3 ? 1 : 0, 4);
		made_le(&m, headers + 64 * i + 4, i < 3 ? 1 : 3, 4);
		made_le(&m, headers + 64 * i + 24, i < 3 ? at : names, 8);
		made_le(&m, headers + 64 * i + 32, i < 3 ? fat.n : 12, 8);
	}
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	assert_int_equal(code.n_members, 1);
	assert_true(code.file[0].torn);
	end();
}

/* Found in review: a list of attributes that many headers claim was read for each of them. */
static void lists_that_lie_over_each_other_are_damage(void **state)
{
	static unsigned char list[8000];

	(void)state;
	begin();
	for (size_t i = 0; i < sizeof(list); i += 4)
		list[i] = list[i + 1] = 1; /* an attribute without a value */
	for (size_t n = 1; n <= 2; n++) {  /* of .nv.info, and of .nv.info.k */
		struct made m;

		made_cubin(&m, false);
		const size_t at = made_put(&m, list, sizeof(list));

		for (size_t i = 3; i < 3 + n; i++) {
			made_le(&m, m.sections + 64 * i + 24, at, 8);
			made_le(&m, m.sections + 64 * i + 32, sizeof(list), 8);
		}
		assert_int_equal(when_parsed(m.p, m.n), n == 1 ? KS_CODE_READ : KS_CODE_DAMAGED);
	}
	end();
}

/* Found in review: such symbols were passed over, and the kernel became a device function. */
static void a_symbol_whose_name_does_not_end_is_damage(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	made_le(&m, m.sections + 64 + 32, 2, 8); /* .strtab ends within "k" */
	assert_int_equal(when_parsed(m.p, m.n), KS_CODE_DAMAGED);
	end();
}

/* Found in review: the last of two registers counts was the number. */
static void a_file_that_says_two_things_of_a_kernel_is_damage(void **state)
{
	struct made m;
	size_t at = 0;

	(void)state;
	begin();
	made_cubin(&m, false);
	while (m.p[at] != 4 || m.p[at + 1] != 0x12)
		at++;
	m.p[at + 1] = 0x2f; /* the stack becomes a second number of registers: 16 */
	assert_int_equal(when_parsed(m.p, m.n), KS_CODE_DAMAGED);
	m.p[at + 8] = 40; /* the same again is no contradiction */
	assert_int_equal(when_parsed(m.p, m.n), KS_CODE_READ);
	assert_int_equal(function("k")->registers, 40);
	end();
}

/* Found in review: it was waited for without an end. */
static void a_disassembler_that_hangs_is_stopped(void **state)
{
	static const char script[] = "#!/bin/sh\necho 'Function : k'\nexec sleep 600\n";
	struct ks_err err;
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, false);
	assert_int_equal(when_read(m.p, m.n), KS_OK);
	given_bytes(in_scratch("cuobjdump"), script, sizeof(script) - 1);
	assert_int_equal(chmod(in_scratch("cuobjdump"), 0700), 0);
	test_setenv("PATH", in_scratch("."));
	ks_err_init(&err);
	assert_int_equal(ks_sass_read(test_ctx(), &code, 100, &err), KS_OK);
	test_setenv("PATH", NULL);
	assert_int_equal(unlink(in_scratch("cuobjdump")), 0);
	assert_int_equal(code.file[0].dump, KS_CODE_DUMP_FAILED);
	assert_int_equal(code.file[0].tool_exit, 124);
	assert_null(function("k")->mix);
	end();
}

static void without_the_library_nothing_is_unpacked(void **state)
{
	struct ks_unpacker u = { .name = { "libks-no-such.so.1", "libks-no-such.so.2" } };
	const unsigned char bytes[16] = { 0 };
	unsigned char plain[16];

	(void)state;
	assert_int_equal(ks_unpack(&u, KS_CODE_LZ4, (struct ks_bytes){ bytes, 16 }, plain, 16),
			 KS_CODE_NO_UNPACKER);
	assert_int_equal(ks_unpack(&u, KS_CODE_ZSTD, (struct ks_bytes){ bytes, 16 }, plain, 16),
			 KS_CODE_NO_UNPACKER);
	ks_unpacker_release(&u);
}

static void what_is_no_device_code_says_so(void **state)
{
	struct made m;

	(void)state;
	begin();
	made_cubin(&m, true);
	made_le(&m, 18, 62, 2); /* a host's machine: then a section of fatbins is looked for */
	assert_int_equal(when_read(m.p, m.n), KS_E_INPUT);
	assert_int_equal(when_read("", 0), KS_E_INPUT);
	assert_int_equal(when_read("text", 4), KS_E_INPUT);
	assert_int_equal(ks_cubin_read(test_ctx(), in_scratch("nothing"), &code, NULL), KS_E_INPUT);
	assert_int_equal(ks_cubin_read(test_ctx(), in_scratch("."), &code, NULL), KS_E_INPUT);
	assert_int_equal(code.n_files, 0);
	end();
}

int test_cubin(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_of_an_old_file_has_its_resources),
		cmocka_unit_test(a_device_function_has_what_stands_beside_its_section),
		cmocka_unit_test(a_new_file_says_less_beside_its_sections),
		cmocka_unit_test(another_version_of_the_header_has_no_known_architecture),
		cmocka_unit_test(a_file_that_is_cut_anywhere_gives_nothing),
		cmocka_unit_test(any_byte_may_be_wrong),
		cmocka_unit_test(an_attribute_that_is_shorter_than_it_says_is_no_number),
		cmocka_unit_test(names_are_not_looked_for_in_a_section_without_a_type),
		cmocka_unit_test(sections_may_be_counted_in_the_first_of_them),
		cmocka_unit_test(containers_lie_one_behind_another),
		cmocka_unit_test(what_stands_before_a_tear_stays),
		cmocka_unit_test(a_damaged_member_is_listed_and_the_next_is_read),
		cmocka_unit_test(a_packing_that_is_not_known_is_listed),
		cmocka_unit_test(a_packed_member_is_unpacked_where_the_library_is),
		cmocka_unit_test(a_packed_member_with_a_false_size_is_damaged),
		cmocka_unit_test(parts_that_unpack_to_far_more_than_the_file_are_not_unpacked),
		cmocka_unit_test(sections_of_a_host_that_lie_over_each_other_are_read_once),
		cmocka_unit_test(lists_that_lie_over_each_other_are_damage),
		cmocka_unit_test(a_symbol_whose_name_does_not_end_is_damage),
		cmocka_unit_test(a_file_that_says_two_things_of_a_kernel_is_damage),
		cmocka_unit_test(a_disassembler_that_hangs_is_stopped),
		cmocka_unit_test(without_the_library_nothing_is_unpacked),
		cmocka_unit_test(what_is_no_device_code_says_so),
	};

	return cmocka_run_group_tests_name("cubin", tests, NULL, NULL);
}
