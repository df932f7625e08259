/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked cases of copies and communication, each streamed as a trace through the whole
 * analysis: contract/vectors/comm.json of the shared facts, skipped where that is not there.
 */
#include "all.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analysis.h"
#include "base/num.h"

static json_t *of(const json_t *object, const char *key)
{
	json_t *v = json_object_get(object, key);

	if (!v)
		fail_msg("the case has no %s", key);
	return v;
}

static int64_t whole(const json_t *v)
{
	return json_is_null(v) || !v ? KS_UNKNOWN : (int64_t)json_integer_value(v);
}

/* [kind, bytes, duration] or [kind, bytes, duration, device]; without it on device 0. */
static void give_copies(struct given *g, const json_t *list)
{
	size_t i;
	json_t *row;

	json_array_foreach(list, i, row)
	{
		const int64_t device = json_array_size(row) > 3 ? whole(json_array_get(row, 3)) : 0;
		struct ks_copy *c = given_copy(g, device, 0, whole(json_array_get(row, 2)));

		c->kind = whole(json_array_get(row, 0));
		c->bytes = whole(json_array_get(row, 1));
		c->src_device = c->dst_device = c->cause = KS_UNKNOWN;
	}
}

static void give_kernels(struct given *g, const json_t *list)
{
	size_t i;
	json_t *row;

	json_array_foreach(list, i, row)
	{
		const ks_ns start = whole(json_array_get(row, 1));
		const char *name = json_string_value(json_array_get(row, 0));
		struct ks_launch *l = given_launch(g, name, whole(json_array_get(row, 3)), start,
						   whole(json_array_get(row, 2)) - start);

		l->demangled = given_name(g, name);
		l->function = 0;
		l->stream = (int64_t)i;
	}
}

static void expect_groups(const struct ks_timeline *t, const json_t *want)
{
	assert_int_equal(t->n_copy_groups, json_array_size(want));
	for (size_t i = 0; i < t->n_copy_groups; i++) {
		const struct ks_copy_group *g = &t->copy_group[i];
		const json_t *w = json_array_get(want, i);
		const json_t *rate = of(w, "gbs");

		assert_int_equal(g->kind, whole(of(w, "kind")));
		assert_int_equal(g->bytes, whole(of(w, "bytes")));
		assert_int_equal(g->count, whole(of(w, "count")));
		assert_int_equal(g->max_ns, whole(of(w, "max_ns")));
		if (json_is_null(rate))
			assert_true(g->gb_per_s < 0.0);
		else
			expect_near(g->gb_per_s, json_number_value(rate), 1e-12);
	}
}

static void expect_kinds(const struct given *g, json_t *want)
{
	const char *key;
	json_t *v;
	char name[96];

	json_object_foreach(want, key, v)
	{
		int64_t kind;

		assert_true(ks_num_parse_i64(ks_str_c(key), &kind));
		(void)snprintf(name, sizeof(name), "ks__comm_bytes_%s", ks_copy_kind_name(kind).p);
		expect_int(row_of(g, "(device)", name), whole(v));
	}
}

static void expect_devices(const struct given *g, json_t *want)
{
	const char *key;
	json_t *v;
	char name[96];

	json_object_foreach(want, key, v)
	{
		(void)snprintf(name, sizeof(name), "ks__device_%s__comm_bytes",
			       strcmp(key, "None") == 0 ? "unknown" : key);
		expect_int(row_of(g, "(device)", name), whole(v));
	}
}

static double observed(const struct ks_ev *row, const char *key)
{
	assert_non_null(row->refused);
	for (size_t i = 0; i < row->refused->n_observed; i++) {
		const struct ks_kv *kv = &row->refused->observed[i];

		if (ks_str_eqc(kv->key, key))
			return kv->value.kind == KS_V_INT ? (double)kv->value.i : kv->value.d;
	}
	fail_msg("%s did not see %s", row->name.p, key);
	return 0.0;
}

static void expect_counted(const struct given *g, const char *name, const json_t *want)
{
	if (whole(want) == 0)
		assert_false(has_row(g, "(device)", name));
	else
		expect_near(observed(row_of(g, "(device)", name), "rows"), (double)whole(want),
			    0.0);
}

static void expect_copies(const struct given *g, const json_t *want)
{
	const struct ks_contents *c = &g->r->contents;

	assert_int_equal(c->copies + c->bad_copies, whole(of(want, "copies")));
	assert_int_equal(c->bad_copies, whole(of(want, "nonpositive_rows")));
	expect_groups(g->r->timeline, of(want, "groups"));
	expect_kinds(g, of(want, "bytes_by_kind"));
	expect_devices(g, of(want, "bytes_by_device"));
	if (c->copies + c->bad_copies == 0)
		return;
	expect_int(row_of(g, "(device)", "ks__comm_bytes_total"), whole(of(want, "bytes_total")));
	expect_counted(g, "ks__comm_bytes_null_rows", of(want, "null_bytes_rows"));
	expect_counted(g, "ks__comm_bytes_unknown_device_rows", of(want, "unknown_device_rows"));
	expect_near(
		observed(row_of(g, "(device)", "ks__comm_time_sum_ns"), "implied_gbs_if_summed"),
		json_number_value(of(want, "implied_gbs_if_summed")), 1e-12);
}

static void expect_communication(const struct given *g, const json_t *want)
{
	const double ns = (double)whole(of(want, "comm_kernel_ns"));
	const double busy = (double)whole(of(want, "comm_busy_ns"));
	const double overlap = (double)whole(of(want, "overlap_ns"));

	if (whole(of(want, "comm_kernel_ns")) == 0) {
		assert_false(has_row(g, "(device)", "ks__comm_kernel_ms"));
		return;
	}
	expect_real(row_of(g, "(device)", "ks__comm_kernel_ms"), ns / 1e6);
	expect_real(row_of(g, "(device)", "ks__comm_kernel_share_pct"),
		    json_number_value(of(want, "comm_share_pct")));
	expect_real(row_of(g, "(device)", "ks__comm_compute_overlap_pct"),
		    json_number_value(of(want, "overlap_pct")));
	expect_real(row_of(g, "(device)", "ks__comm_exposed_ms"), (busy - overlap) / 1e6);
}

static void every_worked_case_comes_out_as_written(void **state)
{
	char path[512];
	json_t *list;
	size_t i;
	json_t *row;

	(void)state;
	if (!shared_file(path, "contract/vectors/comm.json"))
		skip();
	json_t *file = json_load_file(path, 0, NULL);

	assert_non_null(file);
	list = of(file, "cases");
	assert_true(json_array_size(list) >= 5);
	json_array_foreach(list, i, row)
	{
		const json_t *in = of(row, "in"), *want = of(row, "expect");
		struct given g;

		print_message("%s\n", json_string_value(of(row, "id")));
		given_trace(&g);
		g.sel.timeline = true;
		give_copies(&g, of(in, "copies_kind_bytes_dur_dev"));
		give_kernels(&g, of(in, "kernels_name_start_end_dev"));
		then_report(&g);
		expect_copies(&g, want);
		expect_communication(&g, want);
		given_release(&g);
	}
	json_decref(file);
}

int test_comm_vectors(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_worked_case_comes_out_as_written),
	};

	return cmocka_run_group_tests_name("comm: worked cases", tests, NULL, NULL);
}
