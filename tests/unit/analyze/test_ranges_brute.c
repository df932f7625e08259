/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges that overlap, nest and tie at random against answers counted launch by launch and
 * nanosecond by nanosecond; every set also with its rows in another order.
 */
#include "ranges_given.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

enum { HORIZON = 120, RANGES = 40, LAUNCHES = 60, THREADS = 3, NAMES = 5, DOMAINS = 2 };

static const char *const names[NAMES] = { "a", "b1", "b2", "c;x", "step 7" };

struct one {
	int64_t thread, domain;
	unsigned name;
	ks_ns start, end;
};
struct launch {
	int64_t thread;
	ks_ns call, start, end;
};
struct world {
	struct one range[RANGES];
	size_t n;
	struct launch launch[LAUNCHES];
};

static ks_ns pick(uint64_t *seed, ks_ns below)
{
	return (ks_ns)(next_random(seed) % (uint64_t)below);
}

static int by_start(const void *x, const void *y)
{
	const struct launch *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static void make_world(struct world *w, uint64_t seed)
{
	w->n = RANGES;
	for (size_t i = 0; i < w->n; i++) {
		struct one *o = &w->range[i];

		o->thread = THREAD(1 + pick(&seed, 2), 1 + pick(&seed, THREADS));
		o->domain = pick(&seed, DOMAINS);
		o->name = (unsigned)pick(&seed, NAMES);
		o->start = pick(&seed, HORIZON - 1);
		o->end = o->start + 1 + pick(&seed, HORIZON - o->start - 1 + 1);
	}
	for (size_t i = 0; i < LAUNCHES; i++) {
		struct launch *l = &w->launch[i];

		l->thread = THREAD(1 + pick(&seed, 2), 1 + pick(&seed, THREADS));
		l->call = pick(&seed, HORIZON);
		l->start = pick(&seed, HORIZON);
		l->end = l->start + 1 + pick(&seed, 20);
	}
	qsort(w->launch, LAUNCHES, sizeof(w->launch[0]), by_start);
}

static void add_world(struct given_ranges *g, const struct world *w, bool shuffled, uint64_t seed)
{
	size_t row[RANGES];

	for (size_t i = 0; i < w->n; i++)
		row[i] = i;
	for (size_t i = w->n; shuffled && i > 1; i--) {
		const size_t k = (size_t)(next_random(&seed) % i), t = row[i - 1];

		row[i - 1] = row[k];
		row[k] = t;
	}
	for (size_t i = 0; i < w->n; i++) {
		const struct one *o = &w->range[row[i]];

		given_range_of(g, o->thread, o->domain, o->start, o->end, names[o->name]);
	}
	given_domain(g, THREAD(1, 1), 1, "one");
	given_domain(g, THREAD(2, 1), 1, "one");
	when_settled(g);
	for (size_t i = 0; i < LAUNCHES; i++)
		given_call(g, w->launch[i].thread, w->launch[i].call,
			   w->launch[i].end - w->launch[i].start);
}

/* --- by hand -------------------------------------------------------------------------------------
 */

static bool inside(const struct one *o, const struct launch *l)
{
	return o->thread == l->thread && o->start <= l->call && l->call < o->end;
}

/* Whether b is further in than a: later start, then earlier end, then the later name. */
static bool inner(const struct one *a, const struct one *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->end != b->end)
		return a->end > b->end;
	return a->name < b->name;
}

static ks_ns shared(ks_ns a, ks_ns b, ks_ns c, ks_ns d)
{
	const ks_ns from = a > c ? a : c, to = b < d ? b : d;

	return to > from ? to - from : 0;
}

struct sums {
	uint64_t instances, kernels, overlap_kernels;
	ks_ns wall, kernel, own, worst, overlap, process, of_union, overlap_own, gpu;
};

static bool is_of(const struct one *o, int64_t domain, unsigned name)
{
	return o->domain == domain && o->name == name;
}

static const struct one *innermost(const struct world *w, int64_t thread, int64_t domain, ks_ns at)
{
	const struct one *best = NULL;

	for (size_t i = 0; i < w->n; i++) {
		const struct one *o = &w->range[i];

		if (o->thread == thread && o->domain == domain && o->start <= at && at < o->end &&
		    (!best || inner(best, o)))
			best = o;
	}
	return best;
}

