/* SPDX-License-Identifier: Apache-2.0
 *
 * What the meta object of a report says beside the rows: environment, clocks, calibration, what
 * could be saved, comparison with the truth. Read as it is written; whether it is believed is
 * decided later. The original writes some of these as a text or as an object.
 */
#include "base/str.h"
#include "source/ksreport.h"

#define MOST_ENV      ((size_t)256) /* entries that are kept; a machine lacks a handful of things */
#define LONGEST_LABEL 16	    /* bytes of a currency; the longest names of one have fewer */

/* A number or nothing; a text in its place fails. */
static struct ks_value number(struct ks_reader *r, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!v || json_is_null(v) || r->failed)
		return KS_VAL_NONE;
	if (json_is_integer(v))
		return KS_VAL_INT(json_integer_value(v));
	return KS_VAL_REAL(ks_reader_real(r, o, key, 0.0));
}

/* A text, or the one under `inner` of an object. */
static ks_str text_or_member(struct ks_reader *r, const json_t *o, const char *key,
			     const char *inner)
{
	if (!json_is_object(json_object_get(o, key)))
		return ks_reader_text(r, o, key);
	const size_t mark = ks_reader_enter(r, key, KS_READER_NO_INDEX);
	const ks_str s = ks_reader_text(r, ks_reader_object(r, o, key), inner);

	ks_reader_leave(r, mark);
	return s;
}

static void read_environment(struct ks_reader *r, const json_t *meta, struct ks_carried *c)
{
	const json_t *list = ks_reader_array(r, meta, "environment_refusals");
	size_t n = json_array_size(list);

	n = n > MOST_ENV ? MOST_ENV : n;
	struct ks_env_refusal *env = KS_ARENA_NEWS(r->arena, struct ks_env_refusal, n);

	if (!env) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "environment_refusals", i);
		const json_t *o = ks_reader_element(r, list, i);

		env[i].slug = ks_reader_text(r, o, "code");
		env[i].message = ks_reader_text(r, o, "message");
		ks_reader_leave(r, mark);
	}
	c->env = env;
	c->n_env = n;
}

static void read_prescription(struct ks_reader *r, const json_t *meta, struct ks_carried *c)
{
	const json_t *o = ks_reader_object(r, meta, "prescription");
	struct ks_prescription *p = NULL;

	if (json_object_size(o) == 0)
		return;
	p = KS_ARENA_NEW(r->arena, struct ks_prescription);
	if (!p) {
		ks_reader_no_memory(r);
		return;
	}
	const size_t mark = ks_reader_enter(r, "prescription", KS_READER_NO_INDEX);
	const json_t *ranked = ks_reader_array(r, o, "ranked");

	p->n = json_array_size(ranked);
	if (p->n > 0) {
		const size_t inner = ks_reader_enter(r, "ranked", 0);
		const json_t *first = ks_reader_element(r, ranked, 0);

		p->kernel = ks_reader_text(r, first, "kernel");
		p->confidence = ks_reader_text(r, first, "confidence");
		p->pct_lo = number(r, first, "pct_lo");
		p->pct_hi = number(r, first, "pct_hi");
		ks_reader_leave(r, inner);
	}
	p->currency = ks_reader_text(r, o, "currency");
	p->total_per_hour = number(r, o, "total_per_hour");
	p->total_per_mtok = number(r, o, "total_per_mtok");
	p->refusal = ks_reader_text(r, o, "refusal");
	p->refusal_message = ks_reader_text(r, o, "refusal_message");
	p->money_refusal = ks_reader_text(r, o, "money_refusal");
	p->money_refusal_message = ks_reader_text(r, o, "money_refusal_message");
	ks_reader_leave(r, mark);
	c->prescription = p;
}

