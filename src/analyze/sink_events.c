/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows only the timeline asks for, each handed to the module that counts it, clipped to the
 * window. Here the window is settled too: after the ranges, before the first row of work. Computes
 * no result.
 */
#include "analyze/sink.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* --- the window ----------------------------------------------------------------------------------
 */

static enum ks_status within(struct ks_err *err, enum ks_text text, ks_str given, ks_str more)
{
	char shown[KS_ERR_ARG_LEN], rest[KS_ERR_ARG_LEN];

	snprintf(shown, sizeof(shown), "%.*s", (int)given.n, given.p);
	snprintf(rest, sizeof(rest), "%.*s", (int)more.n, more.p);
	return ks_err_set(err, KS_E_NOMATCH, (int)text, shown, rest, NULL);
}

static enum ks_status within_count(struct ks_err *err, enum ks_text text, ks_str given,
				   uint64_t count)
{
	char number[KS_NUM_LEN];
	const size_t n = ks_num_u64(number, count);

	return within(err, text, given, (ks_str){ number, n });
}

static enum ks_status no_such_range(struct ks_analysis *a, struct ks_err *err)
{
	const struct ks_window_spec *spec = &a->window_spec;
	ks_str near[5] = { KS_STR_NONE };
	struct ks_buf list;
	size_t n = ks_ranges_nearest(a->ranges, spec->name, near, KS_ARRAY_LEN(near));

	if (n == 0)
		return within(err, KS_TEXT_ERR_AN_WITHIN_NO_RANGES, spec->text, KS_STR_NONE);
	ks_buf_init(&list, 64 * KS_ERR_ARG_LEN);
	for (size_t i = 0; i < n; i++)
		near[i] = ks_redact_name(a->ctx->redact, KS_NAME_RANGE, near[i]);
	for (size_t i = 0; i < n; i++)
		ks_buf_fmt(&list, "%s%.*s", i ? ", " : "", (int)(near[i].n < 40 ? near[i].n : 40),
			   near[i].p);
	const enum ks_status st =
		within(err, KS_TEXT_ERR_AN_WITHIN_NO_RANGE, spec->text, ks_buf_view(&list));

	ks_buf_release(&list);
	return st;
}

static enum ks_status window_of_range(struct ks_analysis *a, struct ks_err *err)
{
	const struct ks_window_spec *spec = &a->window_spec;
	struct ks_range_found found;

	if (ks_ranges_instance(a->ranges, spec->name, spec->domain, (uint64_t)spec->first,
			       &found)) {
		a->window.from = found.from;
		a->window.to = found.to;
		return KS_OK;
	}
	if (found.have == 0)
		return no_such_range(a, err);
	return within_count(err, KS_TEXT_ERR_AN_WITHIN_INSTANCE, spec->text, found.have);
}

/* From the start of the first step to the start of the one behind the last, so that windows of
 * steps behind each other leave nothing out; the last step ends where it ends. */
static enum ks_status window_of_steps(struct ks_analysis *a, struct ks_err *err)
{
	const struct ks_window_spec *spec = &a->window_spec;
	const struct ks_steps *s = &a->steps;

	if (s->n == 0)
		return within(err, KS_TEXT_ERR_AN_WITHIN_NO_STEPS, spec->text, KS_STR_NONE);
	if ((uint64_t)spec->last > s->n)
		return within_count(err, KS_TEXT_ERR_AN_WITHIN_STEP_COUNT, spec->text, s->n);
	a->window.from = s->step[spec->first].start_ns;
	a->window.to = (uint64_t)spec->last < s->n ? s->step[spec->last].start_ns
						   : s->step[s->n - 1].end_ns;
	return KS_OK;
}

static enum ks_status settle_window(struct ks_analysis *a, struct ks_err *err)
{
	switch (a->window_spec.kind) {
	case KS_WINDOW_ALL:
	case KS_WINDOW_TIME:
		return KS_OK; /* settled when the analysis was opened */
	case KS_WINDOW_RANGE:
		KS_TRY(window_of_range(a, err));
		break;
	case KS_WINDOW_STEPS:
		KS_TRY(window_of_steps(a, err));
		break;
	}
	a->window.on = true;
	return KS_OK;
}

/* --- ranges --------------------------------------------------------------------------------------
 */

enum ks_status ks_sink_on_schema(void *self, const struct ks_payload_entry *e, struct ks_err *err)
{
	struct ks_analysis *a = self;

	return ks_comm_schema(a->comm, e, err);
}

enum ks_status ks_sink_on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const uint32_t name = ks_sink_name(a, r->name);

	KS_TRY(ks_ranges_add(a->ranges, r, name, err));
	return r->payload.n || r->json.n ? ks_comm_range(a->comm, r, name, err) : KS_OK;
}

enum ks_status ks_sink_on_ranges_done(void *self, struct ks_err *err)
{
	struct ks_analysis *a = self;

	if (a->no_memory)
		return ks_sink_no_memory(err);
	KS_TRY(ks_ranges_settle(a->ranges, a->ref_text,
				a->n_told < a->ref_cap ? a->n_told : a->ref_cap, err));
	KS_TRY(ks_ranges_steps(a->ranges, a->sel->step_name, a->arena, &a->steps, err));
	return settle_window(a, err);
}

/* --- calls and what surrounds them ---------------------------------------------------------------
 */

