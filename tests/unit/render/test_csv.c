/* SPDX-License-Identifier: Apache-2.0
 *
 * Both CSV outputs through a strict RFC 4180 reader of our own, written from the grammar.
 */
#include "all.h"

#include "base/str.h"

#define CELLS_MAX 32

struct record {
	ks_str cell[CELLS_MAX]; /* decoded, in the arena */
	size_t n;
};

/* Reads one record at *p. Fails the test on anything the grammar does not allow. */
static bool next_record(struct given *g, const char **p, struct record *r)
{
	struct ks_buf b;

	if (**p == '\0')
		return false;
	ks_buf_init(&b, 1 << 24);
	for (r->n = 0;;) {
		ks_buf_reset(&b);
		if (**p == '"') {
			for (++*p;; ++*p) {
				assert_int_not_equal(**p, '\0');
				if (**p == '"' && *++*p != '"')
					break;
				ks_buf_ch(&b, **p);
			}
		} else {
			for (; **p != ',' && **p != '\r'; ++*p) {
				assert_int_not_equal(**p, '\0');
				assert_int_not_equal(**p, '"');
				assert_int_not_equal(**p, '\n');
				ks_buf_ch(&b, **p);
			}
		}
		assert_true(r->n < CELLS_MAX);
		r->cell[r->n++] = ks_arena_dup(&g->run, ks_buf_view(&b));
		if (**p == ',') {
			++*p;
			continue;
		}
		assert_int_equal((*p)[0], '\r');
		assert_int_equal((*p)[1], '\n');
		*p += 2;
		break;
	}
	ks_buf_release(&b);
	return true;
}

static struct given *with_kernels(size_t n)
{
	struct given *g = given_report();

	for (size_t i = 0; i < n; i++)
		given_kernel(g, ks_arena_fmt(&g->run, "f<%zu, int>(a, b)", i), 6,
			     (ks_ns)(1000000 * (n - i)), 2);
	given_device_rows(g);
	given_finished(g);
	return g;
}

static void the_header_is_the_contract_s(void **state)
{
	struct given *g = with_kernels(1);
	const char *text = rendered(g, &ks_render_csv);
	const char *want =
		"kernel,section,section_provenance,metric,value,unit,provenance,resolution,source,"
		"reason,refusal_code,refusal_observed,refusal_threshold,refusal_remedy,note\r\n";

	(void)state;
	assert_memory_equal(text, want, strlen(want));
	given_released(g);
}

static void one_record_for_each_row_of_evidence(void **state)
{
	struct given *g = with_kernels(2);
	const char *p = rendered(g, &ks_render_csv);
	struct record r;
	size_t n = 0, refused = 0;

	(void)state;
	while (next_record(g, &p, &r)) {
		assert_int_equal(r.n, 15);
		if (n++ == 0)
			continue;
		if (ks_str_eqc(r.cell[6], "unavailable")) {
			refused++;
			assert_int_equal(r.cell[4].n, 0);
			assert_true(r.cell[9].n > 0 && r.cell[10].n > 0 && r.cell[13].n > 0);
		} else {
			assert_true(r.cell[4].n > 0);
			assert_int_equal(r.cell[10].n, 0);
		}
		if (ks_str_eqc(r.cell[10], "no_workload"))
			assert_string_equal(r.cell[11].p, "{\"peaks_provided\":false}");
		if (ks_str_eqc(r.cell[3], "ks__launch_time_p50"))
			assert_string_equal(r.cell[7].p, "0.004 ms");
	}
	assert_int_equal(n, 1 + 2 * 7 + 2);
	assert_int_equal(refused, 2 * 2 + 1);
	given_released(g);
}

static void filters_apply(void **state)
{
	static const ks_str want[] = { { "est__achieved_tflops", 20 } };
	struct given *g = with_kernels(2);

	(void)state;
	g->v.metric = want;
	g->v.n_metrics = 1;
	assert_int_equal(lines_in(rendered(g, &ks_render_csv)), 3);
	given_released(g);
}

