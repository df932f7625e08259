/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline as a whole: which modules a run needs, the passes over the launches in order of
 * time, and the answers put side by side. Every number is made by the module it belongs to.
 */
#include "analyze/timeline.h"

#include "analyze/folded.h"
#include "analyze/totals.h"
#include "base/num.h"
#include "base/str.h"

/* Kernels in the picture of durations: about as many blocks as a page shows at once. */
enum { PICTURED_KERNELS = 6 };

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "timeline", NULL);
}

static void window_of_times(struct ks_analysis *a)
{
	const struct ks_window_spec *spec = &a->window_spec;

	if (spec->kind != KS_WINDOW_TIME)
		return;
	a->window.on = true;
	a->window.from = spec->from != KS_UNKNOWN ? spec->from : -(INT64_C(1) << 62);
	a->window.to = spec->to != KS_UNKNOWN ? spec->to : INT64_C(1) << 62;
}

enum ks_status ks_timeline_open(struct ks_analysis *a, struct ks_err *err)
{
	const struct ks_selection *sel = a->sel;
	const size_t spill = (size_t)ks_limit(KS_LIMIT_TIMELINE_SPILL_BYTES);

	if (!sel->timeline || a->sweep)
		return KS_OK;
	KS_TRY(ks_window_parse(sel->within, &a->window_spec, err));
	window_of_times(a);
	KS_TRY(ks_comm_open(&a->comm, sel->comm, sel->n_comm, err));
	ks_comm_within(a->comm, a->ctx->io, &a->window);
	a->ranges = ks_ranges_open();
	a->calls = a->ranges ? ks_calls_open(a->ctx->io, a->ranges, &a->window) : NULL;
	a->sweep = ks_sweep_open(a->ctx->io, spill);
	a->copies = ks_copies_open(a->ctx->io);
	if (sel->keep_slices || sel->draw_timeline)
		a->slices = ks_slices_open(a->ctx->io, sel->slice_limit, sel->lanes);
	if (!a->ranges || !a->calls || !a->sweep || !a->copies)
		return no_memory(err);
	if ((sel->keep_slices || sel->draw_timeline) && !a->slices)
		return no_memory(err);
	ks_ranges_redact(a->ranges, a->ctx->redact);
	ks_comm_redact(a->comm, a->ctx->redact);
	return KS_OK;
}

void ks_timeline_close(struct ks_analysis *a)
{
	ks_slices_close(a->slices);
	ks_copies_close(a->copies);
	ks_sweep_close(a->sweep);
	ks_calls_close(a->calls);
	ks_ranges_close(a->ranges);
	ks_comm_close(a->comm);
}

/* --- launches in order of time -------------------------------------------------------------------
 */

static bool is_selected(const struct ks_analysis *a, uint32_t pair)
{
	const struct ks_pair_key *at = ks_launches_pair_key(&a->launches, pair);

	return a->device[a->launches.track[at->track].device].selected;
}

static enum ks_status count_into_ranges(void *arg, const struct ks_sweep_row *row,
					struct ks_err *err)
{
	struct ks_analysis *a = arg;

	(void)err;
	if (is_selected(a, row->pair))
		ks_ranges_count(a->ranges, row->segment, row->end_ns - row->start_ns);
	return KS_OK;
}

static enum ks_status add_to_unions(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct ks_analysis *a = arg;

	(void)err;
	if (row->segment != KS_SEGMENT_NONE && is_selected(a, row->pair))
		ks_ranges_union_add(a->ranges, row->segment, row->start_ns, row->end_ns);
	return KS_OK;
}

static enum ks_status add_to_overlap(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct ks_analysis *a = arg;
	const struct ks_pair_key *at = ks_launches_pair_key(&a->launches, row->pair);

	if (!is_selected(a, row->pair))
		return KS_OK;
	return ks_ranges_overlap_add(a->ranges,
				     ks_launches_track_key(&a->launches, at->track)->process,
				     row->start_ns, row->end_ns, err);
}

static bool has_ranges(const struct ks_analysis *a)
{
	struct ks_ranges_counts c;

	ks_ranges_counts(a->ranges, &c);
	return c.closed > 0;
}

/* No launch call was recorded: what a thread launched is not known, only when it ran. */
static bool by_overlap(const struct ks_analysis *a)
{
	return a->sel->by_overlap || !ks_calls_any(a->calls);
}

/* The window must have a part of the trace in it, or of its other rows where nothing ran. */
static enum ks_status check_window(struct ks_analysis *a, struct ks_err *err)
{
	ks_ns from, to;
	char number[2][KS_NUM_LEN], text[KS_ERR_ARG_LEN];

	ks_totals_whole_span(a, &from, &to);
	if (!a->window.on || (from < to && a->window.from < to && a->window.to > from))
		return KS_OK;
	snprintf(text, sizeof(text), "%.*s", (int)a->sel->within.n, a->sel->within.p);
	if (from == to)
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_AN_WITHIN_NO_TIME, text, NULL);
	ks_num_i64(number[0], from);
	ks_num_i64(number[1], to);
	return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_AN_WITHIN_OUTSIDE, text, number[0],
			  number[1], NULL);
}

enum ks_status ks_timeline_run(struct ks_analysis *a, struct ks_err *err)
{
	ks_ns from, to;

