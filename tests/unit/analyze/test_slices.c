/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of slices: lanes in which nothing overlaps but what nests, flows with both their ends, a
 * limit that cuts by time, and the same answer for any order of rows and any budget of memory.
 */
#include "all.h"

#include "analyze/slices_internal.h"
#include "base/mem.h"

#define PID    INT64_C(7)
#define GLOBAL (PID << 24)
#define TID    (GLOBAL + 70)
#define MOST   64

struct world {
	struct given g;
	struct ks_range range[MOST];
	struct ks_call call[MOST];
	struct ks_memset memset[MOST];
	struct ks_sync sync[MOST];
	struct ks_memory memory[MOST];
	struct ks_trace_thread thread[4];
	size_t n_ranges, n_calls, n_memsets, n_syncs, n_memories, n_threads;
	bool small; /* sorters that spill at once */
};

static void given_world(struct world *w)
{
	*w = (struct world){ .n_threads = 0 };
	given_trace(&w->g);
	w->g.sel.timeline = w->g.sel.keep_slices = true;
	given_gpu(&w->g, 0, 8, 0, 108);
	w->g.process[w->g.n_processes++] =
		(struct ks_trace_process){ GLOBAL, PID, KS_LIT("train") };
	w->thread[w->n_threads++] = (struct ks_trace_thread){ TID, KS_LIT("main") };
}

static void given_call(struct world *w, const char *name, int64_t thread, ks_ns start, ks_ns end,
		       int64_t correlation)
{
	assert_true(w->n_calls < MOST);
	w->call[w->n_calls++] = (struct ks_call){ .start_ns = start,
						  .end_ns = end,
						  .thread = thread,
						  .correlation = correlation,
						  .chain = KS_UNKNOWN,
						  .name = given_name(&w->g, name) };
}

static void given_range(struct world *w, const char *name, ks_ns start, ks_ns end)
{
	assert_true(w->n_ranges < MOST);
	w->range[w->n_ranges++] = (struct ks_range){ .start_ns = start,
						     .end_ns = end,
						     .thread = TID,
						     .end_thread = KS_UNKNOWN,
						     .type = 59,
						     .name = given_name(&w->g, name),
						     .schema = KS_UNKNOWN,
						     .value = KS_UNKNOWN };
}

static struct ks_launch *given_kernel(struct world *w, const char *name, ks_ns start, ks_ns end,
				      int64_t correlation)
{
	struct ks_launch *l = given_launch(&w->g, name, 0, start, end - start);

	l->correlation = correlation;
	return l;
}

static void given_memory(struct world *w, ks_ns at, int64_t bytes, int64_t operation)
{
	assert_true(w->n_memories < MOST);
	w->memory[w->n_memories++] = (struct ks_memory){ .start_ns = at,
							 .process = GLOBAL,
							 .bytes = bytes,
							 .kind = KS_MEM_DEVICE,
							 .operation = operation };
}

/* --- playing -------------------------------------------------------------------------------------
 */

static enum ks_status play_names(struct world *w, const struct ks_sink *s)
{
	const ks_nameref *ref = NULL;
	size_t n = 0;

	s->ops->wanted(s->self, &ref, &n);
	for (size_t i = 0; i < n; i++)
		KS_TRY(s->ops->name(s->self, ref[i], ks_str_c(w->g.name[ref[i] - 1]), &w->g.err));
	return KS_OK;
}

static void make_small(struct ks_slices *s)
{
	for (unsigned i = 0; i < KS_SLICE_SOURCES; i++) {
		ks_sorter_close(s->sorter[i]);
		s->sorter[i] = ks_sorter_open(&ks_io_system, KS_SLICE_WORDS, 1);
		assert_non_null(s->sorter[i]);
	}
}

static enum ks_status play_host(struct world *w, const struct ks_sink *s)
{
	struct ks_err *err = &w->g.err;

	for (size_t i = 0; i < w->n_threads; i++)
		KS_TRY(s->ops->thread(s->self, &w->thread[i], err));
	for (size_t i = 0; i < w->n_ranges; i++)
		KS_TRY(s->ops->range(s->self, &w->range[i], err));
	KS_TRY(play_names(w, s));
	KS_TRY(s->ops->ranges_done(s->self, err));
	for (size_t i = 0; i < w->n_calls; i++)
		KS_TRY(s->ops->call(s->self, &w->call[i], err));
	return s->ops->calls_done(s->self, err);
}