static void sum_ranges(const struct world *w, int64_t domain, unsigned name, struct sums *s)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct one *o = &w->range[i];
		ks_ns kernel = 0;

		if (!is_of(o, domain, name))
			continue;
		s->instances++;
		s->wall += o->end - o->start;
		for (size_t k = 0; k < LAUNCHES; k++) {
			const struct launch *l = &w->launch[k];
			const ks_ns both = shared(o->start, o->end, l->start, l->end);

			kernel += inside(o, l) ? l->end - l->start : 0;
			s->kernels += inside(o, l);
			s->overlap += both;
			s->overlap_kernels += both > 0;
			s->process += o->thread >> 24 == l->thread >> 24 ? both : 0;
		}
		s->kernel += kernel;
		s->worst = kernel > s->worst ? kernel : s->worst;
	}
}

static void sum_times(const struct world *w, int64_t domain, unsigned name, struct sums *s)
{
	for (ks_ns t = 0; t < HORIZON + 40; t++) {
		ks_ns running = 0;
		bool covered = false, on_gpu = false;

		for (size_t k = 0; k < LAUNCHES; k++)
			running += w->launch[k].start <= t && t < w->launch[k].end;
		for (size_t i = 0; i < w->n; i++)
			covered |= is_of(&w->range[i], domain, name) && w->range[i].start <= t &&
				   t < w->range[i].end;
		for (size_t k = 0; k < LAUNCHES; k++) {
			const struct launch *l = &w->launch[k];

			for (size_t i = 0; i < w->n; i++)
				on_gpu |= is_of(&w->range[i], domain, name) &&
					  inside(&w->range[i], l) && l->start <= t && t < l->end;
		}
		s->of_union += covered ? running : 0;
		s->gpu += on_gpu;
		for (int64_t p = 1; p <= 2; p++) {
			for (int64_t n = 1; n <= THREADS; n++) {
				const struct one *o = innermost(w, THREAD(p, n), domain, t);

				s->overlap_own += o && o->name == name ? running : 0;
			}
		}
	}
}

static struct sums sums_of(const struct world *w, int64_t domain, unsigned name)
{
	struct sums s = { 0 };

	sum_ranges(w, domain, name, &s);
	sum_times(w, domain, name, &s);
	for (size_t k = 0; k < LAUNCHES; k++) {
		const struct launch *l = &w->launch[k];
		const struct one *o = innermost(w, l->thread, domain, l->call);

		s.own += o && o->name == name ? l->end - l->start : 0;
	}
	return s;
}

static int by_depth(const void *x, const void *y)
{
	const struct one *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

/* "a;b1" of what is open at the call; domain < 0: of all, "one:a". "" when nothing is. */
static void path_text(const struct world *w, const struct launch *l, int64_t domain, char *out)
{
	struct one open[RANGES];
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (inside(&w->range[i], l) && (domain < 0 || w->range[i].domain == domain))
			open[n++] = w->range[i];
	}
	qsort(open, n, sizeof(open[0]), by_depth);
	*out = '\0';
	for (size_t i = 0, at = 0; i < n; i++)
		at += (size_t)snprintf(out + at, 512 - at, "%s%s%s", i ? ";" : "",
				       domain < 0 && open[i].domain == 1 ? "one:" : "",
				       open[i].name == 3 ? "c,x" : names[open[i].name]);
}

/* --- checks --------------------------------------------------------------------------------------
 */

static void check_phases(struct given_ranges *g, const struct world *w)
{
	for (int64_t d = 0; d < DOMAINS; d++) {
		for (unsigned n = 0; n < NAMES; n++) {
			const struct sums s = sums_of(w, d, n);

			if (s.instances == 0)
				continue;
			const struct ks_phase p = phase_of(g, d, names[n]);

			assert_int_equal(p.instances, s.instances);
			assert_int_equal(p.wall_ns, s.wall);
			assert_int_equal(p.kernels, s.kernels);
			assert_int_equal(p.kernel_ns, s.kernel);
			assert_int_equal(p.own_ns, s.own);
			assert_int_equal(p.worst_kernel_ns, s.worst);
			assert_int_equal(p.overlap_ns, s.overlap);
			assert_int_equal(p.overlap_process_ns, s.process);
			assert_int_equal(p.overlap_union_ns, s.of_union);
			assert_int_equal(p.overlap_kernels, s.overlap_kernels);
		}
	}
}

