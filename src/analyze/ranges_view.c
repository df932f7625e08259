/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges and marks for pictures: dealt to lanes in which they nest, and given out lane by lane. A
 * range goes to the first lane of its thread and domain that it fits in; it is never cut to fit.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"

struct view_lane {
	uint32_t thread, domain, number;
};

/* For every lane the end of what is open in it, most in the nodes above: the first lane with at
 * least so much room is found from the top. */
struct lane_tree {
	ks_ns *room;
	size_t cap; /* leaves, a power of two; leaf i is room[cap + i] */
};

struct ks_range_view_state {
	struct view_lane *lane;
	size_t n_lanes, lane_cap;
	uint32_t *lane_of; /* by range */
	uint32_t *order;   /* ranges by lane, start, longer first */
	ks_ns *open;	   /* ends in the lane at work */
	size_t n_open, at_lane, at_range, at_point;
};

void ks_ranges_view_close(struct ks_ranges *r)
{
	struct ks_range_view_state *v = r->view;

	if (!v)
		return;
	ks_mem_free(v->lane);
	ks_mem_free(v->lane_of);
	ks_mem_free(v->order);
	ks_mem_free(v->open);
	ks_mem_free(v);
	r->view = NULL;
}

/* --- the tree ------------------------------------------------------------------------------------
 */

static bool tree_widen(struct lane_tree *t)
{
	const size_t cap = t->cap ? t->cap * 2 : 4;
	ks_ns *room = ks_mem_alloc(2 * cap * sizeof(*room));

	if (!room)
		return false;
	for (size_t i = 0; i < cap; i++)
		room[cap + i] = i < t->cap ? t->room[t->cap + i] : INT64_MAX;
	for (size_t i = cap; i-- > 1;)
		room[i] = room[2 * i] > room[2 * i + 1] ? room[2 * i] : room[2 * i + 1];
	ks_mem_free(t->room);
	t->room = room;
	t->cap = cap;
	return true;
}

static void tree_set(struct lane_tree *t, size_t lane, ks_ns room)
{
	size_t i = t->cap + lane;

	t->room[i] = room;
	while ((i /= 2) >= 1)
		t->room[i] =
			t->room[2 * i] > t->room[2 * i + 1] ? t->room[2 * i] : t->room[2 * i + 1];
}

/* The first lane with room up to `end`; SIZE_MAX: no memory. */
static size_t tree_first(struct lane_tree *t, ks_ns end)
{
	size_t i = 1;

	while (t->cap == 0 || t->room[1] < end) {
		if (!tree_widen(t))
			return SIZE_MAX;
	}
	while (i < t->cap)
		i = t->room[2 * i] >= end ? 2 * i : 2 * i + 1;
	return i - t->cap;
}

/* --- dealing -------------------------------------------------------------------------------------
 */

struct dealing {
	struct ks_ranges *r;
	struct ks_range_view_state *v;
	struct lane_tree tree;
	uint32_t *outer; /* by range: what it lies in, in its lane */
	uint32_t *inner; /* by lane of the run: what is open in it */
	size_t inner_cap;
	size_t n_run; /* lanes of the run */
};

static void leave_lanes(struct dealing *d, size_t base, ks_ns start)
{
	struct ks_ranges *r = d->r;

	while (r->heap.n > 0 && r->heap.item[0].end <= start) {
		/* pushed as ~range: of two that end together the inner one comes first */
		const uint32_t range = ~ks_range_heap_pop(&r->heap), outer = d->outer[range];
		const size_t lane = d->v->lane_of[range] - base;

		d->inner[lane] = outer;
		tree_set(&d->tree, lane,
			 outer == KS_RANGE_NONE ? INT64_MAX : ks_range_end(r, outer));
	}
}

static bool enter_lane(struct dealing *d, size_t base, uint32_t range)
{
	const ks_ns end = ks_range_end(d->r, range);
	const size_t lane = tree_first(&d->tree, end);

	if (lane == SIZE_MAX || !KS_GROW(d->inner, d->inner_cap, lane + 1, UINT32_MAX))
		return false;
	d->outer[range] = lane < d->n_run ? d->inner[lane] : KS_RANGE_NONE;
	d->inner[lane] = range;
	d->v->lane_of[range] = (uint32_t)(base + lane);
	if (lane >= d->n_run)
		d->n_run = lane + 1;
	tree_set(&d->tree, lane, end);
	return ks_range_heap_push(&d->r->heap, end, ~range);
}