static void hostile_names_are_one_cell_and_no_formula(void **state)
{
	struct given *g = given_report();
	struct record r;

	(void)state;
	for (size_t i = 0; i < n_hostile_names; i++)
		given_kernel(g, hostile_names[i], 1, (ks_ns)(90000 - i), 1);
	given_finished(g);
	const char *p = rendered(g, &ks_render_csv);
	size_t n = 0;

	expect_no_control_bytes(p, true);
	while (next_record(g, &p, &r)) {
		assert_int_equal(r.n, 15);
		n++;
		for (size_t i = 0; i < r.n; i++)
			assert_true(r.cell[i].n == 0 || strchr("=+-@", r.cell[i].p[0]) == NULL);
	}
	assert_int_equal(n, 1 + n_hostile_names * 7);
	given_released(g);
}

static enum ks_status start_log(void *self, const struct ks_kernel *k, struct ks_err *err)
{
	struct given *g = self;

	(void)err;
	g->at = k == &g->kernel[0] ? 0 : g->n_launches;
	return KS_OK;
}

static enum ks_status next_of_log(void *self, struct ks_launch_view *row, bool *got,
				  struct ks_err *err)
{
	struct given *g = self;

	(void)err;
	*got = g->at < g->n_launches;
	if (*got)
		*row = g->launch[g->at++];
	return KS_OK;
}

static void launches_are_written_in_the_columns_of_the_contract(void **state)
{
	struct given *g = with_kernels(1);
	const struct ks_launch_view rows[] = {
		{ .config = &g->kernel[0].config[1],
		  .start_ns = 1000000000,
		  .end_ns = 1000951000,
		  .stream = 7 },
		{ .config = &g->kernel[0].config[0],
		  .index = 1,
		  .start_ns = -5,
		  .end_ns = 3100,
		  .stream = KS_UNKNOWN,
		  .device = KS_UNKNOWN },
		{ .config = &g->kernel[0].config[1],
		  .index = 2,
		  .start_ns = 4000,
		  .end_ns = 4001,
		  .device = 3 },
	};
	const char *want =
		"kernel,launch_index,config,grid_x,grid_y,grid_z,block_x,block_y,block_z,start_ns,"
		"end_ns,"
		"duration_ns,registers_per_thread,static_smem_bytes,dynamic_smem_bytes,stream_id,"
		"device_id,"
		"provenance\r\n"
		"\"f<0, int>(a, "
		"b)\",0,grid65x1x1_block256x1x1_smem49152,65,1,1,256,1,1,1000000000,1000951000,"
		"951000,96,,49152,7,0,exact\r\n"
		"\"f<0, int>(a, "
		"b)\",1,grid64x1x1_block256x1x1_smem49152,64,1,1,256,1,1,-5,3100,3105,96,,49152,"
		",,exact\r\n"
		"\"f<0, int>(a, "
		"b)\",2,grid65x1x1_block256x1x1_smem49152,65,1,1,256,1,1,4000,4001,1,96,,49152,0,"
		"3,exact\r\n";

	(void)state;
	g->launch = rows;
	g->n_launches = 3;
	g->launch_log = (struct ks_launch_log){ g, start_log, next_of_log };
	g->r.launches = &g->launch_log;
	assert_string_equal(rendered(g, &ks_render_launch_csv), want);
	given_released(g);
}

static void launches_that_were_not_kept_are_an_error(void **state)
{
	struct given *g = with_kernels(1);
	struct ks_out out;
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	ks_out_open_null(&out);
	assert_int_equal(ks_render_launch_csv.render(&g->ctx, &g->r, &g->v, &out, &err),
			 KS_E_INPUT);
	assert_int_equal(out.total, 0);
	given_released(g);
}

int test_csv(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_the_contract_s),
		cmocka_unit_test(one_record_for_each_row_of_evidence),
		cmocka_unit_test(filters_apply),
		cmocka_unit_test(hostile_names_are_one_cell_and_no_formula),
		cmocka_unit_test(launches_are_written_in_the_columns_of_the_contract),
		cmocka_unit_test(launches_that_were_not_kept_are_an_error),
	};

	return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
