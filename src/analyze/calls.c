/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CUDA call launched a row of work: calls by process and correlation id, sorted once, found
 * by cursor. Holds nothing per launch and joins nothing that is not certain.
 */
#include "analyze/calls_internal.h"
#include "base/mem.h"

enum ks_status ks_calls_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "calls", NULL);
}

enum ks_status ks_calls_add_ns(ks_ns *sum, ks_ns ns, struct ks_err *err)
{
	if (__builtin_add_overflow(*sum, ns, sum))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
	return KS_OK;
}

bool ks_calls_is_id(int64_t correlation)
{
	return correlation > 0 && correlation < INT64_C(1) << KS_CALLS_ID_BITS;
}

int64_t ks_calls_key(uint32_t process, int64_t correlation)
{
	return (int64_t)((uint64_t)correlation << KS_CALLS_PROCESS_BITS | process);
}

ks_str ks_calls_text(const struct ks_analysis *a, uint32_t name)
{
	return name < a->refs.count && name < a->ref_cap && a->ref_text[name].n ? a->ref_text[name]
										: KS_LIT("");
}

/* --- life ----------------------------------------------------------------------------------------
 */

struct ks_calls *ks_calls_open_sized(const struct ks_io *io, struct ks_ranges *ranges,
				     const struct ks_window *window,
				     const struct ks_calls_budget *budget)
{
	struct ks_calls *c = ks_mem_alloc(sizeof(*c));

	if (!c)
		return NULL;
	c->ranges = ranges;
	c->window = window;
	c->budget = *budget;
	ks_map_init(&c->process, sizeof(int64_t), (size_t)ks_limit(KS_LIMIT_PROCESSES));
	c->last_number = KS_MAP_NONE;

	const bool index = ks_callindex_open(&c->calls, io, budget->call_bytes);
	const bool chains = ks_callindex_open(&c->chains, io, budget->call_bytes);
	const bool waiting = ks_callindex_open(&c->waiting, io, budget->call_bytes);
	const bool graphs = ks_graphs_open(&c->graphs, io, budget);
	const bool sites = ks_sites_open(&c->sites, io, budget);

	if (index && chains && waiting && graphs && sites)
		return c;
	ks_calls_close(c);
	return NULL;
}

struct ks_calls *ks_calls_open(const struct ks_io *io, struct ks_ranges *ranges,
			       const struct ks_window *window)
{
	const struct ks_calls_budget budget = {
		.call_bytes = (size_t)ks_limit(KS_LIMIT_CALL_SPILL_BYTES),
		.side_bytes = (size_t)ks_limit(KS_LIMIT_CALL_SIDE_BYTES),
		.keys = (size_t)ks_limit(KS_LIMIT_CALL_KEYS),
	};

	return ks_calls_open_sized(io, ranges, window, &budget);
}

void ks_calls_close(struct ks_calls *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_devices; i++) {
		ks_sketch_release(&c->device[i].launch);
		ks_sketch_release(&c->device[i].queue);
	}
	ks_sketch_release(&c->sum.launch);
	ks_sketch_release(&c->sum.queue);
	ks_map_release(&c->process);
	ks_callindex_release(&c->calls);
	ks_callindex_release(&c->chains);
	ks_callindex_release(&c->waiting);
	ks_graphs_release(&c->graphs);
	ks_sites_release(&c->sites);
	ks_mem_free(c->rank);
	ks_mem_free(c->slot);
	ks_mem_free(c->api);
	ks_mem_free(c->device);
	ks_mem_free(c);
}

struct ks_calls_device *ks_calls_device(struct ks_calls *c, uint32_t device, struct ks_err *err)
{
	if (device < c->n_devices)
		return &c->device[device];
	if (!KS_GROW(c->device, c->device_cap, (size_t)device + 1,
		     (size_t)ks_limit(KS_LIMIT_DEVICES) + 1)) {
		(void)ks_calls_no_memory(err);
		return NULL;
	}
	c->n_devices = (size_t)device + 1;
	return &c->device[device];
}

/* --- rows ----------------------------------------------------------------------------------------
 */

bool ks_calls_inside(const struct ks_calls *c, ks_ns start, ks_ns end, ks_ns *ns)
{
	const struct ks_window *w = c->window;

	*ns = 0;
	if (!ks_time_is_known(end) || end <= start)
		return !w || !w->on || (start >= w->from && start < w->to);
	if (w && !ks_window_clip(w, &start, &end))
		return false;
	*ns = end - start;
	return true;
}

/* KS_MAP_NONE with *err set when there are too many. */
static uint32_t process_of(struct ks_calls *c, int64_t thread, struct ks_err *err)
{
	const int64_t process = thread == KS_UNKNOWN ? KS_UNKNOWN : thread >> 24;

	if (process == c->last_process && c->last_number != KS_MAP_NONE)
		return c->last_number;

	const uint32_t number = ks_map_add(&c->process, &process, NULL);

	if (number == KS_MAP_NONE && c->process.count >= c->process.max)
		(void)ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "PROCESSES", "262144",
				 NULL);
	else if (number == KS_MAP_NONE)
		(void)ks_calls_no_memory(err);
	c->last_process = process;
	c->last_number = number;
	return number;
}