static void check_overlap(struct given_ranges *g, const struct world *w)
{
	ks_ns attributed = 0, total = 0;

	assert_int_equal(ks_ranges_answer_overlap(g->r, &g->ask, &g->arena, &g->t, &g->err), KS_OK);
	for (int64_t d = 0; d < DOMAINS; d++) {
		for (unsigned n = 0; n < NAMES; n++) {
			const struct sums s = sums_of(w, d, n);

			if (s.instances == 0)
				continue;
			const struct ks_phase p = phase_of(g, d, names[n]);

			assert_int_equal(p.kernel_ns, s.overlap);
			assert_int_equal(p.own_ns, s.overlap_own);
			assert_int_equal(p.kernels, s.overlap_kernels);
		}
	}
	for (ks_ns t = 0; t < HORIZON + 40; t++) {
		bool open = false;

		for (size_t i = 0; i < w->n; i++)
			open |= w->range[i].start <= t && t < w->range[i].end;
		for (size_t k = 0; k < LAUNCHES; k++) {
			const bool runs = w->launch[k].start <= t && t < w->launch[k].end;

			total += runs;
			attributed += runs && open;
		}
	}
	assert_int_equal(g->t.attributed_ns, attributed);
	assert_int_equal(g->t.unattributed_ns, total - attributed);
}

/* Path of a node as text, without the root. */
static size_t node_text(const struct ks_path_node *all, size_t i, char *out)
{
	size_t n = 0;

	*out = '\0';
	if (all[i].parent == i)
		return 0;
	n = node_text(all, all[i].parent, out);
	return n + (size_t)snprintf(out + n, 512 - n, "%s%s", n ? ";" : "",
				    ks_str_eqc(all[i].name, "c;x") ? "c,x" : all[i].name.p);
}

static void check_paths(struct given_ranges *g, const struct world *w)
{
	const struct ks_path_node *all = g->t.path;
	ks_ns of_domain[DOMAINS] = { 0 }, in_domain[DOMAINS] = { 0 };
	int64_t domain = -1;

	assert_int_equal(g->t.paths_left_out, 0);
	for (size_t i = 0; i < g->t.n_paths; i++) {
		ks_ns children = 0, own = 0;
		uint64_t kernels = 0;
		char here[512], there[512];

		if (all[i].parent == i)
			domain = all[i].name.n == 0 ? 0 : 1;
		assert_true(all[i].parent <= i);
		assert_int_equal(all[i].depth,
				 all[i].parent == i ? 0 : all[all[i].parent].depth + 1);
		for (size_t k = i + 1; k < g->t.n_paths; k++)
			children += all[k].parent == i ? all[k].total_ns : 0;
		assert_int_equal(all[i].total_ns, all[i].own_ns + children);
		node_text(all, i, here);
		for (size_t k = 0; all[i].parent != i && k < LAUNCHES; k++) {
			path_text(w, &w->launch[k], domain, there);
			if (strcmp(here, there) != 0)
				continue;
			own += w->launch[k].end - w->launch[k].start;
			kernels++;
		}
		assert_int_equal(all[i].own_ns, own);
		assert_int_equal(all[i].kernels, kernels);
		of_domain[domain] += all[i].own_ns;
	}
	for (int64_t d = 0; d < DOMAINS; d++) {
		for (size_t k = 0; k < LAUNCHES; k++)
			in_domain[d] += innermost(w, w->launch[k].thread, d, w->launch[k].call)
						? w->launch[k].end - w->launch[k].start
						: 0;
		assert_int_equal(of_domain[d], in_domain[d]);
	}
}

static void check_attributed(struct given_ranges *g, const struct world *w)
{
	ks_ns in = 0, out = 0;

	for (size_t k = 0; k < LAUNCHES; k++) {
		const struct launch *l = &w->launch[k];
		bool any = false;

		for (size_t i = 0; i < w->n; i++)
			any |= inside(&w->range[i], l);
		*(any ? &in : &out) += l->end - l->start;
	}
	assert_int_equal(g->t.attributed_ns, in);
	assert_int_equal(g->t.unattributed_ns, out);
}

static void check_stacks(struct given_ranges *g, const struct world *w)
{
	bool two = false;

	for (size_t i = 1; i < w->n; i++)
		two |= w->range[i].domain != w->range[0].domain;
	assert_true(two); /* so that domains are named */
	assert_int_equal(ks_ranges_stacks(g->r, &g->arena, &g->err), KS_OK);
	for (size_t k = 0; k < LAUNCHES; k++) {
		const struct launch *l = &w->launch[k];
		const uint32_t stack =
			ks_ranges_stack(g->r, ks_ranges_segment(g->r, l->thread, l->call));
		char text[512];

		path_text(w, l, -1, text);
		if (*text)
			assert_string_equal(ks_ranges_stack_text(g->r, stack).p, text);
		else
			assert_int_equal(stack, UINT32_MAX);
	}
}

