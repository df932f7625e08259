/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases by both readings against every case of vectors/phases.json. Refusals of the cases are
 * those of the section: here it is checked that nothing is there to answer with.
 */
#include "ranges_given.h"

#include <jansson.h>
#include <stdlib.h>

#define ONE_THREAD THREAD(7, 1)

struct row {
	int64_t thread;
	ks_ns start, end;
};

static int64_t at(const json_t *array, size_t i)
{
	return json_integer_value(json_array_get(array, i));
}

static int by_start(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Rows [start, end, (name,) thread]; name "@x" comes through StringIds, which is the source's
 * affair.
 */
static void given_nvtx(struct given_ranges *g, const json_t *in)
{
	const bool has_end = json_is_true(json_object_get(in, "nvtx_end_column"));
	size_t i;
	json_t *r;

	json_array_foreach(json_object_get(in, "nvtx"), i, r)
	{
		const char *name = json_string_value(json_array_get(r, 2));
		const bool closed = has_end && json_is_integer(json_array_get(r, 1));

		given_range_of(g, json_array_size(r) > 3 ? at(r, 3) : ONE_THREAD, 0, at(r, 0),
			       closed ? at(r, 1) : KS_UNKNOWN, name[0] == '@' ? name + 1 : name);
	}
	when_settled(g);
}

static size_t read_kernels(const json_t *in, struct row *out)
{
	const json_t *kernels = json_object_get(in, "kernels");
	const size_t n = json_array_size(kernels);

	assert_true(n <= 64);
	for (size_t i = 0; i < n; i++) {
		const json_t *k = json_array_get(kernels, i);

		out[i] = (struct row){ json_array_size(k) > 2 ? at(k, 2) : ONE_THREAD, at(k, 0),
				       at(k, 1) };
	}
	return n;
}

static void check_phase(const struct ks_phase *p, const json_t *expect, ks_ns total)
{
	const double share = 100.0 * (double)p->kernel_ns / (double)total;

	assert_string_equal(p->name.p, json_string_value(json_object_get(expect, "name")));
	assert_int_equal(p->depth, json_integer_value(json_object_get(expect, "depth")));
	assert_int_equal(p->wall_ns, json_integer_value(json_object_get(expect, "range_ns")));
	assert_int_equal(p->kernel_ns, json_integer_value(json_object_get(expect, "kernel_ns")));
	assert_int_equal(p->kernels, json_integer_value(json_object_get(expect, "kernels")));
	assert_true(share - json_number_value(json_object_get(expect, "share_pct")) < 1e-6);
	assert_true(json_number_value(json_object_get(expect, "share_pct")) - share < 1e-6);
}

static void check_overlap(const json_t *in, const json_t *expect)
{
	const bool by_thread = json_is_true(json_object_get(in, "same_globalTid_in_both_tables"));
	struct given_ranges g;
	struct row kernel[64];
	const size_t n = read_kernels(in, kernel);
	const json_t *phases = json_object_get(expect, "phases");

	given_ranges(&g);
	g.ask.max_phases = (size_t)json_integer_value(json_object_get(in, "top"));
	given_nvtx(&g, in);
	qsort(kernel, n, sizeof(kernel[0]), by_start);
	assert_int_equal(by_thread ? ks_ranges_overlap_begin_by_thread(g.r, &g.err)
				   : ks_ranges_overlap_begin(g.r, &g.err),
			 KS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(ks_ranges_overlap_add(g.r, kernel[i].thread, kernel[i].start,
						       kernel[i].end, &g.err),
				 KS_OK);
	assert_int_equal(ks_ranges_overlap_end(g.r, &g.err), KS_OK);
	assert_int_equal(ks_ranges_answer_overlap(g.r, &g.ask, &g.arena, &g.t, &g.err), KS_OK);
	assert_int_equal(g.t.attributed_ns,
			 json_integer_value(json_object_get(expect, "attributed_ns")));
	assert_int_equal(g.t.unattributed_ns,
			 json_integer_value(json_object_get(expect, "unattributed_ns")));
	assert_int_equal(g.t.phases_with_time - g.t.n_phases,
			 json_integer_value(json_object_get(expect, "omitted")));
	assert_int_equal(g.t.n_phases, json_array_size(phases));
	for (size_t i = 0; i < g.t.n_phases; i++)
		check_phase(&g.t.phase[i], json_array_get(phases, i),
			    g.t.attributed_ns + g.t.unattributed_ns);
	given_ranges_release(&g);
}

static int64_t correlation(const json_t *expect, size_t kernel)
{
	const json_t *all = json_object_get(expect, "kernel_correlationIds");

	return all ? at(all, kernel)
		   : json_integer_value(json_object_get(expect, "kernel_correlationId"));
}

static void check_projection(const json_t *in, const json_t *expect)
{
	struct given_ranges g;
	struct row kernel[64];
	const size_t n = read_kernels(in, kernel);
	size_t i;
	json_t *row;

	given_ranges(&g);
	given_nvtx(&g, in);
	for (size_t k = 0; k < n; k++) {
		json_array_foreach(json_object_get(expect, "runtime"), i, row)
		{
			if (json_integer_value(json_object_get(row, "correlationId")) ==
			    correlation(expect, k))
				given_call(&g, ONE_THREAD,
					   json_integer_value(json_object_get(row, "start")),
					   kernel[k].end - kernel[k].start);
		}
	}
	when_answered(&g);
	json_array_foreach(json_object_get(expect, "phases"), i, row)
	{
		const json_t *own = json_object_get(row, "own_ns");
		const struct ks_phase p =
			phase_of(&g, 0, json_string_value(json_object_get(row, "name")));

		assert_int_equal(p.kernel_ns,
				 json_integer_value(json_object_get(row, "kernel_ns")));
		if (own)
			assert_int_equal(p.own_ns, json_integer_value(own));
	}
	given_ranges_release(&g);
}

static void check_refusal(const json_t *in, const char *code)
{
	struct ks_ranges_counts counts;
	struct given_ranges g;

	given_ranges(&g);
	given_nvtx(&g, in);
	ks_ranges_counts(g.r, &counts);
	if (strcmp(code, "no_nvtx") == 0)
		assert_int_equal(counts.closed, 0);
	else
		assert_int_equal(json_array_size(json_object_get(in, "kernels")), 0);
	given_ranges_release(&g);
}

static void every_worked_case_comes_out(void **state)
{
	char path[512];
	json_error_t error;
	const char *key;
	size_t i, cases = 0, projections = 0;
	json_t *value, *c;

	(void)state;
	if (!shared_file(path, "contract/vectors/phases.json"))
		skip();
	json_t *vectors = json_load_file(path, 0, &error);

	assert_non_null(vectors);
	json_object_foreach(vectors, key, value)
	{
		if (strcmp(key, "schema") != 0 && strcmp(key, "topic") != 0 &&
		    strcmp(key, "cases") != 0 && strcmp(key, "mode") != 0)
			fail_msg("phases.json has a list this test does not know: %s", key);
	}
	json_array_foreach(json_object_get(vectors, "cases"), i, c)
	{
		const json_t *in = json_object_get(c, "in"), *expect = json_object_get(c, "expect");
		const json_t *refusal = json_object_get(expect, "refusal");
		const json_t *projection = json_object_get(expect, "expect_projection");

		if (!projection)
			projection = json_object_get(c, "expect_projection");
		if (refusal)
			check_refusal(in, json_string_value(refusal));
		else
			check_overlap(in, expect);
		if (projection)
			check_projection(in, projection);
		cases++;
		projections += projection != NULL;
	}
	assert_true(cases >= 12 && projections >= 2);
	json_decref(vectors);
}

int test_phases_vectors(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_worked_case_comes_out),
	};

	return cmocka_run_group_tests_name("phases.json", tests, NULL, NULL);
}
