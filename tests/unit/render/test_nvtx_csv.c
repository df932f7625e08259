/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases as CSV: every one of the log, unknown numbers as empty cells.
 */
#include "all.h"

struct phases {
	const struct ks_phase *row;
	size_t n, at;
};

#define TEXT(s)                                                                                    \
	{                                                                                          \
		(s), sizeof(s) - 1                                                                 \
	}
static const struct ks_phase rows[] = {
	{ .name = TEXT("step, \"one\""),
	  .domain = TEXT(""),
	  .type = 59,
	  .instances = 3,
	  .wall_ns = 300,
	  .min_ns = 90,
	  .max_ns = 110,
	  .kernels = 12,
	  .kernel_ns = 240,
	  .own_ns = 40,
	  .worst_kernel_ns = 100,
	  .overlap_ns = 250,
	  .overlap_process_ns = 245,
	  .overlap_union_ns = 251,
	  .overlap_kernels = 14 },
	{ .name = TEXT("=HYPERLINK(1)"),
	  .domain = TEXT("NCCL"),
	  .domain_id = 3,
	  .type = KS_UNKNOWN,
	  .instances = 1,
	  .wall_ns = 5,
	  .min_ns = 5,
	  .max_ns = 5,
	  .overlap_ns = KS_UNKNOWN,
	  .overlap_process_ns = KS_UNKNOWN,
	  .overlap_union_ns = KS_UNKNOWN,
	  .overlap_kernels = UINT64_MAX },
};

static enum ks_status rewind_phases(void *self, struct ks_err *err)
{
	struct phases *p = self;

	(void)err;
	p->at = 0;
	return KS_OK;
}

static enum ks_status next_phase(void *self, struct ks_phase *row, bool *got, struct ks_err *err)
{
	struct phases *p = self;

	(void)err;
	*got = p->at < p->n;
	if (*got)
		*row = p->row[p->at++];
	return KS_OK;
}

#define HEAD                                                                                       \
	"name,domain,domain_id,type,instances,wall_ns,min_ns,max_ns,kernels,kernel_ns,own_ns,"     \
	"worst_kernel_ns,overlap_ns,overlap_same_process_ns,overlap_of_union_ns,overlap_kernels,"  \
	"provenance\r\n"

static void expect_text(size_t n, bool by_overlap, const char *want)
{
	struct given *g = given_report();
	struct phases p = { .row = rows, .n = n };
	const struct ks_phase_log log = { &p, rewind_phases, next_phase };
	struct ks_timeline t = { .phases = &log, .by_overlap = by_overlap };

	g->r.timeline = &t;
	assert_string_equal(rendered(g, &ks_render_nvtx_csv), want);
	given_released(g);
}

static void a_phase_is_a_line(void **state)
{
	(void)state;
	expect_text(2, false,
		    HEAD
		    "\"step, \"\"one\"\"\",,0,push_pop,3,300,90,110,12,240,40,100,250,245,251,14,"
		    "derived\r\n"
		    "\"'=HYPERLINK(1)\",NCCL,3,,1,5,5,5,0,0,0,0,,,,,derived\r\n");
}

static void without_launch_calls_nobody_knows_who_launched(void **state)
{
	(void)state;
	expect_text(
		1, true,
		HEAD
		"\"step, \"\"one\"\"\",,0,push_pop,3,300,90,110,,,,,250,245,251,14,derived\r\n");
}

static void a_trace_without_ranges_is_a_header(void **state)
{
	(void)state;
	expect_text(0, false, HEAD);
}

static void a_report_without_phases_is_an_error(void **state)
{
	struct given *g = given_report();
	struct ks_err err = { 0 };
	struct ks_out out;

	(void)state;
	ks_out_open_null(&out);
	assert_int_equal(ks_render_nvtx_csv.render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
	given_released(g);
}

int test_nvtx_csv(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_is_a_line),
		cmocka_unit_test(without_launch_calls_nobody_knows_who_launched),
		cmocka_unit_test(a_trace_without_ranges_is_a_header),
		cmocka_unit_test(a_report_without_phases_is_an_error),
	};

	return cmocka_run_group_tests_name("nvtx csv", tests, NULL, NULL);
}
