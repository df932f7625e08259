/* SPDX-License-Identifier: Apache-2.0
 *
 * Section NvtxPhases: kernel time by NVTX range and the steps of the program, out of the report's
 * timeline. Says which of the two readings it is; counts nothing itself.
 */
#include "analyze/emit.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/value.h"

#define TOP_PHASES 8   /* contract 04: top 8 by kernel time */
#define SLUG_BYTES 120 /* of a name; its place in the list tells longer ones apart */

struct nvtx_rows {
	struct ks_emit *e;
	const struct ks_timeline *t;
	ks_str table; /* of ranges, calls and kernels */
	struct ks_msg by_kernels, by_ranges;
	ks_id attributed, unattributed;
};

static struct ks_msg plain(enum ks_text id)
{
	return (struct ks_msg){ .id = id };
}

static struct ks_ev_spec nvtx_spec(const struct nvtx_rows *n, enum ks_metric metric, bool kernels)
{
	struct ks_ev_spec spec = ks_emit_spec(n->e, metric, kernels ? n->by_kernels : n->by_ranges,
					      "start,end,globalTid,domainId", n->t->ranges);

	spec.origin.table = kernels ? n->table : KS_LIT("NVTX_EVENTS");
	if (kernels)
		spec.origin.rows += n->e->r->contents.kernels;
	return spec;
}

static ks_id put_ms(const struct nvtx_rows *n, const struct ks_ev_spec *spec, double ns)
{
	return ks_emit_row(n->e, ks_ev_derived(n->e->ev, spec, KS_VAL_REAL(ns / KS_NS_PER_MS)));
}

static ks_id put_count(const struct nvtx_rows *n, const struct ks_ev_spec *spec, uint64_t count)
{
	return ks_emit_row(n->e, ks_ev_derived(n->e->ev, spec, KS_VAL_INT((int64_t)count)));
}

/* --- phases --------------------------------------------------------------------------------------
 */

static bool is_slug_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Letters and digits, everything else as '_', none at the ends; one '_' for a character of several
 * bytes. */
static ks_str slug_of(ks_str name, char out[SLUG_BYTES])
{
	size_t n = 0;

	for (size_t i = 0; i < name.n && n < SLUG_BYTES; i++) {
		const bool inside = ((unsigned char)name.p[i] & 0xc0) == 0x80; /* of UTF-8 */

		if (is_slug_char(name.p[i]))
			out[n++] = name.p[i];
		else if (n > 0 && !inside)
			out[n++] = '_';
	}
	while (n > 0 && out[n - 1] == '_')
		n--;
	return n > 0 ? (ks_str){ out, n } : KS_LIT("phase");
}

struct phase_rows {
	const struct nvtx_rows *n;
	const struct ks_phase *p;
	ks_str stem; /* "ks__nvtx_phase_0__step" */
	struct ks_msg note;
};

static struct ks_ev_spec phase_spec(const struct phase_rows *p, enum ks_metric metric,
				    const char *tail, bool kernels)
{
	struct ks_ev_spec spec = nvtx_spec(p->n, metric, kernels);

	spec.name = ks_arena_fmt(p->n->e->a->arena, "%.*s__%s", (int)p->stem.n, p->stem.p, tail);
	spec.origin.rows = p->p->instances + (kernels ? p->p->kernels : 0);
	spec.note = p->note;
	return spec;
}

static struct ks_msg phase_note(const struct nvtx_rows *n, const struct ks_phase *p)
{
	struct ks_arena *arena = n->e->a->arena;
	char depth[KS_NUM_LEN];
	ks_str *arg = KS_ARENA_NEWS(arena, ks_str, 3);
	const bool domain = n->t->n_domains > 1 && p->domain.n > 0;

	if (!arg)
		return (struct ks_msg){ 0 };
	ks_num_u64(depth, p->depth);
	arg[0] = p->name;
	arg[1] = ks_arena_dup(arena, ks_str_c(depth));
	arg[2] = p->domain;
	return domain ? (struct ks_msg){ KS_TEXT_AN_NOTE_NVTX_PHASE_DOMAIN, 3, arg }
		      : (struct ks_msg){ KS_TEXT_AN_NOTE_NVTX_PHASE, 2, arg };
}