enum ks_status ks_sink_on_thread(void *self, const struct ks_trace_thread *t, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const size_t max = (size_t)ks_limit(KS_LIMIT_THREADS);

	if (a->n_threads >= max)
		return ks_sink_too_many(err, "THREADS", KS_LIMIT_THREADS);
	if (!KS_GROW(a->thread, a->thread_cap, a->n_threads + 1, max))
		return ks_sink_no_memory(err);
	a->thread[a->n_threads] = *t;
	a->thread[a->n_threads++].name =
		ks_redact_name(a->ctx->redact, KS_NAME_THREAD, ks_arena_dup(a->arena, t->name));
	return ks_arena_failed(a->arena) ? ks_sink_no_memory(err) : KS_OK;
}

enum ks_status ks_sink_on_overhead(void *self, const struct ks_overhead *o, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const int64_t process = o->thread == KS_UNKNOWN ? KS_UNKNOWN : o->thread >> 24;

	/* Outside the window too: the sweep clips, and knows that overhead was recorded at all. */
	if (!o->profiler || !ks_launch_is_good(o->start_ns, o->end_ns))
		return KS_OK;
	return ks_sweep_overhead(a->sweep, process, o->start_ns, o->end_ns, err);
}

enum ks_status ks_sink_on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const uint32_t name = ks_sink_name(a, c->name);

	a->meta.api_calls++;
	if (a->slices)
		KS_TRY(ks_slices_call(a->slices, c, name, err));
	KS_TRY(ks_calls_add(a->calls, c, name, err));
	return c->event_class == KS_CALL_BACKTRACE ? KS_OK : ks_sink_host_work(a, c, name, err);
}

enum ks_status ks_sink_on_calls_done(void *self, struct ks_err *err)
{
	struct ks_analysis *a = self;

	return ks_calls_settle(a->calls, err);
}

enum ks_status ks_sink_on_graph_run(void *self, const struct ks_graph_run *g, struct ks_err *err)
{
	struct ks_analysis *a = self;
	struct ks_graph_run row = *g;

	if (!ks_launch_is_good(row.start_ns, row.end_ns) ||
	    !ks_window_clip(&a->window, &row.start_ns, &row.end_ns))
		return KS_OK;
	const uint32_t device = ks_sink_device(a, g->process, g->device, err);

	return device == UINT32_MAX ? KS_E_INPUT : ks_calls_graph_run(a->calls, &row, device, err);
}

enum ks_status ks_sink_on_frame(void *self, const struct ks_frame *f, struct ks_err *err)
{
	struct ks_analysis *a = self;

	if (!ks_calls_wants_chain(a->calls, f->chain))
		return KS_OK;
	const uint32_t symbol = ks_sink_name(a, f->symbol), module = ks_sink_name(a, f->module);

	return ks_calls_frame(a->calls, f, symbol, module, err);
}

/* --- work ----------------------------------------------------------------------------------------
 */

enum ks_status ks_sink_launch(struct ks_analysis *a, const struct ks_launch *row,
			      const struct ks_pair_key *at, const struct ks_sink_span *inside,
			      struct ks_err *err)
{
	const uint32_t device = a->launches.track[at->track].device;
	const uint32_t pair = ks_launches_pair(&a->launches, at, err);
	struct ks_call_hit hit = { .segment = KS_SEGMENT_NONE };

	if (pair == KS_MAP_NONE)
		return err && err->status != KS_OK ? err->status : KS_E_ENV;
	KS_TRY(ks_calls_launch(a->calls, row, device, at->group, &hit, err));
	a->no_call_launches += !hit.found;
	if (a->slices)
		KS_TRY(ks_slices_launch(a->slices, row, pair, &hit, err));
	const struct ks_sweep_row swept = { inside->start_ns, inside->end_ns, pair, hit.segment };

	return ks_sweep_launch(a->sweep, &swept, err);
}

enum ks_status ks_sink_copy_slice(struct ks_analysis *a, const struct ks_copy *c, uint32_t device,
				  struct ks_err *err)
{
	struct ks_call_hit hit = { .segment = KS_SEGMENT_NONE };

	if (!a->slices)
		return KS_OK;
	KS_TRY(ks_calls_find(a->calls, c->process, c->correlation, &hit, err));
	return ks_slices_copy(a->slices, c, device, &hit, err);
}

enum ks_status ks_sink_memset_slice(struct ks_analysis *a, const struct ks_memset *m,
				    uint32_t device, struct ks_err *err)
{
	struct ks_call_hit hit = { .segment = KS_SEGMENT_NONE };

	if (!a->slices)
		return KS_OK;
	KS_TRY(ks_calls_find(a->calls, m->process, m->correlation, &hit, err));
	return ks_slices_memset(a->slices, m, device, &hit, err);
}

enum ks_status ks_sink_on_sync(void *self, const struct ks_sync *s, struct ks_err *err)
{
	struct ks_analysis *a = self;
	ks_ns start = s->start_ns, end = s->end_ns;

	if (!ks_launch_is_good(start, end) || !ks_window_clip(&a->window, &start, &end))
		return KS_OK;
	const uint32_t device = ks_sink_device(a, s->process, s->device, err);

	if (device == UINT32_MAX)
		return KS_E_INPUT;
	if (a->slices)
		KS_TRY(ks_slices_sync(a->slices, s, device, err));
	return ks_calls_sync(a->calls, s, device, err);
}

enum ks_status ks_sink_on_memory(void *self, const struct ks_memory *m, struct ks_err *err)
{
	struct ks_analysis *a = self;
	const uint32_t device = ks_sink_device(a, m->process, m->device, err);

	if (device == UINT32_MAX)
		return KS_E_INPUT;
	if (a->slices)
		KS_TRY(ks_slices_memory(a->slices, m, device, err));
	return ks_copies_memory(a->copies, m, device, err);
}