	if (!a->sweep)
		return KS_OK;
	KS_TRY(check_window(a, err));
	KS_TRY(ks_comm_groups(a, err));
	KS_TRY(ks_sweep_settle(a->sweep, err));
	ks_totals_span(a, &from, &to);
	KS_TRY(ks_sweep_run(a, from, to, err));
	if (!has_ranges(a))
		return KS_OK;
	if (by_overlap(a) || a->sel->keep_phases) {
		KS_TRY(ks_ranges_overlap_begin(a->ranges, err));
		KS_TRY(ks_sweep_each(a->sweep, add_to_overlap, a, err));
		KS_TRY(ks_ranges_overlap_end(a->ranges, err));
	}
	return ks_sweep_each(a->sweep, count_into_ranges, a, err);
}

/* --- the answers ---------------------------------------------------------------------------------
 */

/* Those that have a part in the window, whole: they follow each other, and keep their numbers. */
static void steps_of_window(const struct ks_window *w, struct ks_steps *s)
{
	const struct ks_step *all = s->step;
	size_t from = 0, to = s->n;

	while (from < to && all[from].end_ns <= w->from)
		from++;
	while (to > from && all[to - 1].start_ns >= w->to)
		to--;
	s->first_number = from;
	s->step = all + from;
	s->n = to - from;
	s->n_warmup = s->n_outliers = 0;
	for (size_t i = 0; i < s->n; i++) {
		s->n_warmup += s->step[i].mark == KS_STEP_WARMUP;
		s->n_outliers += s->step[i].mark == KS_STEP_OUTLIER;
	}
}

/* By overlap nobody knows what a step launched. */
static enum ks_status answer_steps(const struct ks_analysis *a, struct ks_timeline *t,
				   struct ks_err *err)
{
	struct ks_step *step;

	t->steps = a->steps;
	ks_ranges_steps_time(a->ranges, &t->steps);
	if (a->window.on && t->steps.n > 0)
		steps_of_window(&a->window, &t->steps);
	if (t->steps.n == 0 || !t->by_overlap)
		return KS_OK;
	step = KS_ARENA_NEWS(a->arena, struct ks_step, t->steps.n);
	if (!step)
		return no_memory(err);
	memcpy(step, t->steps.step, t->steps.n * sizeof(*step));
	for (size_t i = 0; i < t->steps.n; i++)
		step[i].kernel_ns = KS_UNKNOWN;
	t->steps.step = step;
	return KS_OK;
}

static enum ks_status answer_ranges(struct ks_analysis *a, struct ks_timeline *t,
				    struct ks_err *err)
{
	const struct ks_ranges_ask ask = {
		.max_phases = (size_t)ks_limit(KS_LIMIT_LISTED),
		.paths = a->sel->keep_paths,
		.max_paths = (size_t)ks_limit(KS_LIMIT_PATHS),
		.window_on = a->window.on,
		.from = a->window.from,
		.to = a->window.to,
	};

	t->by_overlap = has_ranges(a) && by_overlap(a);
	t->no_call_launches = a->no_call_launches;
	if (t->by_overlap)
		KS_TRY(ks_ranges_answer_overlap(a->ranges, &ask, a->arena, t, err));
	else
		KS_TRY(ks_ranges_answer(a->ranges, &ask, a->arena, t, err));
	KS_TRY(answer_steps(a, t, err));
	if (t->n_phases && !t->by_overlap) {
		struct ks_phase *phase = KS_ARENA_NEWS(a->arena, struct ks_phase, t->n_phases);

		if (!phase)
			return no_memory(err);
		memcpy(phase, t->phase, t->n_phases * sizeof(*phase));
		KS_TRY(ks_ranges_union_begin(a->ranges, phase, t->n_phases, err));
		KS_TRY(ks_sweep_each(a->sweep, add_to_unions, a, err));
		ks_ranges_union_end(a->ranges, phase, t->n_phases);
		t->phase = phase;
	}
	if (a->sel->keep_phases) {
		t->phases = ks_ranges_phases(a->ranges, &ask, a->arena);
		if (!t->phases)
			return no_memory(err);
	}
	return KS_OK;
}

static enum ks_status answer_pictures(struct ks_analysis *a, struct ks_report *r,
				      struct ks_timeline *t, struct ks_err *err)
{
	if (a->sel->keep_folded)
		KS_TRY(ks_folded_make(a, t, err));
	if (a->sel->draw_durations)
		KS_TRY(ks_durations_make(a, PICTURED_KERNELS, t, err));
	if (!a->slices)
		return KS_OK;
	KS_TRY(ks_slices_settle(a, r, err));
	t->slices = ks_slices_log(a->slices);
	if (a->sel->draw_timeline)
		KS_TRY(ks_picture_make(a, t->slices, (unsigned)ks_limit(KS_LIMIT_PICTURE_COLUMNS),
				       &t->picture, err));
	return KS_OK;
}

enum ks_status ks_timeline_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct ks_timeline *t = a->sweep ? KS_ARENA_NEW(a->arena, struct ks_timeline) : NULL;

	if (!a->sweep)
		return KS_OK;
	if (!t)
		return no_memory(err);
	a->timeline = t;
	r->timeline = t;
	t->window = (struct ks_window_facts){ .on = a->window.on,
					      .text = r->within,
					      .from_ns = r->span_start_ns,
					      .to_ns = r->span_start_ns + r->span_ns,
					      .cut_launches = a->window.cut_launches };
	KS_TRY(ks_ranges_publish(a->ranges, err));
	KS_TRY(answer_ranges(a, t, err));
	KS_TRY(ks_sweep_answer(a, r, t, err));
	KS_TRY(ks_copies_answer(a, r, t, err));
	KS_TRY(ks_comm_answer(a->comm, a->ref_text, a->arena, t, err));
	KS_TRY(ks_calls_answer(a, t, err));
	return answer_pictures(a, r, t, err);
}
