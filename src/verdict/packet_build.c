/* SPDX-License-Identifier: Apache-2.0
 *
 * The untrimmed packet of a report: texts clipped to the lengths of contract 03 §3, every code that
 * is named anywhere with what to do about it. Decides nothing and computes no number.
 */
#include <math.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "verdict/environment.h"
#include "verdict/findings.h"
#include "verdict/packet_internal.h"

/* --- parts ------------------------------------------------------------------------------------ */

static ks_str text_of(struct ks_packet_work *w, const struct ks_msg *m, size_t chars)
{
	struct ks_buf b;

	if (m->id == KS_TEXT_NONE)
		return KS_STR_NONE;
	ks_buf_init(&b, 1u << 26); /* room for the longest name */
	ks_msg_fmt(&b, (enum ks_lang)w->ctx->doc_lang, m);
	ks_str s = ks_clip(w->arena, ks_buf_keep(&b, w->arena), chars);

	ks_buf_release(&b);
	return s;
}

static const struct ks_refused *clip_refused(struct ks_packet_work *w, const struct ks_refused *r)
{
	struct ks_refused *out = r ? KS_ARENA_NEW(w->arena, struct ks_refused) : NULL;

	if (!out)
		return r;
	*out = *r;
	out->observed = ks_clip_kvs(w->arena, r->observed, &out->n_observed, true);
	out->threshold = ks_clip_kvs(w->arena, r->threshold, &out->n_threshold, true);
	return out;
}

static void clip_premises(struct ks_packet_work *w, struct ks_verdict_row *row)
{
	struct ks_premise_row *p = KS_ARENA_NEWS(w->arena, struct ks_premise_row, row->n_premises);

	for (size_t i = 0; p && i < row->n_premises; i++) {
		p[i] = row->premise[i];
		p[i].name = ks_clip_view(p[i].name, KS_CLIP_FACT);
		p[i].observed = ks_clip_value(w->arena, p[i].observed);
		p[i].threshold = ks_clip_value(w->arena, p[i].threshold);
	}
	row->premise = p;
	row->n_premises = p ? row->n_premises : 0;
}

static void add_verdict(struct ks_packet_work *w, const struct ks_verdict_row *src)
{
	struct ks_packet *p = w->p;
	struct ks_verdict_row *row = &p->verdict[p->n_verdicts];

	*row = *src;
	row->name = ks_clip_view(src->name, KS_CLIP_FACT);
	if (src->value.kind != KS_V_REAL) /* the number itself stays as it is */
		row->value = ks_clip_value(w->arena, src->value);
	row->fact = ks_clip_kvs(w->arena, src->fact, &row->n_facts, false);
	row->band = ks_clip_kvs(w->arena, src->band, &row->n_band, true);
	row->refused = clip_refused(w, src->refused);
	clip_premises(w, row);
	if (row->n_metrics > 3)
		row->n_metrics = 3;
	p->next_text[p->n_verdicts] = text_of(w, &src->next, KS_CLIP_NEXT);
	p->n_verdicts++;
}

static bool kept_first(const struct ks_verdict_row *row)
{
	return row->id != KS_VERDICT_NONE && ks_verdict_info(row->id)->kept_first;
}

/* Rule 4 of 02 §6: at most ten, the first five of the list kept before others, order unchanged. */
static void add_verdicts(struct ks_packet_work *w, const struct ks_verdicts *v)
{
	struct ks_packet *p = w->p;
	size_t first = 0, room;

	for (size_t i = 0; i < v->n; i++)
		first += kept_first(&v->row[i]);
	room = first < KS_PACKET_VERDICTS ? KS_PACKET_VERDICTS - first : 0;
	for (size_t i = 0; i < v->n; i++) {
		bool keep = kept_first(&v->row[i]);

		if (!keep && room > 0) {
			room--;
			keep = true;
		}
		if (keep && p->n_verdicts < KS_PACKET_VERDICTS)
			add_verdict(w, &v->row[i]);
		else if (p->n_more_verdicts < KS_ARRAY_LEN(p->more_verdict))
			p->more_verdict[p->n_more_verdicts++] = v->row[i].name;
	}
	p->n_more_listed = p->n_more_verdicts;
}

static void add_groups(struct ks_packet_work *w, const struct ks_verdicts *v)
{
	struct ks_packet *p = w->p;

	for (size_t i = 0; i < v->n_unmeasured; i++) {
		if (p->n_groups < KS_PACKET_GROUPS) {
			struct ks_unmeasured *g = &p->group[p->n_groups++];

			*g = v->unmeasured[i];
			for (size_t j = 0; j < g->n_examples; j++)
				g->example[j] = ks_clip(w->arena, g->example[j], KS_CLIP_FACT);
		} else {
			p->more_groups++;
			p->more_metrics += v->unmeasured[i].count;
		}
	}
}