static enum ks_status play_work(struct world *w, const struct ks_sink *s)
{
	struct ks_err *err = &w->g.err;

	for (size_t i = 0; i < w->g.n_copies; i++)
		KS_TRY(s->ops->copy(s->self, &w->g.copy[i], err));
	for (size_t i = 0; i < w->n_memsets; i++)
		KS_TRY(s->ops->memset(s->self, &w->memset[i], err));
	for (size_t i = 0; i < w->n_syncs; i++)
		KS_TRY(s->ops->sync(s->self, &w->sync[i], err));
	for (size_t i = 0; i < w->n_memories; i++)
		KS_TRY(s->ops->memory(s->self, &w->memory[i], err));
	for (size_t i = 0; i < w->g.n_launches; i++)
		KS_TRY(s->ops->launch(s->self, &w->g.launch[i], err));
	return play_names(w, s);
}

static enum ks_status play(struct world *w)
{
	struct given *g = &w->g;
	bool again = false;

	ks_analysis_close(g->a);
	g->a = ks_analysis_open(&g->ctx, &g->sel);
	assert_non_null(g->a);
	const struct ks_sink *s = ks_analysis_sink(g->a);

	KS_TRY(s->ops->meta(s->self, &g->meta, &g->err));
	if (w->small)
		make_small(g->a->slices);
	for (size_t i = 0; i < g->n_gpus; i++)
		KS_TRY(s->ops->gpu(s->self, &g->gpu[i], &g->err));
	for (size_t i = 0; i < g->n_processes; i++)
		KS_TRY(s->ops->process(s->self, &g->process[i], &g->err));
	KS_TRY(play_host(w, s));
	KS_TRY(play_work(w, s));
	KS_TRY(s->ops->done(s->self, &again, &g->err));
	assert_false(again);
	return ks_analysis_finish(g->a, &g->r, &g->err);
}

static const struct ks_slice_log *then_log(struct world *w)
{
	const enum ks_status st = play(w);

	if (st != KS_OK)
		print_error("%s\n", error_text(&w->g));
	assert_int_equal(st, KS_OK);
	assert_non_null(w->g.r->timeline->slices);
	return w->g.r->timeline->slices;
}

static void release(struct world *w)
{
	given_release(&w->g);
}

/* Everything the log says, one line a slice. */
static const char *told(struct world *w, const struct ks_slice_log *log)
{
	struct ks_slice s;
	struct ks_buf b;
	bool got = true;

	ks_buf_init(&b, 1u << 24);
	assert_int_equal(log->rewind(log->self, &w->g.err), KS_OK);
	for (;;) {
		assert_int_equal(log->next(log->self, &s, &got, &w->g.err), KS_OK);
		if (!got)
			break;
		assert_in_range(s.name_id, 1, log->n_names);
		assert_true(s.lane < log->n_lanes);
		ks_buf_fmt(&b, "%.*s|%.*s|%lld-%lld|", (int)log->lane[s.lane].name.n,
			   log->lane[s.lane].name.p, (int)s.name.n, s.name.p, (long long)s.start_ns,
			   (long long)s.end_ns);
		if (s.bytes != KS_UNKNOWN)
			ks_buf_fmt(&b, "%lldB|", (long long)s.bytes);
		if (s.flow)
			ks_buf_fmt(&b, "%s%s%llu|", s.flow_starts ? ">" : "<",
				   s.flow_shared ? "*" : "", (unsigned long long)s.flow);
		ks_buf_ch(&b, '\n');
	}
	const char *text = ks_buf_keep(&b, &w->g.arena).p;

	ks_buf_release(&b);
	return text;
}

/* --- what is in the log --------------------------------------------------------------------------
 */

static void given_a_step(struct world *w)
{
	given_range(w, "step", 0, 1000);
	given_range(w, "inner", 100, 500);
	given_call(w, "cudaLaunchKernel", TID, 110, 120, 11);
	given_call(w, "cudaMemcpyAsync", TID, 130, 140, 12);
	given_call(w, "cudaLaunchKernel", TID, 150, 160, 13);
	given_call(w, "cudaDeviceSynchronize", TID, 170, 700, 0);
	given_kernel(w, "alpha", 200, 300, 11);
	given_kernel(w, "beta", 300, 450, 13);
	struct ks_copy *c = given_copy(&w->g, 0, 210, 40);

	c->correlation = 12;
}

