/* SPDX-License-Identifier: Apache-2.0
 *
 * What each rule of tables/rules.def claims of each device's time, as rows of DeviceStatistics, and
 * for every rule either how often it was met or why it could not be looked for. Decides nothing.
 */
#include "analyze/findings.h"
#include "analyze/sweep_internal.h"
#include "base/num.h"
#include "base/str.h"

struct device_rows {
	struct ks_emit *e;
	const struct ks_finding_facts *f;
	size_t gpu;
	ks_str stem; /* "ks__device_0__" */
};

static ks_str stem_of(struct ks_emit *e, const struct ks_gpu *g)
{
	if (g->label < 0)
		return KS_LIT("ks__device_unknown__");
	return ks_arena_fmt(e->a->arena, "ks__device_%lld__", (long long)g->label);
}

static ks_id row_of(const struct device_rows *d, const char *tail)
{
	const ks_str name = ks_arena_fmt(d->e->a->arena, "%.*s%s", (int)d->stem.n, d->stem.p, tail);

	return ks_ev_find(d->e->ev, name, d->e->subject);
}

/* The sums of the device that a rule's time is part of. */
static size_t parts_of(const struct device_rows *d, enum ks_rule rule, ks_id in[2])
{
	static const char *const tails[][2] = {
		[KS_RULE_IS_IDLE] = { "idle_ms", NULL },
		[KS_RULE_IS_ALONE] = { "time_copy_ms", NULL },
		[KS_RULE_IS_KERNEL] = { "time_compute_ms", "time_compute_copy_ms" },
	};
	const enum ks_rule_kind kind = ks_rule_info(rule)->kind;
	size_t n = 0;

	if (rule == KS_RULE_EXPOSED_COMM) {
		in[0] = row_of(d, "time_comm_ms");
		in[1] = row_of(d, "time_copy_comm_ms");
		return in[0] && in[1] ? 2 : 0;
	}
	if (kind == KS_RULE_IS_WHOLE)
		return 0;
	if (rule == KS_RULE_SCALAR_READ || rule == KS_RULE_BLOCKING_COPY ||
	    rule == KS_RULE_BLOCKING_MEMSET) /* the copy alone, and the gap behind it */
		in[n++] = row_of(d, "time_copy_ms");
	for (size_t i = 0; i < 2 && n < 2 && tails[kind][i]; i++)
		in[n++] = row_of(d, tails[kind][i]);
	for (size_t i = 0; i < n; i++) {
		if (in[i] == 0)
			return 0;
	}
	return n;
}

static struct ks_msg source(const struct ks_emit *e)
{
	return e->a->meta.synthetic ? e->by_time : (struct ks_msg){ .id = KS_TEXT_AN_SRC_FINDING };
}

/* Rules about the host rest on its calls as well. */
static ks_str tables_of(const struct ks_emit *e, enum ks_rule rule)
{
	if (e->a->meta.synthetic || !(ks_rule_info(rule)->needs & KS_NEEDS_CALLS))
		return e->all_tables;
	return ks_arena_fmt(e->a->arena, "%.*s,CUPTI_ACTIVITY_KIND_RUNTIME", (int)e->all_tables.n,
			    e->all_tables.p);
}

static void emit_claim(const struct device_rows *d, enum ks_rule rule)
{
	const struct ks_finding_sum *sum = ks_finding_of(d->f, d->gpu, rule);
	struct ks_ev_spec spec =
		ks_emit_spec(d->e, KS_METRIC_KS_DEVICE_N_FINDING_RULE_MS, source(d->e),
			     "start,end,deviceId", d->e->r->gpu[d->gpu].launches);
	ks_id in[2];

	if (sum->ns <= 0.0)
		return;
	spec.name = ks_arena_fmt(d->e->a->arena, "%.*sfinding_%s_ms", (int)d->stem.n, d->stem.p,
				 ks_rule_info(rule)->slug);
	spec.origin.table = tables_of(d->e, rule);
	spec.n_inputs = parts_of(d, rule, in);
	spec.inputs = in;
	ks_emit_row(d->e, ks_ev_derived(d->e->ev, &spec, KS_VAL_REAL(sum->ns / KS_NS_PER_MS)));
}