static void check_unions(struct given_ranges *g, const struct world *w)
{
	struct ks_phase p[100];
	const size_t n = g->t.n_phases;

	memcpy(p, g->t.phase, n * sizeof(p[0]));
	assert_int_equal(ks_ranges_union_begin(g->r, p, n, &g->err), KS_OK);
	for (size_t k = 0; k < LAUNCHES; k++)
		ks_ranges_union_add(g->r,
				    ks_ranges_segment(g->r, w->launch[k].thread, w->launch[k].call),
				    w->launch[k].start, w->launch[k].end);
	ks_ranges_union_end(g->r, p, n);
	for (size_t i = 0; i < n; i++) {
		unsigned name = 0;

		while (!ks_str_eqc(p[i].name, names[name]))
			name++;
		assert_int_equal(p[i].gpu_ns, sums_of(w, p[i].domain_id, name).gpu);
	}
}

static void check_view(struct given_ranges *g, const struct world *w)
{
	struct ks_range_view v, open[RANGES];
	size_t seen = 0, depth = 0;
	uint32_t lane = UINT32_MAX;
	bool used[RANGES] = { false };
	ks_ns last = 0;

	assert_int_equal(ks_ranges_rewind(g->r, &g->err), KS_OK);
	while (ks_ranges_next(g->r, &v)) {
		size_t i = 0;

		if (v.lane != lane) {
			assert_int_equal(v.lane, lane + 1); /* lanes come one by one */
			depth = 0;
			last = v.start_ns;
			lane = v.lane;
		}
		assert_true(v.start_ns >= last);
		last = v.start_ns;
		while (depth > 0 && open[depth - 1].end_ns <= v.start_ns)
			depth--;
		assert_int_equal(v.depth, depth);
		if (depth > 0)
			assert_true(open[depth - 1].end_ns >= v.end_ns); /* it nests */
		open[depth++] = v;
		while (i < w->n &&
		       (used[i] || w->range[i].thread != v.thread ||
			w->range[i].domain != v.domain_id || w->range[i].start != v.start_ns ||
			w->range[i].end != v.end_ns ||
			!ks_str_eqc(v.name, names[w->range[i].name])))
			i++;
		assert_true(i < w->n);
		used[i] = true;
		seen++;
	}
	assert_int_equal(seen, w->n);
}

static void check_instances(struct given_ranges *g, const struct world *w)
{
	for (unsigned n = 0; n < NAMES; n++) {
		const ks_str name = ks_str_c(names[n]);
		struct ks_range_found found;
		uint64_t number = 0;

		for (ks_ns t = 0; t < HORIZON; t++) {
			for (size_t i = 0; i < w->n; i++) {
				if (w->range[i].name != n || w->range[i].start != t)
					continue;
				assert_true(ks_ranges_instance(g->r, name, KS_STR_NONE, number++,
							       &found));
				assert_int_equal(found.from, t);
			}
		}
		assert_false(ks_ranges_instance(g->r, name, KS_STR_NONE, number, &found));
		assert_int_equal(found.have, number);
	}
}

static void check_world(uint64_t seed, bool shuffled)
{
	struct given_ranges g;
	struct world w;

	make_world(&w, seed);
	given_ranges(&g);
	add_world(&g, &w, shuffled, seed + 1);
	assert_int_equal(ks_ranges_overlap_begin(g.r, &g.err), KS_OK);
	for (size_t k = 0; k < LAUNCHES; k++)
		assert_int_equal(ks_ranges_overlap_add(g.r, w.launch[k].thread & ~0xffffffLL,
						       w.launch[k].start, w.launch[k].end, &g.err),
				 KS_OK);
	assert_int_equal(ks_ranges_overlap_end(g.r, &g.err), KS_OK);
	when_answered(&g);
	check_phases(&g, &w);
	check_attributed(&g, &w);
	check_paths(&g, &w);
	check_stacks(&g, &w);
	check_unions(&g, &w);
	check_view(&g, &w);
	check_instances(&g, &w);
	check_overlap(&g, &w);
	given_ranges_release(&g);
}

static void random_ranges_come_out_as_counted_by_hand(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		check_world(seed * 7919, false);
		check_world(seed * 7919, true);
	}
}

int test_ranges_brute(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_ranges_come_out_as_counted_by_hand),
	};

	return cmocka_run_group_tests_name("ranges, counted by hand", tests, NULL, NULL);
}