static void a_step_is_told_lane_by_lane(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_a_step(&w);
	w.sync[w.n_syncs++] = (struct ks_sync){
		.start_ns = 180, .end_ns = 690, .process = GLOBAL, .stream = 7, .type = 4
	};
	const struct ks_slice_log *log = then_log(&w);

	assert_string_equal(told(&w, log), "stream 7|alpha(int)|200-300|<1|\n"
					   "stream 7|beta(int)|300-450|<3|\n"
					   "stream 8 copies|copy HtoD|210-250|1000B|<2|\n"
					   "stream 7 waits|wait for context|180-690|\n"
					   "NVTX, main|step|0-1000|\n"
					   "NVTX, main|inner|100-500|\n"
					   "CUDA API, main|cudaLaunchKernel|110-120|>1|\n"
					   "CUDA API, main|cudaMemcpyAsync|130-140|>2|\n"
					   "CUDA API, main|cudaLaunchKernel|150-160|>3|\n"
					   "CUDA API, main|cudaDeviceSynchronize|170-700|\n");
	assert_string_equal(told(&w, log), told(&w, log));
	assert_int_equal(log->slices, 10);
	assert_int_equal(log->left_out, 0);
	assert_int_equal(log->first_ns, 0);
	assert_int_equal(log->n_lanes, 5);
	assert_string_equal(log->lane[0].process_name.p, "GPU 0: Test GPU");
	assert_int_equal(log->lane[0].slices, 2);
	assert_int_equal(log->lane[0].stream, 7);
	assert_string_equal(log->lane[4].process_name.p, "train");
	assert_int_equal(log->lane[4].pid, 7);
	assert_int_equal(log->lane[4].tid, 70);
	release(&w);
}

static void kernels_carry_their_configuration(void **state)
{
	struct world w;
	struct ks_slice s;
	bool got;

	(void)state;
	given_world(&w);
	given_kernel(&w, "alpha", 200, 300, 0)->graph_node = 5;
	given_kernel(&w, "alpha", 400, 500, 0)->grid[0] = 3;
	const struct ks_slice_log *log = then_log(&w);

	assert_int_equal(log->rewind(log->self, NULL), KS_OK);
	assert_int_equal(log->next(log->self, &s, &got, NULL), KS_OK);
	assert_true(s.graph);
	assert_ptr_equal(s.config, config_named(kernel_named(&w.g, "alpha(int)"),
						"grid64x1x1_block256x1x1_smem0"));
	assert_int_equal(log->next(log->self, &s, &got, NULL), KS_OK);
	assert_false(s.graph);
	assert_int_equal(s.config->grid[0], 3);
	release(&w);
}

static void what_one_call_launched_shares_its_flow(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_call(&w, "cudaGraphLaunch", TID, 10, 20, 5);
	given_kernel(&w, "alpha", 100, 200, 5);
	given_kernel(&w, "beta", 200, 300, 5);
	given_kernel(&w, "gamma", 300, 400, 6); /* its call was not recorded */
	assert_string_equal(told(&w, then_log(&w)), "stream 7|alpha(int)|100-200|<*1|\n"
						    "stream 7|beta(int)|200-300|<*1|\n"
						    "stream 7|gamma(int)|300-400|\n"
						    "CUDA API, main|cudaGraphLaunch|10-20|>*1|\n");
	release(&w);
}

static void a_flow_without_one_of_its_ends_is_none(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_a_step(&w);
	w.g.sel.lanes = 1u << KS_LANE_API | 1u << KS_LANE_COPY;
	assert_string_equal(told(&w, then_log(&w)),
			    "stream 8 copies|copy HtoD|210-250|1000B|<2|\n"
			    "CUDA API, main|cudaLaunchKernel|110-120|\n"
			    "CUDA API, main|cudaMemcpyAsync|130-140|>2|\n"
			    "CUDA API, main|cudaLaunchKernel|150-160|\n"
			    "CUDA API, main|cudaDeviceSynchronize|170-700|\n");
	w.g.sel.lanes = 1u << KS_LANE_STREAM;
	assert_string_equal(told(&w, then_log(&w)), "stream 7|alpha(int)|200-300|\n"
						    "stream 7|beta(int)|300-450|\n");
	release(&w);
}

