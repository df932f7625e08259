/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CUDA call launched a row of work, and what follows from it for the row. Holds nothing per
 * launch and joins nothing that is not certain.
 */
#include "analyze/calls_internal.h"

/* --- finding -------------------------------------------------------------------------------------
 */

/* Place of the process among those that called; KS_MAP_NONE when it did not, or is not known and
 * could be any of several. */
static uint32_t rank_of(struct ks_calls *c, int64_t global_pid)
{
	if (!c->rank || c->process.count == 0)
		return KS_MAP_NONE;
	if (global_pid == KS_UNKNOWN)
		return c->process.count == 1 ? 0 : KS_MAP_NONE;

	const int64_t process = global_pid >> 24;

	if (process != c->last_process || c->last_number == KS_MAP_NONE) {
		c->last_process = process;
		c->last_number = ks_map_find(&c->process, &process);
	}
	return c->last_number == KS_MAP_NONE ? KS_MAP_NONE : c->rank[c->last_number];
}

static void fill_hit(const struct ks_callfound *found, int64_t key, struct ks_call_hit *hit)
{
	const uint64_t first = (uint64_t)found->rec[2];
	uint32_t duration = (uint32_t)first;
	ks_ns start = found->rec[1];

	hit->found = true;
	hit->start_ns = start;
	hit->segment = (uint32_t)(first >> 32);
	hit->number = found->number;
	if (duration == KS_CALLS_BACKTRACE_ROW && found->next && found->next[0] == key) {
		duration = (uint32_t)(uint64_t)found->next[2];
		start = found->next[1];
	}
	if (duration < KS_CALLS_BACKTRACE_ROW)
		hit->end_ns = start + duration;
}

enum ks_status ks_calls_find(struct ks_calls *c, int64_t process, int64_t correlation,
			     struct ks_call_hit *hit, struct ks_err *err)
{
	struct ks_callfound found;

	*hit = (struct ks_call_hit){ .start_ns = KS_UNKNOWN,
				     .end_ns = KS_UNKNOWN,
				     .segment = KS_SEGMENT_NONE };
	if (!ks_calls_is_id(correlation))
		return KS_OK;

	const uint32_t rank = rank_of(c, process);

	if (rank == KS_MAP_NONE)
		return KS_OK;

	const int64_t key = ks_calls_key(rank, correlation);

	KS_TRY(ks_callindex_find(&c->calls, rank, key, &found, err));
	if (found.rec)
		fill_hit(&found, key, hit);
	return KS_OK;
}

enum ks_status ks_calls_made_waiting(struct ks_calls *c, const struct ks_call_work *work,
				     bool *waited, struct ks_err *err)
{
	struct ks_callfound found;

	*waited = false;
	if (!ks_calls_is_id(work->correlation) || c->waiting.count == 0)
		return KS_OK;
	const uint32_t rank = rank_of(c, work->process);

	if (rank == KS_MAP_NONE)
		return KS_OK;
	KS_TRY(ks_callindex_find(&c->waiting, rank, ks_calls_key(rank, work->correlation), &found,
				 err));
	*waited = found.rec && found.rec[2] >= work->end_ns;
	return KS_OK;
}

/* --- work ----------------------------------------------------------------------------------------
 */

static enum ks_status count_chain(struct ks_calls *c, int64_t process, int64_t correlation,
				  uint32_t group, struct ks_err *err)
{
	const uint32_t rank = rank_of(c, process);
	struct ks_callfound found;

	if (rank == KS_MAP_NONE)
		return KS_OK;
	KS_TRY(ks_callindex_find(&c->chains, rank, ks_calls_key(rank, correlation), &found, err));
	return found.rec ? ks_sites_launch(c, found.rec[2], group, err) : KS_OK;
}

static bool call_is_inside(const struct ks_calls *c, const struct ks_call_hit *hit)
{
	ks_ns ns;

	return hit->found && ks_calls_inside(c, hit->start_ns, hit->end_ns, &ns);
}

enum ks_status ks_calls_launch(struct ks_calls *c, const struct ks_launch *row, uint32_t device,
			       uint32_t group, struct ks_call_hit *hit, struct ks_err *err)
{
	ks_ns start = row->start_ns, end = row->end_ns;

	KS_TRY(ks_calls_find(c, row->process, row->correlation, hit, err));
	if (c->window && !ks_window_clip(c->window, &start, &end))
		return KS_OK;
	if (hit->found && c->chains.count > 0)
		KS_TRY(count_chain(c, row->process, row->correlation, group, err));
	if (row->graph_node == 0 || row->graph_node == KS_UNKNOWN)
		return ks_calls_latency(c, row, device, hit, err);

	const struct ks_graph_work_row node = {
		row->process, row->correlation,	     row->graph_node, device, group, start,
		end,	      call_is_inside(c, hit)
	};

	return ks_graphs_node(c, &node, err);
}

enum ks_status ks_calls_graph_run(struct ks_calls *c, const struct ks_graph_run *row,
				  uint32_t device, struct ks_err *err)
{
	struct ks_graph_work_row run = { .process = row->process,
					 .correlation = row->correlation,
					 .device = device,
					 .start_ns = row->start_ns,
					 .end_ns = row->end_ns };
	struct ks_call_hit hit;

	if (!ks_launch_is_good(row->start_ns, row->end_ns) ||
	    (c->window && !ks_window_clip(c->window, &run.start_ns, &run.end_ns)))
		return KS_OK;
	KS_TRY(ks_calls_find(c, row->process, row->correlation, &hit, err));
	run.called = call_is_inside(c, &hit);
	return ks_graphs_run(c, &run, err);
}

enum ks_status ks_calls_sync(struct ks_calls *c, const struct ks_sync *row, uint32_t device,
			     struct ks_err *err)
{
	const size_t type = row->type > 0 && row->type < KS_SYNC_TYPES ? (size_t)row->type : 0;
	ks_ns start = row->start_ns, end = row->end_ns;

	(void)device; /* threads wait, devices do not */
	if (!ks_launch_is_good(start, end) ||
	    (c->window && !ks_window_clip(c->window, &start, &end)))
		return KS_OK;
	c->sync_rows[type]++;
	return ks_calls_add_ns(&c->sync_ns[type], end - start, err);
}

enum ks_status ks_calls_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	KS_TRY(ks_calls_answer_api(a, t, err));
	KS_TRY(ks_graphs_answer(a, t, err));
	return ks_sites_answer(a, t, err);
}