static uint32_t packed_duration(const struct ks_call *row)
{
	if (row->event_class == KS_CALL_BACKTRACE)
		return KS_CALLS_BACKTRACE_ROW;
	if (!ks_time_is_known(row->end_ns) || row->end_ns < row->start_ns ||
	    row->end_ns - row->start_ns >= KS_CALLS_BACKTRACE_ROW)
		return KS_CALLS_OPEN;
	return (uint32_t)(row->end_ns - row->start_ns);
}

/* Chain 0 is "none" in files whose ids start at 1, unless a row exists for the chain alone. */
static bool has_chain(const struct ks_call *row)
{
	return row->chain > 0 || (row->chain == 0 && row->event_class == KS_CALL_BACKTRACE);
}

static enum ks_status index_call(struct ks_calls *c, const struct ks_call *row, struct ks_err *err)
{
	const uint32_t process = process_of(c, row->thread, err);

	if (process == KS_MAP_NONE)
		return err && err->status != KS_OK ? err->status : KS_E_ENV;

	const int64_t key = ks_calls_key(process, row->correlation);
	const uint32_t segment = c->ranges
					 ? ks_ranges_segment(c->ranges, row->thread, row->start_ns)
					 : KS_SEGMENT_NONE;
	const int64_t rec[KS_CALLINDEX_WORDS] = {
		key, row->start_ns, (int64_t)((uint64_t)segment << 32 | packed_duration(row))
	};

	KS_TRY(ks_callindex_add(&c->calls, rec, err));
	if (!has_chain(row))
		return KS_OK;
	ks_sites_chain(&c->sites, row->chain);

	const int64_t chain[KS_CALLINDEX_WORDS] = { key, row->start_ns, row->chain };

	return ks_callindex_add(&c->chains, chain, err);
}

enum ks_status ks_calls_waits(struct ks_calls *c, const struct ks_call *row, struct ks_err *err)
{
	if (!ks_calls_is_id(row->correlation) || !ks_launch_is_good(row->start_ns, row->end_ns))
		return KS_OK;
	const uint32_t process = process_of(c, row->thread, err);

	if (process == KS_MAP_NONE)
		return err && err->status != KS_OK ? err->status : KS_E_ENV;
	const int64_t rec[KS_CALLINDEX_WORDS] = { ks_calls_key(process, row->correlation),
						  row->start_ns, row->end_ns };

	return ks_callindex_add(&c->waiting, rec, err);
}

enum ks_status ks_calls_add(struct ks_calls *c, const struct ks_call *row, uint32_t name,
			    struct ks_err *err)
{
	const bool is_call = row->event_class != KS_CALL_BACKTRACE;

	if (!ks_time_is_known(row->start_ns)) {
		c->bad_rows += is_call;
		return KS_OK;
	}
	c->rows += is_call;
	if (is_call)
		KS_TRY(ks_calls_count_api(c, row, name, err));
	if (ks_calls_is_id(row->correlation))
		return index_call(c, row, err);
	c->no_id += is_call;
	return KS_OK;
}

/* --- order ---------------------------------------------------------------------------------------
 */

struct ranked {
	int64_t process;
	uint32_t number;
};

static int by_process(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return (a->process > b->process) - (a->process < b->process);
}

/* Numbers of processes in order of arrival become places in order of their ids, so that nothing
 * depends on the order of rows. */
static bool rank_processes(struct ks_calls *c)
{
	const size_t n = c->process.count;
	struct ranked *list = ks_mem_alloc((n + 1) * sizeof(*list));

	c->rank = ks_mem_alloc((n + 1) * sizeof(*c->rank));
	if (!list || !c->rank) {
		ks_mem_free(list);
		return false;
	}
	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct ranked){ *(const int64_t *)ks_map_key(&c->process, i), i };
	qsort(list, n, sizeof(*list), by_process);
	for (uint32_t i = 0; i < n; i++)
		c->rank[list[i].number] = i;
	ks_mem_free(list);
	return true;
}

static void by_rank(int64_t *rec, void *arg)
{
	const uint32_t *rank = arg;
	const uint64_t key = (uint64_t)rec[0];
	const uint64_t number = key & ((UINT64_C(1) << KS_CALLS_PROCESS_BITS) - 1);

	rec[0] = ks_calls_key(rank[number], (int64_t)(key >> KS_CALLS_PROCESS_BITS));
}

enum ks_status ks_calls_settle(struct ks_calls *c, struct ks_err *err)
{
	void (*rekey)(int64_t *, void *) = c->process.count > 1 ? by_rank : NULL;

	if (!rank_processes(c))
		return ks_calls_no_memory(err);
	KS_TRY(ks_callindex_settle(&c->calls, rekey, c->rank, err));
	KS_TRY(ks_callindex_settle(&c->waiting, rekey, c->rank, err));
	return ks_callindex_settle(&c->chains, rekey, c->rank, err);
}

bool ks_calls_any(const struct ks_calls *c)
{
	return c->calls.count > 0;
}

uint64_t ks_calls_count(const struct ks_calls *c)
{
	return c->rows;
}