static ks_id emit_phase_share(const struct phase_rows *p)
{
	const struct nvtx_rows *n = p->n;
	struct ks_ev_spec spec =
		phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_KERNEL_MS, "kernel_ms", true);
	const ks_ns all = n->t->attributed_ns + n->t->unattributed_ns;
	const ks_id inputs[] = { put_ms(n, &spec, (double)p->p->kernel_ns), n->attributed,
				 n->unattributed };

	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_SHARE_PCT, "share_pct", true);
	if (all > 0 && inputs[0] && inputs[1] && inputs[2]) {
		spec.inputs = inputs;
		spec.n_inputs = KS_ARRAY_LEN(inputs);
		ks_emit_row(n->e, ks_ev_derived(n->e->ev, &spec,
						KS_VAL_REAL(100.0 * (double)p->p->kernel_ns /
							    (double)all)));
	}
	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_TOTAL_MS, "total_ms", false);
	const ks_id total = put_ms(n, &spec, (double)p->p->wall_ns);

	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_KERNELS, "kernels", true);
	put_count(n, &spec, p->p->kernels);
	return total;
}

/* First the rows the original has, in its order (contract 04), then ours. */
static void emit_phase(const struct phase_rows *p)
{
	const struct nvtx_rows *n = p->n;
	const ks_id total = emit_phase_share(p);
	struct ks_ev_spec spec =
		phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_OWN_KERNEL_MS, "own_kernel_ms", true);

	put_ms(n, &spec, (double)p->p->own_ns);
	if (p->p->gpu_ns != KS_UNKNOWN) {
		spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_GPU_MS, "gpu_ms", true);
		put_ms(n, &spec, (double)p->p->gpu_ns);
	}
	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_INSTANCES, "instances", false);
	const ks_id inputs[] = { total, put_count(n, &spec, p->p->instances) };

	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_MEAN_MS, "mean_ms", false);
	if (inputs[0] && inputs[1]) {
		spec.inputs = inputs;
		spec.n_inputs = KS_ARRAY_LEN(inputs);
		put_ms(n, &spec, (double)p->p->wall_ns / (double)p->p->instances);
	}
	spec = phase_spec(p, KS_METRIC_KS_NVTX_PHASE_I_SLUG_MAX_MS, "max_ms", false);
	put_ms(n, &spec, (double)p->p->max_ns);
}

static size_t listed(const struct ks_timeline *t)
{
	return t->n_phases < TOP_PHASES ? t->n_phases : TOP_PHASES;
}

static void emit_phases(const struct nvtx_rows *n)
{
	for (size_t i = 0; i < listed(n->t); i++) {
		char text[SLUG_BYTES];
		const struct ks_phase *p = &n->t->phase[i];
		const ks_str slug = slug_of(p->name, text);
		const struct phase_rows rows = {
			.n = n,
			.p = p,
			.stem = ks_arena_fmt(n->e->a->arena, "ks__nvtx_phase_%zu__%.*s", i,
					     (int)slug.n, slug.p),
			.note = phase_note(n, p),
		};

		emit_phase(&rows);
	}
}

/* --- totals --------------------------------------------------------------------------------------
 */

static void emit_totals(struct nvtx_rows *n)
{
	const struct ks_timeline *t = n->t;
	struct ks_ev_spec spec = nvtx_spec(n, KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS, true);

	n->attributed = put_ms(n, &spec, (double)t->attributed_ns);
	spec = nvtx_spec(n, KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS, true);
	n->unattributed = put_ms(n, &spec, (double)t->unattributed_ns);
	spec = nvtx_spec(n, KS_METRIC_KS_NVTX_PHASE_COUNT, true);
	put_count(n, &spec, listed(t));
	spec = nvtx_spec(n, KS_METRIC_KS_NVTX_PHASE_OMITTED, true);
	put_count(n, &spec, t->phases_with_time - listed(t));
}

static void emit_exact(const struct nvtx_rows *n, enum ks_metric metric, uint64_t count)
{
	struct ks_ev_spec spec = nvtx_spec(n, metric, false);

	spec.origin.rows = count;
	ks_emit_row(n->e, ks_ev_exact(n->e->ev, &spec, KS_VAL_INT((int64_t)count)));
}

/* --- steps ---------------------------------------------------------------------------------------
 */

