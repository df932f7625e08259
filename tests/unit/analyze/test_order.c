/* SPDX-License-Identifier: Apache-2.0
 *
 * The same rows in any order give the same report, byte by byte: names, configurations, evidence,
 * notes and per-launch rows.
 */
#include "all.h"

#include <stdio.h>

#include "base/num.h"

enum { ROWS = 20000 };

static void given_many_rows(struct given *g, uint64_t seed)
{
	static const char *const name[] = {
		"gemm", "softmax", "reduce", "copy_rows", "scan", "norm"
	};

	given_gpu(g, 0, 8, 9, 128);
	given_gpu(g, 1, 8, 9, 128);
	for (unsigned i = 0; i < ROWS; i++) {
		const uint64_t r = next_random(&seed);
		struct ks_launch *l = given_launch(g, name[r % 6], (int64_t)(r >> 8 & 1), 1000 * i,
						   1 + (ks_ns)(next_random(&seed) % 5000));

		l->grid[0] = 1 << (r >> 16 & 3);
		l->regs = r >> 20 & 1 ? 32 : 40;
		l->stream = (int64_t)(r >> 24 & 3);
		l->process = (int64_t)(7 + (r >> 28 & 1)) << 24;
		l->smem_executed = r >> 30 & 1 ? 65536 : 0;
		if ((r >> 40) % 500 == 0)
			l->end_ns = l->start_ns;
		if ((r >> 50) % 3 == 0) /* equal starts: ties */
			l->start_ns -= l->start_ns % 7000;
		if (l->end_ns <= l->start_ns && (r >> 40) % 500 != 0)
			l->end_ns = l->start_ns + 1;
	}
	for (unsigned i = 0; i < 500; i++)
		given_copy(g, i & 1, (ks_ns)(next_random(&seed) % (1000 * ROWS)), 700);
}

static void shuffle(struct given *g, uint64_t seed)
{
	for (size_t i = g->n_launches; i > 1; i--) {
		size_t k = (size_t)(next_random(&seed) % i);
		struct ks_launch t = g->launch[i - 1];

		g->launch[i - 1] = g->launch[k];
		g->launch[k] = t;
	}
	for (size_t i = g->n_copies; i > 1; i--) {
		size_t k = (size_t)(next_random(&seed) % i);
		struct ks_copy t = g->copy[i - 1];

		g->copy[i - 1] = g->copy[k];
		g->copy[k] = t;
	}
}

static void put_value(struct ks_buf *b, const struct ks_ev *row)
{
	char number[KS_NUM_LEN];

	ks_buf_fmt(b, "%s=", row->name.p);
	if (row->value.kind == KS_V_REAL)
		ks_num_double(number, row->value.d);
	else
		ks_num_i64(number, row->value.kind == KS_V_INT ? row->value.i : 0);
	ks_buf_fmt(b, "%s %s %g %u\n", number, row->value.kind == KS_V_TEXT ? row->value.s.p : "",
		   row->resolution, row->refused ? (unsigned)row->refused->code : 0U);
}

static void put_launches(struct ks_buf *b, const struct given *g, const struct ks_kernel *k)
{
	const struct ks_launch_log *log = g->r->launches;
	struct ks_launch_view v;
	bool got = true;

	if (!log)
		return;
	assert_int_equal(log->rewind(log->self, k, NULL), KS_OK);
	for (;;) {
		assert_int_equal(log->next(log->self, &v, &got, NULL), KS_OK);
		if (!got)
			return;
		ks_buf_fmt(b, "%lld %lld %lld %lld %s\n", (long long)v.start_ns,
			   (long long)v.end_ns, (long long)v.stream, (long long)v.device,
			   v.config->key.p);
	}
}

static void put_report(struct ks_buf *b, struct given *g)
{
	for (size_t k = 0; k < g->r->n_kernels; k++) {
		const struct ks_kernel *q = &g->r->kernel[k];

		ks_buf_fmt(b, "%s %s %u\n", q->name.p, q->base.p, q->n_names);
		for (size_t c = 0; c < q->n_configs; c++)
			ks_buf_fmt(b, "%s %llu %lld\n", q->config[c].key.p,
				   (unsigned long long)q->config[c].launches,
				   (long long)q->config[c].total_ns);
		for (size_t s = 0; s < q->n_sections; s++) {
			for (size_t i = 0; i < q->section[s].n; i++)
				put_value(b, ks_ev_get(g->r->ev, q->section[s].row[i]));
		}
		put_launches(b, g, q);
	}
	for (size_t i = 0; i < g->r->n_notes; i++)
		ks_buf_fmt(b, "%s\n", english(g, &g->r->note[i]));
	for (size_t i = 0; i < g->r->n_streams; i++)
		ks_buf_fmt(b, "%zu %lld %lld %lld\n", g->r->stream[i].gpu,
			   (long long)g->r->stream[i].pid, (long long)g->r->stream[i].stream,
			   (long long)g->r->stream[i].kernel_ns);
}

static void check_shuffled(bool keep_launches, uint64_t skip)
{
	struct given g;
	struct ks_buf first, other;

	given_trace(&g);
	g.sel.keep_launches = keep_launches;
	g.sel.skip_before_match = skip;
	given_many_rows(&g, 20261130);
	ks_buf_init(&first, 1u << 24);
	ks_buf_init(&other, 1u << 24);
	then_report(&g);
	if (!skip)
		assert_int_equal(g.passes, 1);
	put_report(&first, &g);
	for (uint64_t seed = 1; seed <= 3; seed++) {
		shuffle(&g, seed * 104729);
		then_report(&g);
		assert_int_equal(g.passes, 2);
		ks_buf_reset(&other);
		put_report(&other, &g);
		assert_false(ks_buf_failed(&other));
		assert_string_equal(ks_buf_text(&first), ks_buf_text(&other));
	}
	ks_buf_release(&first);
	ks_buf_release(&other);
	given_release(&g);
}

static void any_order_gives_the_same_report(void **state)
{
	(void)state;
	check_shuffled(false, 0);
}

static void any_order_gives_the_same_launches(void **state)
{
	(void)state;
	check_shuffled(true, 0);
}

static void any_order_skips_the_same_launches(void **state)
{
	(void)state;
	check_shuffled(true, 5000);
}

int test_order(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_gives_the_same_report),
		cmocka_unit_test(any_order_gives_the_same_launches),
		cmocka_unit_test(any_order_skips_the_same_launches),
	};

	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
