/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file is, by its bytes.
 */
#include "all.h"

#include <sys/stat.h>

static void kinds_by_first_bytes(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t n;
		enum ks_input_kind kind;
	} c[] = {
		{ "s1", "SQLite format 3\0", 16, KS_INPUT_SQLITE },
		{ "s2", "SQLite format 3", 15, KS_INPUT_OTHER },
		{ "s3.nsys-rep", "NVIDIA Tegra Profiler Report 2024@5", 35, KS_INPUT_NSYS_REP },
		{ "s4.qdrep", "NVIDIA Tegra Profiler Report 1.", 31, KS_INPUT_QDREP },
		{ "s5.qdrep", "SQLite format 3\0", 16,
		  KS_INPUT_SQLITE }, /* bytes win over the name */
		{ "s6", "NVR\0", 4, KS_INPUT_NCU_REP },
		{ "s7", "\x1f\x8b\x08", 3, KS_INPUT_GZIP },
		{ "s8",
		  "\x7f"
		  "ELF",
		  4, KS_INPUT_ELF },
		{ "s9", "{}", 2, KS_INPUT_JSON },
		{ "s10", "\xef\xbb\xbf \n\t[", 7, KS_INPUT_JSON },
		{ "s11", "   ", 3, KS_INPUT_OTHER },
		{ "s12", "", 0, KS_INPUT_EMPTY },
		{ "s13", "N", 1, KS_INPUT_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		given_bytes(in_scratch(c[i].name), c[i].bytes, c[i].n);
		assert_int_equal(ks_input_sniff(in_scratch(c[i].name)), c[i].kind);
	}
}

static void places_without_a_file(void **state)
{
	(void)state;
	assert_int_equal(ks_input_sniff(in_scratch("nothing")), KS_INPUT_MISSING);
	assert_int_equal(ks_input_sniff(""), KS_INPUT_MISSING);
	assert_int_equal(ks_input_sniff(in_scratch("s9/below")), KS_INPUT_MISSING);
	assert_int_equal(ks_input_sniff(in_scratch(".")), KS_INPUT_DIRECTORY);
	assert_int_equal(ks_input_sniff("/dev/null"), KS_INPUT_OTHER);
	assert_int_equal(mkfifo(in_scratch("fifo"), 0600), 0);
	assert_int_equal(ks_input_sniff(in_scratch("fifo")), KS_INPUT_OTHER);
}

static void real_native_reports(void **state)
{
	const char *shared = shared_folder();
	char path[512];

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/data/nsys-rep/rtx4060ti_2026.nsys-rep", shared);
	assert_int_equal(ks_input_sniff(path), KS_INPUT_NSYS_REP);
	(void)snprintf(path, sizeof(path), "%s/data/nsys-rep/kmeans_2021.qdrep", shared);
	assert_int_equal(ks_input_sniff(path), KS_INPUT_QDREP);
	(void)snprintf(path, sizeof(path), "%s/data/ncu-rep/blackwell-rtx5060ti-2025.2.ncu-rep",
		       shared);
	assert_int_equal(ks_input_sniff(path), KS_INPUT_NCU_REP);
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/rtx3060_2025.sqlite", shared);
	assert_int_equal(ks_input_sniff(path), KS_INPUT_SQLITE);
}

int test_sniff(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_by_first_bytes),
		cmocka_unit_test(places_without_a_file),
		cmocka_unit_test(real_native_reports),
	};

	return cmocka_run_group_tests_name("sniff", tests, NULL, NULL);
}
