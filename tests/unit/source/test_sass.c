/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions in what disassemblers print: every worked case of contract/vectors/sassmix.json, and
 * small dumps whose counts are plain to see.
 */
#include "all.h"

#include "base/mem.h"
#include "base/str.h"
#include "source/sass.h"

static struct ks_arena arena;
static struct ks_code code;

static void given_functions(const char *const *name, const int64_t *arch, size_t n)
{
	ks_arena_init(&arena, 1 << 20);
	ks_code_init(&code, &arena);
	code.function = ks_mem_alloc(n * sizeof(*code.function));
	assert_non_null(code.function);
	for (size_t i = 0; i < n; i++)
		code.function[code.n_functions++] =
			(struct ks_code_function){ .name = ks_str_c(name[i]), .arch = arch[i] };
}

static void put_away(void)
{
	ks_code_release(&code);
	ks_arena_release(&arena);
}

/* In pieces of `step` bytes; returns how many functions got a mix. */
static size_t when_read(const char *text, size_t step)
{
	struct ks_sass *s = ks_sass_open(&code, 0);
	const size_t n = strlen(text);
	size_t functions = 0;

	assert_non_null(s);
	for (size_t i = 0; i < n; i += step)
		ks_sass_take(s, text + i, n - i < step ? n - i : step);
	assert_true(ks_sass_done(s, &functions));
	ks_sass_close(s);
	return functions;
}

static json_t *vectors(void)
{
	const char *shared = shared_folder();
	char path[4096];

	if (shared == NULL)
		return NULL;
	(void)snprintf(path, sizeof(path), "%s/contract/vectors/sassmix.json", shared);
	return load_json(path);
}

static void every_mnemonic_of_the_cases_is_of_its_class(void **state)
{
	json_t *root = vectors(), *one;
	size_t i;

	(void)state;
	if (root == NULL)
		skip();
	assert_true(json_array_size(json_object_get(root, "cases")) > 50);
	json_array_foreach(json_object_get(root, "cases"), i, one)
	{
		const char *op = json_string_value(json_object_get(one, "op"));

		assert_string_equal(ks_sass_class_slug(ks_sass_class_of(ks_str_c(op))),
				    json_string_value(json_object_get(one, "expect")));
	}
	json_decref(root);
}

static void every_line_of_the_examples_gives_its_mnemonic(void **state)
{
	json_t *root = vectors(), *one;
	size_t i;

	(void)state;
	if (root == NULL)
		skip();
	assert_true(json_array_size(json_object_get(root, "line_regex_examples")) > 0);
	json_array_foreach(json_object_get(root, "line_regex_examples"), i, one)
	{
		const char *line = json_string_value(json_object_get(one, "line"));
		const json_t *op = json_object_get(one, "op");
		const ks_str got = ks_sass_mnemonic(ks_str_c(line));

		if (!ks_str_eqc(got, json_is_null(op) ? "" : json_string_value(op)))
			fail_msg("%s gives %.*s", line, (int)got.n, got.p);
	}
	json_decref(root);
}

