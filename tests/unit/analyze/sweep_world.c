/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and tables for tests of the sweep.
 */
#include "sweep_world.h"

uint32_t sweep_name(const struct world *w, uint32_t what)
{
	return what & KS_SWEEP_WORK ? NAMES + (what & ~KS_SWEEP_WORK) : w->name[what];
}

static int compare(void *arg, uint32_t a, uint32_t b)
{
	const struct world *w = arg;

	return (int)sweep_name(w, a) - (int)sweep_name(w, b);
}

struct ks_sweep_plan sweep_plan(struct world *w)
{
	return (struct ks_sweep_plan){ .from = w->from,
				       .to = w->to,
				       .pair = w->pair,
				       .n_pairs = PAIRS,
				       .n_tracks = TRACKS,
				       .device_on = w->on,
				       .label = w->label,
				       .n_devices = DEVICES,
				       .n_kernels = KERNELS,
				       .user = w->user,
				       .n_users = w->n_users,
				       .compare = compare,
				       .arg = w };
}

struct ks_sweep *swept_world(struct world *w, size_t spill)
{
	struct ks_sweep *s = ks_sweep_open(&ks_io_system, spill);

	assert_non_null(s);
	for (size_t i = 0; i < w->n; i++) {
		const struct row *r = &w->row[i];
		const struct ks_sweep_row launch = { r->start, r->end, r->which, (uint32_t)i };

		if (r->kind == LAUNCH)
			assert_int_equal(ks_sweep_launch(s, &launch, NULL), KS_OK);
		else if (r->kind == WORK)
			assert_int_equal(
				ks_sweep_work(s, r->which, r->what, r->start, r->end, NULL), KS_OK);
		else
			assert_int_equal(
				ks_sweep_overhead(s, (int64_t)r->which, r->start, r->end, NULL),
				KS_OK);
	}
	assert_int_equal(ks_sweep_settle(s, NULL), KS_OK);
	const struct ks_sweep_plan plan = sweep_plan(w);

	assert_int_equal(ks_sweep_merge(s, &plan, NULL), KS_OK);
	return s;
}

struct world *new_sweep_world(void)
{
	struct world *w = ks_mem_alloc(sizeof(*w));

	assert_non_null(w);
	return w;
}

void given_sweep_device(struct world *w)
{
	*w = (struct world){ .on = { true }, .label = { 0, 1, 2 }, .to = 100 };
	for (uint32_t i = 0; i < PAIRS; i++) {
		w->pair[i] = (struct ks_sweep_pair){ UINT32_MAX, 0, KERNELS, false };
		if (i < TRACKS)
			w->pair[i] = (struct ks_sweep_pair){ 0, i, i, i == 3 };
		w->name[i] = i % NAMES;
	}
	w->user[w->n_users++] = (struct ks_sweep_user){ 7, 0 };
}

void given_sweep_row(struct world *w, unsigned kind, uint32_t which, ks_ns start, ks_ns end)
{
	w->row[w->n++] = (struct row){ kind, which, KS_COPY_HTOD, start, end };
}

uint32_t random_below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)(next_random(seed) % n);
}