static bool add_lanes(struct dealing *d, uint32_t thread, uint32_t domain, size_t n)
{
	struct ks_range_view_state *v = d->v;

	if (!KS_GROW(v->lane, v->lane_cap, v->n_lanes + n, UINT32_MAX))
		return false;
	for (size_t i = 0; i < n; i++)
		v->lane[v->n_lanes++] = (struct view_lane){ thread, domain, (uint32_t)i };
	return true;
}

/* Deals the ranges by_lane[at ...) of one thread and domain; returns where the next begin,
 * SIZE_MAX: no memory. */
static size_t deal_run(struct dealing *d, const uint32_t *row, size_t at)
{
	const struct ks_ranges *r = d->r;
	const uint32_t thread = r->range[row[at]].thread, domain = ks_range_domain_of(r, row[at]);
	const size_t base = d->v->n_lanes;

	d->n_run = 0;
	for (; at < r->n_ranges && r->range[row[at]].thread == thread &&
	       ks_range_domain_of(r, row[at]) == domain;
	     at++) {
		leave_lanes(d, base, ks_range_start(r, row[at]));
		if (!enter_lane(d, base, row[at]))
			return SIZE_MAX;
	}
	leave_lanes(d, base, INT64_MAX);
	return add_lanes(d, thread, domain, d->n_run) ? at : SIZE_MAX;
}

/* Stable: `from` (NULL: 0, 1, 2 ...) into `to` by domain, or by thread. */
static bool sort_rows(const struct ks_ranges *r, const uint32_t *from, uint32_t *to, bool threads)
{
	const size_t n_keys = threads ? r->n_threads : r->n_domains;
	uint32_t *at = ks_mem_alloc((n_keys + 2) * sizeof(*at));

	if (!at)
		return false;
	for (uint32_t i = 0; i < r->n_ranges; i++)
		at[(threads ? r->range[i].thread : ks_range_domain_of(r, i)) + 1]++;
	for (size_t i = 1; i <= n_keys; i++)
		at[i] += at[i - 1];
	for (uint32_t i = 0; i < r->n_ranges; i++) {
		const uint32_t row = from ? from[i] : i;

		to[at[threads ? r->range[row].thread : ks_range_domain_of(r, row)]++] = row;
	}
	ks_mem_free(at);
	return true;
}

/* Marks of a thread and domain stand in its first lane, which is made for them if need be: as many
 * as come before (thread, domain), which has ranges, or all. */
static bool add_mark_lanes(struct dealing *d, size_t *point, uint32_t thread, uint32_t domain)
{
	const struct ks_ranges *r = d->r;
	uint32_t last[2] = { KS_RANGE_NONE, KS_RANGE_NONE };

	for (; *point < r->n_points; (*point)++) {
		const struct ks_range_point *p = &r->point[*point];
		const bool before = p->thread != thread ? p->thread < thread : p->domain < domain;
		const bool here = p->thread == thread && p->domain == domain;

		if (!before && !here)
			break;
		if (here || p->open || (p->thread == last[0] && p->domain == last[1]))
			continue;
		last[0] = p->thread;
		last[1] = p->domain;
		if (!add_lanes(d, p->thread, p->domain, 1))
			return false;
	}
	return true;
}

static bool deal_all(struct dealing *d, const uint32_t *row)
{
	const struct ks_ranges *r = d->r;
	size_t point = 0;

	for (size_t i = 0; i < r->n_ranges;) {
		if (!add_mark_lanes(d, &point, r->range[row[i]].thread,
				    ks_range_domain_of(r, row[i])))
			return false;
		i = deal_run(d, row, i);
		if (i == SIZE_MAX)
			return false;
	}
	return add_mark_lanes(d, &point, KS_RANGE_NONE, KS_RANGE_NONE);
}

/* Ranges by lane; within a lane they stay in order of start. */
static bool order_by_lane(const struct ks_ranges *r, struct ks_range_view_state *v)
{
	uint32_t *at = ks_mem_alloc((v->n_lanes + 2) * sizeof(*at));

	if (!at)
		return false;
	for (size_t i = 0; i < r->n_ranges; i++)
		at[v->lane_of[i] + 1]++;
	for (size_t i = 1; i <= v->n_lanes; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < r->n_ranges; i++)
		v->order[at[v->lane_of[i]]++] = (uint32_t)i;
	ks_mem_free(at);
	return true;
}