/* A step counts when a part of it lies in the window; its length is that of the whole. */
static bool step_counts(const struct ks_timeline *t, const struct ks_step *s)
{
	return !t->window.on || (s->end_ns > t->window.from_ns && s->start_ns < t->window.to_ns);
}

struct step_sums {
	size_t n, warmup, outliers;
	const struct ks_step *first;
	double *length, *kernel; /* of the plain ones and outliers */
	size_t n_steady;
};

static void sum_steps(const struct ks_timeline *t, struct step_sums *s)
{
	for (size_t i = 0; i < t->steps.n; i++) {
		const struct ks_step *step = &t->steps.step[i];

		if (!step_counts(t, step))
			continue;
		s->n++;
		s->warmup += step->mark == KS_STEP_WARMUP;
		s->outliers += step->mark == KS_STEP_OUTLIER;
		if (step->mark == KS_STEP_FIRST)
			s->first = step;
		if (step->mark == KS_STEP_FIRST || step->mark == KS_STEP_WARMUP)
			continue;
		s->length[s->n_steady] = (double)(step->end_ns - step->start_ns);
		s->kernel[s->n_steady++] = (double)step->kernel_ns;
	}
}

static ks_id put_step_ms(const struct nvtx_rows *n, enum ks_metric metric, double ns, bool kernels,
			 ks_id input)
{
	struct ks_ev_spec spec = nvtx_spec(n, metric, kernels);

	spec.origin.rows = n->t->steps.n;
	if (input) {
		spec.inputs = &input;
		spec.n_inputs = 1;
	}
	return put_ms(n, &spec, ns);
}

static void emit_step_times(const struct nvtx_rows *n, struct step_sums *s, ks_id count)
{
	if (s->first)
		put_step_ms(n, KS_METRIC_KS_STEP_FIRST_MS,
			    (double)(s->first->end_ns - s->first->start_ns), false, 0);
	if (s->n_steady == 0)
		return;
	const double p50 = ks_num_median(s->length, s->n_steady);
	const ks_id mid = put_step_ms(n, KS_METRIC_KS_STEP_P50_MS, p50, false, count);

	for (size_t i = 0; i < s->n_steady; i++)
		s->length[i] = s->length[i] > p50 ? s->length[i] - p50 : p50 - s->length[i];
	put_step_ms(n, KS_METRIC_KS_STEP_MAD_MS, ks_num_median(s->length, s->n_steady), false, mid);
	if (!n->t->by_overlap) /* by overlap nobody knows what a step launched */
		put_step_ms(n, KS_METRIC_KS_STEP_KERNEL_P50_MS,
			    ks_num_median(s->kernel, s->n_steady), true, count);
}

static void emit_steps(const struct nvtx_rows *n)
{
	const struct ks_steps *steps = &n->t->steps;
	struct step_sums s = { .length = ks_mem_alloc((steps->n + 1) * sizeof(double)),
			       .kernel = ks_mem_alloc((steps->n + 1) * sizeof(double)) };
	struct ks_ev_spec spec = nvtx_spec(n, KS_METRIC_KS_STEP_COUNT, false);
	ks_str *name = KS_ARENA_NEWS(n->e->a->arena, ks_str, 1);

	if (!s.length || !s.kernel || !name) {
		n->e->a->no_memory = true;
	} else {
		*name = steps->name;
		sum_steps(n->t, &s);
		spec.note =
			steps->n ? (struct ks_msg){ KS_TEXT_AN_NOTE_STEPS, 1, name } : steps->why;
		const ks_id count = put_count(n, &spec, s.n);

		if (steps->n > 0) {
			emit_step_times(n, &s, count);
			spec = nvtx_spec(n, KS_METRIC_KS_STEP_WARMUP_COUNT, false);
			put_count(n, &spec, s.warmup);
			spec = nvtx_spec(n, KS_METRIC_KS_STEP_OUTLIER_COUNT, false);
			put_count(n, &spec, s.outliers);
		}
	}
	ks_mem_free(s.length);
	ks_mem_free(s.kernel);
}

/* --- the section ---------------------------------------------------------------------------------
 */

static struct ks_msg why_not(const struct nvtx_rows *n)
{
	const struct ks_timeline *t = n->t;
	const uint64_t seen[3] = { t->open_ranges, t->marks, t->bad_ranges };
	const bool kernels = n->e->r->contents.kernels > 0;
	ks_str *arg = KS_ARENA_NEWS(n->e->a->arena, ks_str, 3);

