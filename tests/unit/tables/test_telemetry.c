/* SPDX-License-Identifier: Apache-2.0
 *
 * The conversions of telemetry that must be impossible (contract 05 §8), as a check of every row.
 */
#include "tests.h"

#include "tables/telemetry.h"

static bool is_share(enum ks_quantity q)
{
	return q == KS_QUANTITY_RATIO || q == KS_QUANTITY_PERCENT;
}

/* A part of a name, between underscores, that reads as an amount. */
static bool looks_like_bytes(const char *name)
{
	static const char *const words[] = { "byte", "_mib", "_mb", "_gib", "_gb",
					     "_kib", "_kb",  "_b_", "_bw",  "bandwidth" };

	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

static void a_share_has_neither_unit_nor_name_of_bytes(void **state)
{
	size_t shares = 0;

	(void)state;
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);
		const struct ks_metric_info *m = ks_metric_info(f->metric);

		if (!is_share(f->quantity))
			continue;
		shares++;
		assert_true(m->unit == KS_UNIT_RATIO || m->unit == KS_UNIT_PCT);
		assert_false(looks_like_bytes(m->name));
		assert_false(looks_like_bytes(ks_metric_info(f->family)->name));
	}
	assert_true(shares > 0);
}

static void each_quantity_has_its_dimension(void **state)
{
	static const enum ks_unit of[] = {
		[KS_QUANTITY_POWER] = KS_UNIT_W,
		[KS_QUANTITY_ENERGY] = KS_UNIT_J,
		[KS_QUANTITY_PERCENT] = KS_UNIT_PCT,
		[KS_QUANTITY_RATIO] = KS_UNIT_RATIO,
		[KS_QUANTITY_FREQUENCY] = KS_UNIT_HZ,
		[KS_QUANTITY_MEMORY_SIZE] = KS_UNIT_B,
		[KS_QUANTITY_BYTES_PER_SECOND] = KS_UNIT_B_PER_S,
		[KS_QUANTITY_TEMPERATURE] = KS_UNIT_C,
		[KS_QUANTITY_COUNT] = KS_UNIT_COUNT,
		[KS_QUANTITY_ERROR_CODE] = KS_UNIT_CODE,
		[KS_QUANTITY_MASK] = KS_UNIT_CODE,
	};

	(void)state;
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);

		assert_int_equal(ks_unit_info(ks_metric_info(f->metric)->unit)->dimension,
				 ks_unit_info(of[f->quantity])->dimension);
	}
}

static void names_are_measured_and_of_no_counter(void **state)
{
	(void)state;
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);
		const struct ks_metric_info *m = ks_metric_info(f->metric);
		const char *stem =
			f->source == KS_TEL_DCGM ? "meas__telemetry_dcgm_" : "meas__telemetry_smi_";
		char family[128];

		assert_int_equal(strncmp(m->name, stem, strlen(stem)), 0);
		assert_int_equal(m->prov, KS_PROV_MEASURED);
		assert_int_equal(m->section, KS_SECTION_TELEMETRY);
		assert_false(ks_is_counter_name(STR(m->name)));
		(void)snprintf(family, sizeof(family), "%s__gpu_{G}", m->name);
		assert_string_equal(ks_metric_info(f->family)->name, family);
		assert_int_equal(ks_metric_info(f->family)->unit, m->unit);
	}
}

/* dcgm-exporter's numbers are published as they are; where a source prints a unit, that counts. */
static void units_are_not_assumed_where_a_source_prints_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);

		if (f->source == KS_TEL_DCGM || f->source == KS_TEL_EXPORTER)
			assert_int_equal(f->unit, ks_metric_info(f->metric)->unit);
		else if (f->unit != KS_UNIT_NONE)
			assert_true(f->unit == KS_UNIT_COUNT || f->unit == KS_UNIT_CODE ||
				    (f->unit == KS_UNIT_C && f->source == KS_TEL_QUERY));
	}
}

static void no_field_is_there_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);

		assert_ptr_equal(ks_tel_field_find(f->source, STR(f->field)), f);
		assert_int_equal(ks_tel_identity(f->source, STR(f->field)), KS_IDENTITY_NONE);
		if (f->alias_of[0] == '\0')
			continue;
		const struct ks_tel_field *other = ks_tel_field_find(f->source, STR(f->alias_of));

		assert_non_null(other);
		assert_true(other < f && other->metric == f->metric && other->alias_of[0] == '\0');
	}
}

int test_telemetry(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_has_neither_unit_nor_name_of_bytes),
		cmocka_unit_test(each_quantity_has_its_dimension),
		cmocka_unit_test(names_are_measured_and_of_no_counter),
		cmocka_unit_test(units_are_not_assumed_where_a_source_prints_them),
		cmocka_unit_test(no_field_is_there_twice),
	};

	return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