/* Whole mnemonics: digits and an I behind them belong to it, and nothing else does. */
static void a_mnemonic_that_only_begins_alike_is_another(void **state)
{
	static const struct {
		const char *op;
		enum ks_sass_class class;
	} c[] = {
		{ "IADD32I", KS_SASS_ALU },    { "FADD32I", KS_SASS_FP },
		{ "LOP3", KS_SASS_ALU },       { "LOPX", KS_SASS_OTHER },
		{ "IADDI", KS_SASS_OTHER },    { "IADD3X", KS_SASS_OTHER },
		{ "IADD3II", KS_SASS_OTHER },  { "SHFL", KS_SASS_COMMUNICATION },
		{ "UTCOMMA", KS_SASS_TENSOR }, { "UTCMMA", KS_SASS_TENSOR },
		{ "UTCBAR", KS_SASS_SYNC },    { "UTCX", KS_SASS_OTHER },
		{ "LDGDEPBAR", KS_SASS_SYNC }, { "LDGX", KS_SASS_OTHER },
		{ "", KS_SASS_OTHER },	       { "I", KS_SASS_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++)
		if (ks_sass_class_of(ks_str_c(c[i].op)) != c[i].class)
			fail_msg("%s is %s", c[i].op,
				 ks_sass_class_slug(ks_sass_class_of(ks_str_c(c[i].op))));
}

static void lines_that_are_no_instruction_give_nothing(void **state)
{
	static const char *const lines[] = {
		"",
		"/*",
		"/*0010*/",
		"/*001*/ MOV R1, R2 ;",
		"/*0010* MOV",
		"/*00G0*/ MOV R1, R2 ;",
		"        /*0000*/ \t.byte\t0xff, 0xff",
		"/* 0x00000a00ff017624 */",
		".L_x_0:",
		"\t\tFunction : MOV",
		"/*0010*/ @P0",
		"/*0010*/ mov R1, R2 ;",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(lines); i++)
		if (ks_sass_mnemonic(ks_str_c(lines[i])).n != 0)
			fail_msg("\"%s\" gives a mnemonic", lines[i]);
	assert_true(
		ks_str_eqc(ks_sass_mnemonic(KS_LIT("/*0008*/ {  FFMA R1, R2, R3, R4 ;")), "FFMA"));
	assert_true(ks_str_eqc(ks_sass_mnemonic(KS_LIT("/*0008*/@!UP1 BRA 0x8d0;")), "BRA"));
}

static const char dump[] =
	"\n\tcode for sm_80\n\t\tFunction : f\n\t.headerflags\t@\"EF_CUDA_SM80\"\n"
	"        /*0000*/  MOV R1, c[0x0][0x28] ;  /* 0x00000a0000017a02 */\n"
	"                                          /* 0x000fe40000000f00 */\n"
	"        /*0010*/  @P0 LDG.E R4, [R2.64] ;  /* 0x1 */\n"
	"        /*0020*/  HMMA.16816.F32 R4, R8, R6, R4 ;  /* 0x1 */\n"
	"        /*0030*/  MOV R2, R3 ;\n\t\t..........\n"
	"\t\tFunction : stranger\n        /*0000*/  EXIT ;\n"
	"\tcode for sm_90a\n\t\tFunction : f\n        /*0000*/  EXIT ;\n";

static void the_instructions_of_each_function_are_counted(void **state)
{
	static const char *const name[] = { "f", "f", "g" };
	static const int64_t arch[] = { 90, 80, 80 };

	(void)state;
	for (size_t step = 1; step < 80; step += 13) {
		given_functions(name, arch, 3);
		assert_int_equal(when_read(dump, step), 2);
		const struct ks_code_mix *m = code.function[1].mix;

		assert_non_null(m);
		assert_int_equal(m->instructions, 4);
		assert_int_equal(m->count[KS_SASS_ALU], 2);
		assert_int_equal(m->count[KS_SASS_MEMORY], 1);
		assert_int_equal(m->count[KS_SASS_TENSOR], 1);
		assert_int_equal(m->n_top, 3);
		assert_true(ks_str_eqc(m->top[0].name, "MOV"));
		assert_int_equal(m->top[0].count, 2);
		assert_true(ks_str_eqc(m->top[1].name, "HMMA"));
		assert_int_equal(code.function[0].mix->instructions, 1);
		assert_null(code.function[2].mix);
		put_away();
	}
}

/* The same function stands in two parts of one file: in their order. */
static void a_name_that_comes_twice_is_told_apart_by_order(void **state)
{
	static const char *const name[] = { "f", "f" };
	static const int64_t arch[] = { 80, 80 };

	(void)state;
	given_functions(name, arch, 2);
	assert_int_equal(
		when_read("\tcode for sm_80\n\t\tFunction : f\n/*0000*/ NOP ;\n/*0010*/ EXIT ;\n"
			  "\tcode for sm_80\n\t\tFunction : f\n/*0000*/ EXIT ;\n",
			  7),
		2);
	assert_int_equal(code.function[0].mix->instructions, 2);
	assert_int_equal(code.function[1].mix->instructions, 1);
	put_away();
}

/* One part that was not read, or not listed: then the order says nothing. */
static void a_name_that_is_listed_more_or_less_often_is_not_counted(void **state)
{
	static const char *const name[] = { "f", "f", "g" };
	static const int64_t arch[] = { 80, 80, 80 };
	static const char once[] = "\tcode for sm_80\n\t\tFunction : g\n/*0000*/ NOP ;\n"
				   "\t\tFunction : f\n/*0000*/ NOP ;\n";
	static const char thrice[] = "\tcode for sm_80\n\t\tFunction : g\n/*0000*/ NOP ;\n"
				     "\t\tFunction : f\n/*0000*/ NOP ;\n"
				     "\t\tFunction : f\n/*0000*/ EXIT ;\n"
				     "\t\tFunction : f\n/*0000*/ BRA ;\n";

	(void)state;
	for (int i = 0; i < 2; i++) {
		given_functions(name, arch, 3);
		assert_int_equal(when_read(i == 0 ? once : thrice, 9), 1);
		assert_null(code.function[0].mix);
		assert_null(code.function[1].mix);
		assert_int_equal(code.function[2].mix->instructions, 1);
		put_away();
	}
}

/* No code has thousands of different mnemonics: a text that only looks like instructions. */
static void a_function_of_nonsense_is_not_counted(void **state)
{
	static const char *const name[] = { "f", "g" };
	static const int64_t arch[] = { 80, 80 };
	static char text[9000 * 24];
	size_t n = 0;

	(void)state;
	n += (size_t)snprintf(text, sizeof(text), "\tcode for sm_80\n\t\tFunction : f\n");
	for (int i = 0; i < 8000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "/*0000*/ OP%d ;\n", i);
	(void)snprintf(text + n, sizeof(text) - n, "\t\tFunction : g\n/*0000*/ NOP ;\n");
	given_functions(name, arch, 2);
	assert_int_equal(when_read(text, 4096), 1);
	assert_null(code.function[0].mix);
	assert_int_equal(code.function[1].mix->instructions, 1);
	put_away();
}

static void nvdisasm_is_understood_as_well(void **state)
{
	static const char *const name[] = { "_Z1kv" };
	static const int64_t arch[] = { 75 };

	(void)state;
	given_functions(name, arch, 1);
	assert_int_equal(when_read("\t.target\tsm_75\n\t.section\t.debug_frame,\"\",@progbits\n"
				   "        /*0000*/ \t.byte\t0xff\n"
				   "\t.section\t.text._Z1kv,\"ax\",@progbits\n\t.align\t128\n"
				   ".text._Z1kv:\n        /*0000*/   IADD3 R1, R2, R3, RZ ;\n"
				   ".L_x_0:\n        /*0010*/   BRA `(.L_x_0);\n"
				   "\t.section\t.nv.constant0\n        /*0000*/ STRAY ;\n",
				   5),
			 1);
	assert_int_equal(code.function[0].mix->instructions, 2);
	assert_int_equal(code.function[0].mix->count[KS_SASS_CONTROL], 1);
	put_away();
}

static void only_twelve_mnemonics_are_named(void **state)
{
	static const char *const name[] = { "f" };
	static const int64_t arch[] = { 80 };
	char text[4096] = "code for sm_80\nFunction : f\n";
	size_t n = strlen(text);

	(void)state;
	for (int i = 0; i < 20; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "/*%04x*/ OP%c ;\n", i * 16,
				      'A' + i);
	given_functions(name, arch, 1);
	assert_int_equal(when_read(text, 100), 1);
	assert_int_equal(code.function[0].mix->instructions, 20);
	assert_int_equal(code.function[0].mix->n_top, KS_CODE_TOP);
	assert_true(ks_str_eqc(code.function[0].mix->top[0].name, "OPA"));
	put_away();
}

int test_sass(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mnemonic_of_the_cases_is_of_its_class),
		cmocka_unit_test(every_line_of_the_examples_gives_its_mnemonic),
		cmocka_unit_test(a_mnemonic_that_only_begins_alike_is_another),
		cmocka_unit_test(lines_that_are_no_instruction_give_nothing),
		cmocka_unit_test(the_instructions_of_each_function_are_counted),
		cmocka_unit_test(a_name_that_comes_twice_is_told_apart_by_order),
		cmocka_unit_test(a_name_that_is_listed_more_or_less_often_is_not_counted),
		cmocka_unit_test(a_function_of_nonsense_is_not_counted),
		cmocka_unit_test(nvdisasm_is_understood_as_well),
		cmocka_unit_test(only_twelve_mnemonics_are_named),
	};

	return cmocka_run_group_tests_name("sass", tests, NULL, NULL);
}