	for (unsigned i = 0; arg && i < 3; i++) {
		char text[KS_NUM_LEN];

		ks_num_u64(text, t->ranges > 0 ? t->ranges : seen[i]);
		arg[i] = ks_arena_dup(n->e->a->arena, ks_str_c(text));
	}
	if (!arg)
		return (struct ks_msg){ 0 };
	if (t->ranges > 0)
		return (struct ks_msg){ KS_TEXT_AN_NVTX_NO_KERNELS, 1, arg };
	if (!kernels)
		return plain(KS_TEXT_AN_NO_NVTX_NOR_KERNELS);
	if (n->e->r->contents.nvtx_rows == 0)
		return plain(KS_TEXT_AN_NO_NVTX_AT_ALL);
	if (t->window.on)
		return plain(KS_TEXT_AN_NO_NVTX_IN_WINDOW);
	return (struct ks_msg){ KS_TEXT_AN_NO_NVTX_CLOSED, 3, arg };
}

/* Both reasons stand in the message where both are true (contract 05 §1.11). */
static void emit_refusals(const struct nvtx_rows *n)
{
	static const enum ks_metric metric[] = { KS_METRIC_KS_NVTX_ATTRIBUTED_KERNEL_MS,
						 KS_METRIC_KS_NVTX_UNATTRIBUTED_KERNEL_MS,
						 KS_METRIC_KS_NVTX_PHASE_COUNT,
						 KS_METRIC_KS_NVTX_PHASE_OMITTED };
	const struct ks_contents *c = &n->e->r->contents;
	const struct ks_kv seen[] = {
		{ KS_LIT("nvtx_rows"), KS_VAL_INT((int64_t)c->nvtx_rows) },
		{ KS_LIT("closed_ranges"), KS_VAL_INT((int64_t)n->t->ranges) },
		{ KS_LIT("kernel_rows"), KS_VAL_INT((int64_t)c->kernels) },
	};
	const struct ks_refuse_spec why = {
		.code = n->t->ranges > 0 ? KS_REFUSAL_NO_LAUNCH_ACTIVITY : KS_REFUSAL_NO_NVTX,
		.message = why_not(n),
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.degraded = true,
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(metric); i++) {
		const struct ks_ev_spec spec = { .metric = metric[i], .subject = n->e->subject };

		ks_emit_row(n->e, ks_ev_refuse(n->e->ev, &spec, &why));
	}
}

void ks_emit_nvtx_phases(struct ks_emit *e)
{
	static const struct ks_timeline nothing; /* the trace has no rows for a timeline */
	const struct ks_timeline *t = e->r->timeline ? e->r->timeline : &nothing;
	struct nvtx_rows n = {
		.e = e,
		.t = t,
		.table = t->by_overlap ? KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL,NVTX_EVENTS")
				       : KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL,"
						"CUPTI_ACTIVITY_KIND_RUNTIME,NVTX_EVENTS"),
		.by_kernels = plain(t->by_overlap ? KS_TEXT_AN_SRC_NVTX_OVERLAP
						  : KS_TEXT_AN_SRC_NVTX_CALL),
		.by_ranges = plain(KS_TEXT_AN_SRC_NVTX_RANGES),
	};
	const bool kernels = e->r->contents.kernels > 0;
	struct ks_msg note = { 0 };

	if (t->ranges > 0 && kernels) {
		emit_totals(&n);
		note = plain(t->by_overlap ? KS_TEXT_AN_NOTE_NVTX_OVERLAP
					   : KS_TEXT_AN_NOTE_NVTX_CALL);
	} else {
		emit_refusals(&n);
	}
	if (e->r->contents.nvtx_rows > 0) {
		emit_exact(&n, KS_METRIC_KS_NVTX_OPEN_RANGES, t->open_ranges);
		emit_exact(&n, KS_METRIC_KS_NVTX_MARKS, t->marks);
	}
	if (t->ranges > 0 && kernels)
		emit_phases(&n);
	if (t->ranges > 0)
		emit_steps(&n);
	ks_emit_section(e, KS_SECTION_NVTXPHASES, note);
}