static void add_next(struct ks_packet_work *w, const struct ks_verdicts *v)
{
	struct ks_packet *p = w->p;

	for (size_t i = 0; i < v->n_next && p->n_next < KS_PACKET_NEXT; i++) {
		p->next[p->n_next] = v->next[i];
		p->next_hint[p->n_next] = text_of(w, &v->next[i].hint, KS_CLIP_HINT);
		p->n_next++;
	}
	p->n_next_written = p->n_next < KS_PACKET_NEXT_WRITTEN ? p->n_next : KS_PACKET_NEXT_WRITTEN;
}

/* Those with a bound: the others say what to look at, not what it brings. To the nanosecond and a
 * thousandth of a percent, because every byte counts. */
static void add_findings(struct ks_packet *p, const struct ks_findings *f)
{
	for (size_t i = 0; f && i < f->n_found && p->n_findings < KS_PACKET_FINDINGS; i++) {
		const struct ks_finding_row *row = &f->row[i];

		if (!row->bounded)
			continue;
		p->finding[p->n_findings++] = (struct ks_packet_finding){
			.rule = row->slug,
			.share_pct = round(row->share_pct * 1e3) / 1e3,
			.bound_ms = round(row->ms * 1e6) / 1e6,
			.device = row->device,
		};
	}
}

static void add_environment(struct ks_packet_work *w)
{
	const struct ks_report *r = w->p->report;
	struct ks_packet *p = w->p;
	size_t n = 0;
	const struct ks_env_refusal *env =
		ks_environment(r, (enum ks_lang)w->ctx->doc_lang, w->arena, &n);

	for (size_t i = 0; env && i < n; i++) {
		if (p->n_env < KS_PACKET_ENV) {
			p->env[p->n_env].slug = env[i].slug;
			p->env[p->n_env++].message = ks_clip(w->arena, env[i].message, KS_CLIP_ENV);
			continue;
		}
		if (p->n_more_env_codes < KS_PACKET_ENV)
			p->more_env_code[p->n_more_env_codes++] = env[i].slug;
		p->more_env++;
	}
}

static void add_inputs(struct ks_packet *p, const struct ks_carried *c)
{
	if (!c)
		return;
	p->calibration = c->calibration;
	p->memtrace_name = c->memtrace_name;
	p->memtrace_sha256 = c->memtrace_sha256;
	if (c->clock_lock.n > 0)
		p->clock_lock = ks_clock_lock(p->report);
	const struct ks_selfcheck *s = ks_selfcheck_of(p->report);

	p->selftest_band = s && s->n_dram_band > 0;
}

/* --- front ------------------------------------------------------------------------------------ */

static double own_time(const struct ks_ctx *ctx, double wall_s)
{
	/* The same input must give the same bytes (reproducible-builds.org, SOURCE_DATE_EPOCH). */
	if (ctx->env && ctx->env("SOURCE_DATE_EPOCH"))
		return 0.0;
	return round(wall_s * 1e3) / 1e3;
}

enum ks_status ks_packet_make(const struct ks_ctx *ctx, const struct ks_report *report,
			      const struct ks_packet_spec *spec, struct ks_packet **packet,
			      struct ks_err *err)
{
	const struct ks_verdicts *v = report->verdicts;
	struct ks_packet *p = KS_ARENA_NEW(ctx->run, struct ks_packet);
	struct ks_packet_work w = {
		.ctx = ctx,
		.arena = ctx->run,
		.ev = report->ev,
		.p = p,
		.budget = spec->budget ? spec->budget : KS_PACKET_BYTES,
	};

	BUG_ON(v == NULL);
	if (!p || !v)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	p->report = report;
	p->wall_s = own_time(ctx, spec->wall_s);
	p->report_bytes = spec->report_bytes;
	p->report_path = ks_arena_dup(ctx->run, spec->report_path);
	add_verdicts(&w, v);
	add_groups(&w, v);
	add_next(&w, v);
	add_findings(p, v->findings);
	add_environment(&w);
	add_inputs(p, report->carried);
	if (ks_packet_add_remedies(&w, v)) {
		ks_packet_cite(&w);
		ks_packet_trim(&w);
	}
	if (ks_arena_failed(ctx->run))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	*packet = p;
	return KS_OK;
}