static void runtime_and_driver_rows_of_one_call_nest_and_the_outer_one_launches(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_call(&w, "cuLaunchKernel", TID, 12, 18, 5);
	given_call(&w, "cudaLaunchKernel", TID, 10, 20, 5);
	given_kernel(&w, "alpha", 100, 200, 5);
	assert_string_equal(told(&w, then_log(&w)), "stream 7|alpha(int)|100-200|<1|\n"
						    "CUDA API, main|cudaLaunchKernel|10-20|>1|\n"
						    "CUDA API, main|cuLaunchKernel|12-18|\n");
	release(&w);
}

static void memory_in_use_is_a_counter_that_never_falls_below_zero(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_kernel(&w, "alpha", 5, 6, 0);
	given_memory(&w, 30, 100, 1); /* of before the recording: 100 - 70 were there at least */
	given_memory(&w, 10, 50, 0);
	given_memory(&w, 20, 20, 0);
	assert_string_equal(told(&w, then_log(&w)),
			    "stream 7|alpha(int)|5-6|\n"
			    "device memory in use|device memory in use|10-10|80B|\n"
			    "device memory in use|device memory in use|20-20|100B|\n"
			    "device memory in use|device memory in use|30-30|0B|\n");
	release(&w);
}

/* --- lanes ---------------------------------------------------------------------------------------
 */

static void kernels_that_overlap_get_further_lanes(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_kernel(&w, "a", 0, 100, 0);
	given_kernel(&w, "b", 50, 60, 0);  /* inside a: kernels do not nest */
	given_kernel(&w, "c", 55, 150, 0); /* beside both */
	given_kernel(&w, "d", 60, 90, 0);  /* b's lane is free again */
	given_kernel(&w, "e", 100, 120, 0);
	const struct ks_slice_log *log = then_log(&w);

	assert_string_equal(told(&w, log), "stream 7|a(int)|0-100|\n"
					   "stream 7|e(int)|100-120|\n"
					   "stream 7 (2)|b(int)|50-60|\n"
					   "stream 7 (2)|d(int)|60-90|\n"
					   "stream 7 (3)|c(int)|55-150|\n");
	assert_int_equal(log->lane[0].number, 0);
	assert_int_equal(log->lane[2].number, 2);
	assert_int_equal(log->lane[1].slices, 2);
	release(&w);
}

static void calls_nest_and_those_that_cross_move_on(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_kernel(&w, "k", 1000, 1001, 0);
	given_call(&w, "outer", TID, 0, 100, 0);
	given_call(&w, "inner", TID, 10, 50, 0);
	given_call(&w, "crossing", TID, 40, 60, 0);
	given_call(&w, "instant", TID, 45, 45, 0);
	given_call(&w, "next", TID, 100, 110, 0);
	assert_string_equal(told(&w, then_log(&w)), "stream 7|k(int)|1000-1001|\n"
						    "CUDA API, main|outer|0-100|\n"
						    "CUDA API, main|inner|10-50|\n"
						    "CUDA API, main|instant|45-45|\n"
						    "CUDA API, main|next|100-110|\n"
						    "CUDA API, main (2)|crossing|40-60|\n");
	release(&w);
}

/* Independent of the module: how many of the intervals are open at once, at most. */
static size_t most_at_once(const struct given *g)
{
	size_t most = 0;

	for (size_t i = 0; i < g->n_launches; i++) {
		size_t n = 0;

		for (size_t k = 0; k < g->n_launches; k++)
			n += g->launch[k].start_ns <= g->launch[i].start_ns &&
			     g->launch[k].end_ns > g->launch[i].start_ns;
		most = n > most ? n : most;
	}
	return most;
}