static void read_truth(struct ks_reader *r, const json_t *meta, struct ks_carried *c)
{
	const json_t *o = ks_reader_object(r, meta, "ncu_truth");
	struct ks_truth *t = NULL;

	if (json_object_size(o) == 0)
		return;
	t = KS_ARENA_NEW(r->arena, struct ks_truth);
	if (!t) {
		ks_reader_no_memory(r);
		return;
	}
	const size_t mark = ks_reader_enter(r, "ncu_truth", KS_READER_NO_INDEX);
	const json_t *actions = json_object_get(o, "actions");

	t->version = ks_reader_text(r, o, "ncu_version");
	/* the list itself in the file beside the report, its length in meta */
	t->actions = json_is_array(actions) ? (int64_t)json_array_size(actions)
					    : ks_reader_int(r, o, "actions", 0);
	t->compared = ks_reader_int(r, o, "pairs_compared", 0);
	t->total = ks_reader_int(r, o, "pairs_total", 0);
	t->max_abs_err_pct = number(r, o, "max_abs_err_pct");
	ks_reader_leave(r, mark);
	c->truth = t;
}

const struct ks_selfcheck *ks_reader_selfcheck(struct ks_reader *r, const json_t *o)
{
	struct ks_selfcheck *s = KS_ARENA_NEW(r->arena, struct ks_selfcheck);

	if (!s) {
		ks_reader_no_memory(r);
		return NULL;
	}
	const json_t *mdd = ks_reader_object(r, o, "mdd");

	s->gpu = ks_reader_text(r, o, "gpu");
	s->dram_band =
		ks_reader_kvs(r, ks_reader_object(r, o, "band"), "dram_bytes_pct", &s->n_dram_band);
	s->dram_mdd_pct = ks_reader_real(r, mdd, "dram_bytes_pct", -1.0);
	s->kernel_time_mdd_pct = ks_reader_real(r, mdd, "kernel_time_pct", -1.0);
	return r->failed ? NULL : s;
}

static void read_selfcheck(struct ks_reader *r, const json_t *meta, struct ks_carried *c)
{
	const json_t *o = ks_reader_object(r, meta, "selfcheck");

	if (!o)
		return;
	const size_t mark = ks_reader_enter(r, "selfcheck", KS_READER_NO_INDEX);

	c->selfcheck = ks_reader_selfcheck(r, o);
	ks_reader_leave(r, mark);
}

/* The table's own word stands for a label that was not given; a longer one is no label. */
static void label_money(struct ks_reader *r, ks_str label)
{
	struct ks_carried *c = r->carried;

	if (label.n == 0 || label.n > LONGEST_LABEL || ks_str_eqc(label, "CUR"))
		return;
	c->currency = label;
	c->per_hour = ks_arena_fmt(r->arena, "%.*s/h", (int)label.n, label.p);
	c->per_mtoken = ks_arena_fmt(r->arena, "%.*s/Mtoken", (int)label.n, label.p);
	if (ks_arena_failed(r->arena))
		ks_reader_no_memory(r);
}

void ks_reader_carried(struct ks_reader *r, const json_t *meta)
{
	struct ks_carried *c = KS_ARENA_NEW(r->arena, struct ks_carried);

	if (!c) {
		ks_reader_no_memory(r);
		return;
	}
	r->carried = c;
	r->report->carried = c;
	c->clock_lock = text_or_member(r, meta, "clock_lock", "state");
	c->calibration = text_or_member(r, meta, "calibration", "name");
	c->peaks = ks_reader_text(r, meta, "peak_source");
	c->memtrace_name = text_or_member(r, meta, "memtrace", "name");
	if (json_is_object(json_object_get(meta, "memtrace")))
		c->memtrace_sha256 = text_or_member(r, meta, "memtrace", "sha256");
	read_environment(r, meta, c);
	read_prescription(r, meta, c);
	read_truth(r, meta, c);
	read_selfcheck(r, meta, c);
	if (c->prescription)
		label_money(r, c->prescription->currency);
}

void ks_reader_currency(struct ks_reader *r, ks_str unit)
{
	enum ks_unit known = KS_UNIT_NONE;
	size_t n = 0;

	if (!r->carried || r->carried->currency.n > 0 || !ks_unit_find(unit, &known))
		return;
	if (known != KS_UNIT_CUR_PER_H && known != KS_UNIT_CUR_PER_MTOKEN)
		return;
	while (n < unit.n && unit.p[n] != '/')
		n++;
	label_money(r, (ks_str){ unit.p, n });
}