static bool make_view(struct ks_ranges *r, struct ks_range_view_state *v)
{
	uint32_t *by_domain = ks_mem_alloc(r->n_ranges * sizeof(*by_domain));
	struct dealing d = { .r = r,
			     .v = v,
			     .outer = ks_mem_alloc(r->n_ranges * sizeof(*d.outer)) };
	bool ok = by_domain && d.outer;

	v->lane_of = ks_mem_alloc(r->n_ranges * sizeof(*v->lane_of));
	v->order = ks_mem_alloc(r->n_ranges * sizeof(*v->order));
	v->open = ks_mem_alloc((r->heap.cap + 1) * sizeof(*v->open));
	r->heap.n = 0;
	ok = ok && v->lane_of && v->order && v->open && sort_rows(r, NULL, by_domain, false) &&
	     sort_rows(r, by_domain, v->order, true) && deal_all(&d, v->order) &&
	     order_by_lane(r, v);
	ks_mem_free(by_domain);
	ks_mem_free(d.outer);
	ks_mem_free(d.inner);
	ks_mem_free(d.tree.room);
	return ok;
}

/* --- giving out ----------------------------------------------------------------------------------
 */

enum ks_status ks_ranges_rewind(struct ks_ranges *r, struct ks_err *err)
{
	KS_TRY(ks_ranges_settled(r, err));
	if (!r->view) {
		r->view = ks_mem_alloc(sizeof(*r->view));
		if (!r->view || !make_view(r, r->view)) {
			ks_ranges_view_close(r);
			return ks_ranges_no_memory(err);
		}
	}
	r->view->at_lane = r->view->at_range = r->view->at_point = r->view->n_open = 0;
	return KS_OK;
}

/* The next mark, if it is one of this lane. */
static const struct ks_range_point *mark_here(const struct ks_ranges *r,
					      struct ks_range_view_state *v)
{
	const struct view_lane *lane = &v->lane[v->at_lane];

	while (v->at_point < r->n_points && r->point[v->at_point].open)
		v->at_point++;
	if (v->at_point == r->n_points || lane->number > 0)
		return NULL;

	const struct ks_range_point *p = &r->point[v->at_point];

	return p->thread == lane->thread && p->domain == lane->domain ? p : NULL;
}

static void fill_view(const struct ks_ranges *r, struct ks_range_view_state *v,
		      struct ks_range_view *out, uint32_t name)
{
	const struct view_lane *lane = &v->lane[v->at_lane];

	while (v->n_open > 0 && v->open[v->n_open - 1] <= out->start_ns)
		v->n_open--;
	out->lane = (uint32_t)v->at_lane;
	out->thread = r->thread[lane->thread].id;
	out->domain_id = r->domain[lane->domain].id;
	out->domain = r->domain[lane->domain].name;
	out->name = r->name[name];
	out->lane_number = lane->number;
	out->name_number = name;
	out->depth = (unsigned)v->n_open;
}

bool ks_ranges_next(struct ks_ranges *r, struct ks_range_view *out)
{
	struct ks_range_view_state *v = r->view;

	for (; v->at_lane < v->n_lanes; v->at_lane++, v->n_open = 0) {
		const struct ks_range_point *mark = mark_here(r, v);
		const uint32_t range =
			v->at_range < r->n_ranges ? v->order[v->at_range] : KS_RANGE_NONE;
		const bool here = range != KS_RANGE_NONE && v->lane_of[range] == v->at_lane;

		if (mark && (!here || mark->at < ks_range_start(r, range))) {
			out->start_ns = out->end_ns = mark->at;
			v->at_point++;
			fill_view(r, v, out, mark->name);
			return true;
		}
		if (here) {
			out->start_ns = ks_range_start(r, range);
			out->end_ns = ks_range_end(r, range);
			v->at_range++;
			fill_view(r, v, out, r->group[r->range[range].group].name);
			v->open[v->n_open++] = out->end_ns;
			return true;
		}
	}
	return false;
}