static void lanes_are_as_few_as_they_can_be_and_nothing_in_them_overlaps(void **state)
{
	uint64_t seed = 20261130;

	(void)state;
	for (unsigned round = 0; round < 20; round++) {
		struct world w;
		struct ks_slice s;
		uint32_t lane = UINT32_MAX;
		ks_ns end = 0;
		uint64_t n = 0;
		bool got;

		given_world(&w);
		for (unsigned i = 0; i < 300; i++) {
			const ks_ns start = (ks_ns)(next_random(&seed) % 5000);

			given_kernel(&w, "k", start, start + 1 + (ks_ns)(next_random(&seed) % 200),
				     0);
		}
		const struct ks_slice_log *log = then_log(&w);

		assert_int_equal(log->n_lanes, most_at_once(&w.g));
		assert_int_equal(log->rewind(log->self, NULL), KS_OK);
		for (;; n++) {
			assert_int_equal(log->next(log->self, &s, &got, NULL), KS_OK);
			if (!got)
				break;
			assert_true(s.lane != lane || s.start_ns >= end);
			lane = s.lane;
			end = s.end_ns;
		}
		assert_int_equal(n, 300);
		release(&w);
	}
}

static void a_crowd_of_equal_kernels_is_told_whole(void **state)
{
	struct world w;
	const unsigned crowd = 100000;

	(void)state;
	given_world(&w);
	for (unsigned i = 0; i < crowd; i++)
		given_kernel(&w, "k", 0, 100, 0);
	const struct ks_slice_log *log = then_log(&w);

	assert_int_equal(log->slices, crowd);
	assert_int_equal(log->n_lanes, crowd);
	release(&w);
}

/* --- limit, window, order ------------------------------------------------------------------------
 */

static void a_limit_keeps_what_starts_first(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_a_step(&w); /* starts 0 100 110 130 150 170 200 210 300 */
	w.g.sel.slice_limit = 7;
	const struct ks_slice_log *log = then_log(&w);

	assert_string_equal(told(&w, log), "stream 7|alpha(int)|200-300|<1|\n"
					   "NVTX, main|step|0-1000|\n"
					   "NVTX, main|inner|100-500|\n"
					   "CUDA API, main|cudaLaunchKernel|110-120|>1|\n"
					   "CUDA API, main|cudaMemcpyAsync|130-140|\n"
					   "CUDA API, main|cudaLaunchKernel|150-160|\n"
					   "CUDA API, main|cudaDeviceSynchronize|170-700|\n");
	assert_int_equal(log->slices, 7);
	assert_int_equal(log->left_out, 2);
	assert_int_equal(log->cut_ns, 210);
	w.g.sel.slice_limit = 9;
	assert_int_equal(then_log(&w)->left_out, 0);
	release(&w);
}

static void a_limit_never_parts_what_starts_together(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_kernel(&w, "a", -5, 10, 0);
	for (unsigned i = 0; i < 10; i++)
		given_kernel(&w, "k", 0, 100, 0);
	w.g.sel.slice_limit = 5;
	const struct ks_slice_log *log = then_log(&w);

	assert_int_equal(log->slices, 1);
	assert_int_equal(log->left_out, 10);
	assert_int_equal(log->cut_ns, 0);
	assert_int_equal(log->first_ns, -5);
	release(&w);
}

static void the_cut_is_found_in_any_span(void **state)
{
	struct world w;
	uint64_t seed = 4242;

	(void)state;
	given_world(&w);
	for (unsigned i = 0; i < 100; i++) {
		const ks_ns start = (ks_ns)(next_random(&seed) >> (i % 40 + 4));

		given_kernel(&w, "k", start, start + 10, 0);
	}
	for (uint64_t limit = 1; limit < 100; limit += 7) {
		uint64_t before = 0, at = 0;

		w.g.sel.slice_limit = limit;
		const struct ks_slice_log *log = then_log(&w);

		for (size_t i = 0; i < w.g.n_launches; i++) {
			before += w.g.launch[i].start_ns < log->cut_ns;
			at += w.g.launch[i].start_ns == log->cut_ns;
		}
		assert_int_equal(log->slices, before);
		assert_true(before <= limit && before + at > limit);
	}
	release(&w);
}

static void a_window_leaves_out_what_has_no_part_in_it(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_a_step(&w);
	given_memory(&w, 100, 64, 0);
	given_memory(&w, 220, 36, 0);
	w.g.sel.within = KS_LIT("205..260");
	assert_string_equal(told(&w, then_log(&w)),
			    "stream 7|alpha(int)|200-300|\n"
			    "stream 8 copies|copy HtoD|210-250|1000B|\n"
			    "device memory in use|device memory in use|220-220|100B|\n"
			    "NVTX, main|step|0-1000|\n"
			    "NVTX, main|inner|100-500|\n"
			    "CUDA API, main|cudaDeviceSynchronize|170-700|\n");
	release(&w);
}