static struct ks_ev_spec rule_spec(struct ks_emit *e, enum ks_metric metric, const char *head,
				   enum ks_rule rule, const char *tail)
{
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, source(e), "start,end,deviceId", e->r->total_launches);

	spec.origin.table = tables_of(e, rule);
	spec.name = ks_arena_fmt(e->a->arena, "%s%s%s", head, ks_rule_info(rule)->slug, tail);
	return spec;
}

/* Of a rule without a bound: its time on the device where that is most. */
static void emit_touched(struct ks_emit *e, const struct ks_finding_facts *f, enum ks_rule rule)
{
	const struct ks_ev_spec spec = rule_spec(e, KS_METRIC_KS_FINDING_RULE_TOUCHED_MS,
						 "ks__finding_", rule, "_touched_ms");
	double most = 0.0;

	for (size_t i = 0; i < f->n_gpus; i++) {
		const double ns = ks_finding_of(f, i, rule)->ns;

		most = ns > most ? ns : most;
	}
	if (most > 0.0)
		ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(most / KS_NS_PER_MS)));
}

static void emit_about(struct ks_emit *e, const struct ks_finding_facts *f, enum ks_rule rule)
{
	const struct ks_finding_about *about = &f->about[rule];
	struct ks_ev_spec spec =
		rule_spec(e, KS_METRIC_KS_FINDING_RULE_KERNEL, "ks__finding_", rule, "_kernel");

	if (about->kernel.n > 0)
		ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_TEXT(about->kernel)));
	spec = rule_spec(e, KS_METRIC_KS_FINDING_RULE_DETAIL, "ks__finding_", rule, "_detail");
	if (about->detail.n > 0)
		ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_TEXT(about->detail)));
}

static void emit_count(struct ks_emit *e, const struct ks_finding_facts *f, enum ks_rule rule)
{
	const struct ks_ev_spec spec =
		rule_spec(e, KS_METRIC_KS_FINDING_RULE_COUNT, "ks__finding_", rule, "_count");
	const struct ks_finding_about *about = &f->about[rule];
	uint64_t n = 0;

	if (about->refusal != KS_REFUSAL_NONE) {
		const struct ks_refuse_spec why = { .code = about->refusal,
						    .message = { .id = about->why },
						    .degraded = true };

		ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &why));
		return;
	}
	for (size_t i = 0; i < f->n_gpus; i++)
		n += ks_finding_of(f, i, rule)->n;
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_INT((int64_t)n)));
}

void ks_emit_findings(struct ks_emit *e)
{
	struct ks_finding_facts f;

	if (!e->a->sweep || !ks_sweep_claims(e->a->sweep) || !e->a->timeline || e->r->span_ns <= 0)
		return;
	if (!ks_findings_gather(e->a, e->r, &f)) {
		e->a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < f.n_gpus; i++) {
		const struct device_rows d = { e, &f, i, stem_of(e, &e->r->gpu[i]) };

		for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
			if (f.about[r].refusal == KS_REFUSAL_NONE &&
			    ks_rule_info((enum ks_rule)r)->kind != KS_RULE_IS_WHOLE)
				emit_claim(&d, (enum ks_rule)r);
		}
	}
	for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
		const enum ks_rule rule = (enum ks_rule)r;

		emit_count(e, &f, rule);
		if (f.about[r].refusal != KS_REFUSAL_NONE)
			continue;
		if (ks_rule_info(rule)->kind == KS_RULE_IS_WHOLE)
			emit_touched(e, &f, rule);
		emit_about(e, &f, rule);
	}
}
