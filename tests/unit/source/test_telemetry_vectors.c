/* SPDX-License-Identifier: Apache-2.0
 *
 * contract/vectors/telemetry.json: the table of fields row by row, and every case.
 */
#include "all.h"

#include "base/str.h"
#include "source/telemetry.h"
#include "tables/telemetry.h"

static json_t *object_of(const char *name)
{
	char path[512];

	if (!shared_folder())
		return NULL;
	(void)snprintf(path, sizeof(path), "%s/contract/vectors/%s", shared_folder(), name);
	return load_json(path);
}

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static const char *quantity_word(enum ks_quantity q)
{
	static const char *const word[] = {
		[KS_QUANTITY_POWER] = "power",
		[KS_QUANTITY_ENERGY] = "energy",
		[KS_QUANTITY_PERCENT] = "percent",
		[KS_QUANTITY_RATIO] = "ratio",
		[KS_QUANTITY_FREQUENCY] = "frequency",
		[KS_QUANTITY_MEMORY_SIZE] = "memory_size",
		[KS_QUANTITY_BYTES_PER_SECOND] = "bytes_per_second",
		[KS_QUANTITY_ERROR_CODE] = "error_code",
	};

	return (size_t)q < KS_ARRAY_LEN(word) && word[q] ? word[q] : "";
}

static void every_field_is_a_row_of_the_table(void **state)
{
	json_t *doc = object_of("telemetry.json");
	const json_t *fields = json_object_get(doc, "fields");
	size_t dcgm = 0;

	(void)state;
	if (!doc)
		skip();
	for (size_t i = 0; i < json_array_size(fields); i++) {
		const json_t *want = json_array_get(fields, i);
		const struct ks_tel_field *f =
			ks_tel_field_find(KS_TEL_DCGM, ks_str_c(text_of(want, "field")));

		assert_non_null(f);
		assert_string_equal(ks_metric_info(f->metric)->name, text_of(want, "name"));
		assert_string_equal(ks_unit_info(ks_metric_info(f->metric)->unit)->symbol,
				    text_of(want, "unit"));
		assert_string_equal(quantity_word(f->quantity), text_of(want, "quantity"));
		assert_int_equal(f->profiling, json_is_true(json_object_get(want, "profiling")));
		assert_string_equal(f->alias_of, text_of(want, "alias_of"));
	}
	for (size_t i = 0; i < ks_tel_field_count(); i++)
		dcgm += ks_tel_field_at(i)->source == KS_TEL_DCGM;
	assert_int_equal(dcgm, json_array_size(fields));
	json_decref(doc);
}

/* --- the result in the form of the file
 * ----------------------------------------------------------- */

static void put(json_t *o, ks_str key, json_t *v)
{
	assert_int_equal(json_object_setn_new(o, key.p, key.n, v), 0);
}

static json_t *word(const char *s)
{
	return json_string(s);
}

static json_t *metrics_of(const struct ks_telemetry *t)
{
	json_t *o = json_object();

	for (size_t i = 0; i < t->n_readings; i++) {
		const struct ks_tel_reading *r = &t->reading[i];
		const char *unit = ks_unit_info(ks_metric_info(r->metric)->unit)->symbol;

		if (r->why == KS_TEL_FINE)
			put(o, r->name, json_pack("[f,s]", r->value, unit));
	}
	return o;
}

static void put_items(json_t *o, const struct ks_tel_list *list, const char *prefix)
{
	for (size_t i = 0; i < list->n; i++)
		if (ks_str_starts(list->item[i].name, prefix))
			put(o, list->item[i].name, word(ks_tel_why_word(list->item[i].why)));
}

static json_t *result_of(const struct ks_telemetry *t)
{
	json_t *o = json_object(), *missing = json_object(), *skipped = json_object(),
	       *duplicates = json_array();

	put_items(missing, &t->missing, "");
	put_items(missing, &t->unknown, "DCGM_FI_");
	put_items(skipped, &t->skipped, "");
	for (size_t i = 0; i < t->duplicates.n; i++) {
		const ks_str s = t->duplicates.item[i].name;

		json_array_append_new(duplicates, json_stringn(s.p, s.n));
	}
	put(o, KS_LIT("probe"), word(t->probe == KS_TEL_READ ? "ok" : "failed"));
	put(o, KS_LIT("reason"), word(ks_tel_why_word(t->why)));
	put(o, KS_LIT("metrics"), metrics_of(t));
	put(o, KS_LIT("missing"), missing);
	put(o, KS_LIT("profiling_present"), json_boolean(t->profiling));
	put(o, KS_LIT("series_total"), json_integer((json_int_t)t->series));
	put(o, KS_LIT("skipped"), skipped);
	put(o, KS_LIT("duplicates"), duplicates);
	return o;
}

static void run_case(const json_t *c)
{
	const json_t *in = json_object_get(c, "in"), *names = json_object_get(in, "wanted");
	const char *text = text_of(in, "text");
	ks_str wanted[8];
	const struct ks_tel_ask ask = { .where = "case",
					.wanted = wanted,
					.n_wanted = json_array_size(names) };
	const struct ks_telemetry *t = NULL;
	struct ks_arena arena;
	struct ks_ctx ctx = *test_ctx();

	assert_true(json_array_size(names) <= KS_ARRAY_LEN(wanted));
	for (size_t i = 0; i < json_array_size(names); i++)
		wanted[i] = ks_str_c(json_string_value(json_array_get(names, i)));
	ks_arena_init(&arena, (size_t)64 << 20);
	ctx.run = &arena;
	assert_int_equal(ks_telemetry_parse(&ctx, &ask, ks_str_c(text), &t, NULL), KS_OK);
	json_t *got = result_of(t);

	if (!json_equal(got, json_object_get(c, "expect"))) {
		char *seen = json_dumps(got, JSON_SORT_KEYS);
		char *want = json_dumps(json_object_get(c, "expect"), JSON_SORT_KEYS);

		fail_msg("%s: %s instead of %s", text_of(c, "id"), seen, want);
	}
	json_decref(got);
	ks_arena_release(&arena);
}

static void every_case(void **state)
{
	json_t *doc = object_of("telemetry.json");
	const json_t *cases = json_object_get(doc, "cases");

	(void)state;
	if (!doc)
		skip();
	assert_int_equal(json_array_size(cases), 9);
	for (size_t i = 0; i < json_array_size(cases); i++)
		run_case(json_array_get(cases, i));
	json_decref(doc);
}

int test_telemetry_vectors(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_a_row_of_the_table),
		cmocka_unit_test(every_case),
	};

	return cmocka_run_group_tests_name("telemetry vectors", tests, NULL, NULL);
}