static void given_a_mix(struct world *w, uint64_t seed)
{
	static const char *const name[] = { "a", "b", "c" };

	for (unsigned i = 0; i < 400; i++) {
		const ks_ns start = (ks_ns)(next_random(&seed) % 2000);
		struct ks_launch *l = given_kernel(w, name[next_random(&seed) % 3], start,
						   start + 1 + (ks_ns)(next_random(&seed) % 9),
						   (int64_t)(next_random(&seed) % 50));

		l->stream = (int64_t)(next_random(&seed) % 3);
		l->context = (int64_t)(next_random(&seed) % 2);
	}
	for (int64_t i = 1; i < 40; i++)
		given_call(w, i % 2 ? "one" : "two", TID + i % 2, i * 7, i * 7 + 5, i);
	for (unsigned i = 0; i < 200; i++) {
		struct ks_copy *c = given_copy(&w->g, 0, (ks_ns)(next_random(&seed) % 500), 20);

		c->bytes = (int64_t)(next_random(&seed) % 4);
		c->kind = (int64_t)(next_random(&seed) % 3);
		c->correlation = (int64_t)(next_random(&seed) % 50);
	}
}

static void shuffle(void *items, size_t n, size_t size, uint64_t *seed)
{
	unsigned char *p = items, t[sizeof(struct ks_launch)];

	assert_true(size <= sizeof(t));
	for (size_t i = n; i > 1; i--) {
		const size_t k = next_random(seed) % i;

		memcpy(t, p + (i - 1) * size, size);
		memcpy(p + (i - 1) * size, p + k * size, size);
		memcpy(p + k * size, t, size);
	}
}

static void any_order_of_rows_and_any_budget_give_the_same_log(void **state)
{
	struct world w;
	uint64_t seed = 99;

	(void)state;
	given_world(&w);
	given_a_mix(&w, 7);
	const char *plain = told(&w, then_log(&w));

	assert_non_null(strstr(plain, "|<"));
	assert_non_null(strstr(plain, "stream 1 (2)|"));
	for (unsigned round = 0; round < 4; round++) {
		shuffle(w.g.launch, w.g.n_launches, sizeof(*w.g.launch), &seed);
		shuffle(w.g.copy, w.g.n_copies, sizeof(*w.g.copy), &seed);
		shuffle(w.call, w.n_calls, sizeof(*w.call), &seed);
		w.small = round % 2 == 1;
		assert_string_equal(told(&w, then_log(&w)), plain);
	}
	release(&w);
}

static void no_slices_are_kept_unless_asked_for(void **state)
{
	struct world w;

	(void)state;
	given_world(&w);
	given_a_step(&w);
	w.g.sel.keep_slices = false;
	assert_int_equal(play(&w), KS_OK);
	assert_null(w.g.r->timeline->slices);
	release(&w);
}

int test_slices(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_told_lane_by_lane),
		cmocka_unit_test(kernels_carry_their_configuration),
		cmocka_unit_test(what_one_call_launched_shares_its_flow),
		cmocka_unit_test(a_flow_without_one_of_its_ends_is_none),
		cmocka_unit_test(
			runtime_and_driver_rows_of_one_call_nest_and_the_outer_one_launches),
		cmocka_unit_test(memory_in_use_is_a_counter_that_never_falls_below_zero),
		cmocka_unit_test(kernels_that_overlap_get_further_lanes),
		cmocka_unit_test(calls_nest_and_those_that_cross_move_on),
		cmocka_unit_test(lanes_are_as_few_as_they_can_be_and_nothing_in_them_overlaps),
		cmocka_unit_test(a_crowd_of_equal_kernels_is_told_whole),
		cmocka_unit_test(a_limit_keeps_what_starts_first),
		cmocka_unit_test(a_limit_never_parts_what_starts_together),
		cmocka_unit_test(the_cut_is_found_in_any_span),
		cmocka_unit_test(a_window_leaves_out_what_has_no_part_in_it),
		cmocka_unit_test(any_order_of_rows_and_any_budget_give_the_same_log),
		cmocka_unit_test(no_slices_are_kept_unless_asked_for),
	};

	return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
