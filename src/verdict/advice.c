/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the directions and puts them in order: bounds first, largest first; then those that no
 * row bounds, by the time they are about. Measures nothing.
 */
#include "base/num.h"
#include "base/str.h"
#include "evidence/run_row.h"
#include "evidence/value.h"
#include "verdict/advice_internal.h"
#include "verdict/verdict_internal.h"

struct ks_advice *ks_advice_add(struct ks_advise *a, enum ks_text title, enum ks_text how)
{
	BUG_ON(a->n == KS_ADVICE_FOUND);
	if (a->n == KS_ADVICE_FOUND)
		return NULL;
	struct ks_advice *item = &a->item[a->n++];

	*item = (struct ks_advice){ .title = title,
				    .how = how,
				    .bound_ms = -1.0,
				    .touches_ms = (double)a->k->total_ns / KS_NS_PER_MS };
	return item;
}

static const struct ks_ev *with_value(const struct ks_ev *row)
{
	return ks_decide_has_value(row) ? row : NULL;
}

const struct ks_ev *ks_advice_row(const struct ks_advise *a, enum ks_metric metric)
{
	const struct ks_store *ev = a->r->ev;
	const ks_str name = ks_str_c(ks_metric_info(metric)->name);

	return with_value(ks_ev_get(ev, ks_ev_find(ev, name, a->k->name)));
}

const struct ks_ev *ks_advice_run_row(const struct ks_advise *a, const char *name)
{
	return with_value(ks_run_row_find(a->r, name));
}

void ks_advice_rests(struct ks_advise *a, struct ks_advice *on, const struct ks_ev *row)
{
	if (!with_value(row) || on->n_evidence == KS_ADVICE_EVIDENCE)
		return;
	const ks_id id = ks_ev_find(a->r->ev, row->name, row->subject);

	if (id != 0)
		on->evidence[on->n_evidence++] = id;
}

double ks_advice_number(const struct ks_ev *row)
{
	return ks_decide_is_number(row) ? ks_decide_real(row) : -1.0;
}

struct ks_msg ks_advice_say(struct ks_advise *a, enum ks_text id, unsigned n, const ks_str *arg)
{
	const struct ks_msg m = { .id = id, .n = n, .arg = arg };

	return ks_msg_copy(a->arena, m);
}

ks_str ks_advice_real(struct ks_advise *a, double v)
{
	char text[KS_NUM_LEN];

	return ks_arena_dup(a->arena, (ks_str){ text, ks_num_human(text, v) });
}

void ks_advice_bound(struct ks_advise *a, struct ks_advice *on, double ms, enum ks_text sentence,
		     double of_ms)
{
	const ks_str arg[] = { ks_advice_real(a, ms),
			       ks_advice_real(a, of_ms > 0.0 ? 100.0 * ms / of_ms : 0.0) };

	on->bound_ms = ms;
	on->touches_ms = ms;
	on->impact = ks_advice_say(a, sentence, KS_ARRAY_LEN(arg), arg);
}

/* Whether x belongs before y; equal ones keep the order in which they were found. */
static bool before(const struct ks_advice *x, const struct ks_advice *y)
{
	if ((x->bound_ms >= 0.0) != (y->bound_ms >= 0.0))
		return x->bound_ms >= 0.0;
	return x->bound_ms >= 0.0 ? x->bound_ms > y->bound_ms : x->touches_ms > y->touches_ms;
}

static void take_best(const struct ks_advise *a, struct ks_advices *out)
{
	bool taken[KS_ADVICE_FOUND] = { false };

	while (out->n < KS_ADVICE_MOST && out->n < a->n) {
		size_t best = KS_ADVICE_FOUND;

		for (size_t i = 0; i < a->n; i++)
			if (!taken[i] &&
			    (best == KS_ADVICE_FOUND || before(&a->item[i], &a->item[best])))
				best = i;
		taken[best] = true;
		out->item[out->n++] = a->item[best];
	}
}

enum ks_status ks_advice_make(const struct ks_ctx *ctx, const struct ks_report *r,
			      const struct ks_kernel *k, const struct ks_advices **advices,
			      struct ks_err *err)
{
	struct ks_advise a = { .arena = ctx->run, .r = r, .k = k };
	struct ks_advices *out = KS_ARENA_NEW(ctx->run, struct ks_advices);

	a.item = KS_ARENA_NEWS(ctx->run, struct ks_advice, KS_ADVICE_FOUND);
	if (out && a.item) {
		ks_advice_kernel(&a);
		ks_advice_run(&a);
		take_best(&a, out);
		out->kernel = k;
	}
	if (ks_arena_failed(ctx->run))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	*advices = out;
	return KS_OK;
}
