/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX ranges as they come in, and what is asked of them for every call and launch. Takes structure
 * for what a row is and its type only for what structure cannot say; invents no end for a range
 * that was never closed.
 */
#include "analyze/ranges_internal.h"

#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

/* Cut points from the last one found up to which steps that double are the shorter way. */
#define NEAR_CUTS 64

enum ks_status ks_ranges_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "NVTX ranges", NULL);
}

enum ks_status ks_ranges_overflow(struct ks_err *err)
{
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

static enum ks_status too_many(struct ks_err *err, size_t have)
{
	char limit[KS_NUM_LEN];

	if (have < (size_t)ks_limit(KS_LIMIT_RANGES))
		return ks_ranges_no_memory(err);
	ks_num_i64(limit, ks_limit(KS_LIMIT_RANGES));
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "NVTX ranges", limit, NULL);
}

struct ks_ranges *ks_ranges_open(void)
{
	struct ks_ranges *r = ks_mem_alloc(sizeof(*r));

	if (!r)
		return NULL;
	ks_map_init(&r->thread_map, sizeof(int64_t), (size_t)ks_limit(KS_LIMIT_RANGES));
	ks_map_init(&r->domain_map, sizeof(struct ks_range_domain_key),
		    (size_t)ks_limit(KS_LIMIT_RANGES));
	ks_arena_init(&r->text, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	r->last_thread = KS_UNKNOWN;
	return r;
}

void ks_ranges_close(struct ks_ranges *r)
{
	if (!r)
		return;
	ks_ranges_overlap_close(r);
	ks_ranges_view_close(r);
	ks_map_release(&r->thread_map);
	ks_map_release(&r->domain_map);
	ks_arena_release(&r->text);
	void *const owned[] = { r->raw,	       r->point,     r->title,	     r->thread,
				r->group,      r->time,	     r->segment_ns,  r->segment_n,
				r->range,      r->order,     r->domain,	     r->name,
				r->thread_of,  r->heap.item, r->own,	     r->rank,
				r->union_mask, r->cover,     r->stack,	     r->stack_text,
				r->step_range, r->sum,	     r->overlap_sum, r->raw_name };

	for (size_t i = 0; i < KS_ARRAY_LEN(owned); i++)
		ks_mem_free(owned[i]);
	ks_mem_free(r);
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static bool is_no_range(int64_t type)
{
	return type == KS_RANGE_CATEGORY || type == KS_RANGE_THREAD ||
	       type == KS_RANGE_TEXT_CATEGORY || type == KS_RANGE_DOMAIN_DESTROY ||
	       (type >= KS_RANGE_NAME_DEVICE && type <= KS_RANGE_NAME_STREAM);
}

static int64_t process_of(int64_t thread)
{
	return thread == KS_UNKNOWN ? KS_UNKNOWN : thread >> 24;
}

/* Numbers of arrival of the row's thread and domain: [0] and [1]. */
static bool number_row(struct ks_ranges *r, const struct ks_range *row, uint32_t number[2])
{
	const int64_t domain = row->domain == KS_UNKNOWN ? 0 : row->domain;

	if (!r->any_add || r->last_add_thread != row->thread || r->last_add_domain != domain) {
		const struct ks_range_domain_key key = { process_of(row->thread), domain };

		r->any_add = false;
		r->last_add[0] = ks_map_add(&r->thread_map, &row->thread, NULL);
		r->last_add[1] = ks_map_add(&r->domain_map, &key, NULL);
		if (r->last_add[0] == KS_MAP_NONE || r->last_add[1] == KS_MAP_NONE)
			return false;
		r->any_add = true;
		r->last_add_thread = row->thread;
		r->last_add_domain = domain;
	}
	number[0] = r->last_add[0];
	number[1] = r->last_add[1];
	return true;
}

static enum ks_status add_title(struct ks_ranges *r, uint32_t key, uint32_t name,
				struct ks_err *err)
{
	if (!KS_GROW(r->title, r->title_cap, r->n_titles + 1, (size_t)ks_limit(KS_LIMIT_RANGES)))
		return too_many(err, r->n_titles);
	r->title[r->n_titles++] = (struct ks_range_domain_title){ key, name };
	return KS_OK;
}

static enum ks_status add_point(struct ks_ranges *r, const struct ks_range_point *p,
				struct ks_err *err)
{
	if (p->open)
		r->counts.open++;
	else
		r->counts.marks++;
	if (!KS_GROW(r->point, r->point_cap, r->n_points + 1, (size_t)ks_limit(KS_LIMIT_RANGES)))
		return too_many(err, r->n_points);
	r->point[r->n_points++] = *p;
	return KS_OK;
}

static enum ks_status add_closed(struct ks_ranges *r, const struct ks_range *row,
				 const struct ks_raw_range *closed, struct ks_err *err)
{
	if (!KS_GROW(r->raw, r->raw_cap, r->n_raw + 1, (size_t)ks_limit(KS_LIMIT_RANGES)))
		return too_many(err, r->n_raw);

	struct ks_raw_range *raw = &r->raw[r->n_raw++];

	*raw = *closed;
	raw->type = row->type >= 0 && row->type <= INT16_MAX ? (int16_t)row->type
							     : KS_RANGE_TYPE_UNKNOWN;
	raw->crosses = row->end_thread != KS_UNKNOWN && row->end_thread != row->thread;
	r->counts.closed++;
	r->counts.crossing += raw->crosses;
	return KS_OK;
}

enum ks_status ks_ranges_add(struct ks_ranges *r, const struct ks_range *row, uint32_t name,
			     struct ks_err *err)
{
	uint32_t number[2];

	r->counts.rows++;
	if (is_no_range(row->type))
		return KS_OK;
	if (!number_row(r, row, number))
		return too_many(err, r->thread_map.count > r->domain_map.count
					     ? r->thread_map.count
					     : r->domain_map.count);
	if (row->type == KS_RANGE_DOMAIN_CREATE)
		return add_title(r, number[1], name, err);

	const bool mark_type = row->type == KS_RANGE_MARK || row->type == KS_RANGE_TEXT_MARK;
	ks_ns length = 0;

	if (row->start_ns == KS_UNKNOWN ||
	    (row->end_ns != KS_UNKNOWN &&
	     (__builtin_sub_overflow(row->end_ns, row->start_ns, &length) || length < 0))) {
		r->counts.bad++;
		return KS_OK;
	}
	if (length == 0) /* or no end */
		return add_point(
			r,
			&(struct ks_range_point){ row->start_ns, name, number[0], number[1],
						  row->end_ns == KS_UNKNOWN && !mark_type },
			err);
	return add_closed(r, row,
			  &(struct ks_raw_range){ .start = row->start_ns,
						  .end = row->end_ns,
						  .name = name,
						  .thread = number[0],
						  .domain = number[1] },
			  err);
}

void ks_ranges_counts(const struct ks_ranges *r, struct ks_ranges_counts *c)
{
	*c = r->counts;
	c->names = r->n_groups;
	c->domains = 0;
	for (size_t i = 0; i < r->n_groups; i++)
		c->domains += i == 0 || r->group[i].domain != r->group[i - 1].domain;
	c->threads = 0;
	for (size_t i = 0; i < r->n_threads; i++)
		c->threads += r->thread[i + 1].range_at > r->thread[i].range_at;
	c->segments = r->n_cuts;
}

/* --- calls and launches --------------------------------------------------------------------------
 */

/* The last of time[lo .. hi) that is not after `at`, knowing that time[lo] is not. Without a
 * branch: calls of a shuffled file come at times that nobody can foresee. */
static uint32_t last_up_to(const ks_ns *time, uint32_t lo, uint32_t hi, ks_ns at)
{
	for (uint32_t n = hi - lo; n > 1;) {
		const uint32_t half = n / 2;

		lo += half * (uint32_t)(time[lo + half] <= at);
		n -= half;
	}
	return lo;
}

/* The same, sought from `from` on in steps that double. */
static uint32_t last_near(const ks_ns *time, uint32_t lo, uint32_t hi, uint32_t from, ks_ns at)
{
	if (time[from] <= at) {
		lo = from;
		for (uint32_t step = 1; step < hi - lo; step *= 2) {
			if (time[lo + step] > at) {
				hi = lo + step;
				break;
			}
			lo += step;
		}
		return last_up_to(time, lo, hi, at);
	}
	hi = from;
	for (uint32_t step = 1; step < hi - lo; step *= 2) {
		if (time[hi - step] <= at) {
			lo = hi - step;
			break;
		}
		hi -= step;
	}
	return last_up_to(time, lo, hi, at);
}

/* Where the time would be if those of the thread lay evenly. */
static uint32_t guess(const ks_ns *time, uint32_t lo, uint32_t hi, ks_ns at)
{
	const double low = (double)time[lo], width = (double)time[hi - 1] - low;

	if (at >= time[hi - 1])
		return hi - 1;
	return lo + (uint32_t)(((double)at - low) / width * (double)(hi - 1 - lo));
}

uint32_t ks_ranges_segment(struct ks_ranges *r, int64_t thread, ks_ns at)
{
	if (thread != r->last_thread) {
		const uint32_t number = ks_map_find(&r->thread_map, &thread);

		r->last_thread = thread;
		r->last_number = number == KS_MAP_NONE ? KS_MAP_NONE : r->thread_of[number];
	}
	/* two threads that are not known are not the same thread */
	if (r->last_number == KS_MAP_NONE || thread == KS_UNKNOWN)
		return KS_SEGMENT_NONE;

	struct ks_range_thread *t = &r->thread[r->last_number];
	const uint32_t end = t[1].cut_at;
	uint32_t from = t->cursor;

	if (t->cut_at == end || at < r->time[t->cut_at])
		return KS_SEGMENT_NONE;
	if (at < r->time[from] || (end - from > NEAR_CUTS && r->time[from + NEAR_CUTS] <= at))
		from = guess(r->time, t->cut_at, end, at);
	t->cursor = last_near(r->time, t->cut_at, end, from, at);
	return t->cursor;
}

void ks_ranges_count(struct ks_ranges *r, uint32_t segment, ks_ns duration)
{
	BUG_ON(r->summed);
	if (segment == KS_SEGMENT_NONE) {
		r->none_ns += duration;
		return;
	}
	r->segment_ns[segment] += duration;
	r->segment_n[segment]++;
}

void ks_ranges_sum_up(struct ks_ranges *r)
{
	ks_ns ns = 0;
	uint64_t n = 0;

	if (r->summed)
		return;
	for (size_t i = 0; i <= r->n_cuts; i++) {
		const ks_ns here_ns = r->segment_ns[i];
		const uint64_t here_n = r->segment_n[i];

		r->segment_ns[i] = ns;
		r->segment_n[i] = n;
		ns += here_ns;
		n += here_n;
	}
	r->summed = true;
}

struct ks_range_reading ks_ranges_projection(const struct ks_ranges *r)
{
	return (struct ks_range_reading){ r->segment_ns, r->segment_n, r->segment_n, false };
}

/* Of every launch that was counted, in a range or not. */
ks_ns ks_ranges_total_ns(const struct ks_ranges *r)
{
	return r->none_ns + r->segment_ns[r->n_cuts];
}
