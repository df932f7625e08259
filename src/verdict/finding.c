/* SPDX-License-Identifier: Apache-2.0
 *
 * The one sentence that matters most. Chooses a row of the text table and fills in numbers that the
 * report already has; a number that was refused never reaches it.
 */
#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/run_row.h"
#include "evidence/value.h"
#include "verdict/verdict_internal.h"

/* [launches > 1][device named][limit known: 0 no, 1 limited, 2 nothing limits it] */
static const enum ks_text sentences[2][2][3] = {
	{ { KS_TEXT_VD_FIND_ONE, KS_TEXT_VD_FIND_ONE_LIMIT, KS_TEXT_VD_FIND_ONE_FULL },
	  { KS_TEXT_VD_FIND_ONE_DEV, KS_TEXT_VD_FIND_ONE_DEV_LIMIT,
	    KS_TEXT_VD_FIND_ONE_DEV_FULL } },
	{ { KS_TEXT_VD_FIND_MANY, KS_TEXT_VD_FIND_MANY_LIMIT, KS_TEXT_VD_FIND_MANY_FULL },
	  { KS_TEXT_VD_FIND_MANY_DEV, KS_TEXT_VD_FIND_MANY_DEV_LIMIT,
	    KS_TEXT_VD_FIND_MANY_DEV_FULL } },
};

struct ks_nothing ks_nothing_to_rank(const struct ks_report *r)
{
	const struct ks_contents *c = &r->contents;
	static const struct ks_nothing why[] = {
		[KS_NK_NONE] = { KS_TEXT_VD_FIND_NO_KERNELS, KS_TEXT_VD_WHY_NO_KERNELS,
				 KS_TEXT_NONE, "no kernel rows", "" },
		[KS_NK_NOT_TRACED] = { KS_TEXT_VD_FIND_NOT_TRACED, KS_TEXT_VD_WHY_NOT_TRACED,
				       KS_TEXT_VD_DO_NOT_TRACED, "cuda not traced",
				       "nsys profile -t cuda,nvtx -o run PROGRAM" },
		[KS_NK_NOTHING_RECORDED] = { KS_TEXT_VD_FIND_NOTHING, KS_TEXT_VD_WHY_NOTHING,
					     KS_TEXT_VD_DO_NOTHING, "traced, nothing recorded",
					     "" },
		[KS_NK_NO_DRIVER] = { KS_TEXT_VD_FIND_NO_DRIVER, KS_TEXT_VD_WHY_NO_DRIVER,
				      KS_TEXT_VD_DO_NO_DRIVER, "no driver", "nvidia-smi" },
		[KS_NK_GRAPH_ONLY] = { KS_TEXT_VD_FIND_GRAPH_ONLY, KS_TEXT_VD_WHY_GRAPH_ONLY,
				       KS_TEXT_VD_DO_GRAPH_ONLY, "graphs traced as a whole",
				       "nsys profile -t cuda --cuda-graph-trace=node -o run "
				       "PROGRAM" },
		[KS_NK_NOT_A_TABLE] = { KS_TEXT_VD_FIND_NOT_A_TABLE, KS_TEXT_VD_WHY_NOT_A_TABLE,
					KS_TEXT_VD_DO_NOT_A_TABLE, "kernel table is a view",
					"nsys export --type sqlite --output run.sqlite "
					"run.nsys-rep" },
		[KS_NK_CODE_ONLY] = { KS_TEXT_CODE_FIND, KS_TEXT_CODE_WHY, KS_TEXT_CODE_DO_RECORD,
				      "device code only",
				      "nsys profile --trace=cuda,nvtx -o run PROGRAM" },
		[KS_NK_NO_TRACE] = { KS_TEXT_VD_FIND_NO_TRACE, KS_TEXT_VD_WHY_NO_TRACE,
				     KS_TEXT_AN_DO_GIVE_TRACE, "no recording was given", "" },
	};
	static const struct ks_nothing bad = { KS_TEXT_VD_FIND_BAD_ROWS, KS_TEXT_VD_WHY_BAD_ROWS,
					       KS_TEXT_VD_DO_NOTHING, "no valid kernel rows", "" };
	static const struct ks_nothing outside = { KS_TEXT_VD_FIND_WITHIN, KS_TEXT_VD_WHY_WITHIN,
						   KS_TEXT_VD_DO_WITHIN, "no kernel in the window",
						   "" };

	const bool recorded =
		c->why_no_kernels == KS_NK_NONE || c->why_no_kernels == KS_NK_NOTHING_RECORDED;

	if (recorded && r->within.n > 0)
		return outside;
	if (recorded && c->bad_kernels > 0)
		return bad;
	return why[c->why_no_kernels];
}

static ks_str u64(struct ks_arena *a, uint64_t v)
{
	char num[KS_NUM_LEN];

	return ks_arena_dup(a, (ks_str){ num, ks_num_u64(num, v) });
}

static struct ks_msg nothing(const struct ks_decide *d)
{
	const struct ks_contents *c = &d->report->contents;
	ks_str *arg = KS_ARENA_NEWS(d->arena, ks_str, 6);
	struct ks_msg m = { .id = ks_nothing_to_rank(d->report).finding };

	if (!arg)
		return m;
	if (c->why_no_kernels == KS_NK_CODE_ONLY) {
		const struct ks_ev *row = ks_run_row_find(d->report, "ks__code_kernels");
		const int64_t n = row && row->value.kind == KS_V_INT ? row->value.i : 0;

		m.id = n == 0	? KS_TEXT_CODE_FIND_NONE
		       : n == 1 ? KS_TEXT_CODE_FIND_ONE
				: KS_TEXT_CODE_FIND;
		arg[0] = u64(d->arena, (uint64_t)n);
		m.n = 1;
		m.arg = arg;
		return m;
	}
	arg[0] = u64(d->arena, c->copies);
	arg[1] = u64(d->arena, c->memsets);
	arg[2] = u64(d->arena, c->api_calls);
	arg[3] = u64(d->arena, c->nvtx_rows);
	arg[4] = u64(d->arena, c->graph_rows);
	arg[5] = u64(d->arena, c->bad_kernels);
	m.n = 6;
	m.arg = arg;
	return m;
}

/* In the unit a person would choose. */
static ks_str duration(struct ks_arena *a, ks_ns ns)
{
	double v = (double)ns;
	char num[KS_NUM_LEN];
	const char *unit = "ns";

	if (ns >= 10000000000) {
		v /= 1e9;
		unit = "s";
	} else if (ns >= 100000) {
		v /= 1e6;
		unit = "ms";
	} else if (ns >= 1000) {
		v /= 1e3;
		unit = "µs";
	}
	ks_num_human(num, v);
	return ks_arena_fmt(a, "%s %s", num, unit);
}

/* The function name where it names one kernel of the report, else the whole name. Sinks shorten it.
 */
static ks_str spoken_name(const struct ks_report *r, const struct ks_kernel *top)
{
	/* a hash is one kernel: that of the whole name, as every table has it */
	if (top->base.n == 0 || r->redacted == KS_REDACT_NAMES)
		return top->name;
	for (size_t i = 0; i < r->n_kernels; i++)
		if (&r->kernel[i] != top && ks_str_eq(r->kernel[i].base, top->base))
			return top->name;
	return top->base;
}

/* Index of the last dimension of `sentences`, and its two arguments. */
static size_t limit(const struct ks_decide *d, ks_str *pct, ks_str *by)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct ks_verdict_row *v = &d->row[i];

		if (v->id != KS_VERDICT_OCCUPANCY || v->status == KS_VERDICT_STATUS_REFUSED)
			continue;
		for (size_t j = 0; j < v->n_facts; j++) {
			const struct ks_kv *f = &v->fact[j];
			double x = ks_value_real(&f->value);

			if (ks_str_eqc(f->key, "theoretical_pct"))
				*pct = x >= 100.0 ? KS_LIT("100")
						  : ks_arena_fmt(d->arena, "%.1f", x);
			else if (ks_str_eqc(f->key, "limiter") && f->value.kind == KS_V_TEXT)
				*by = f->value.s;
		}
	}
	if (pct->n == 0)
		return 0;
	if (ks_str_eqc(*pct, "100"))
		return 2;
	return by->n > 0 ? 1 : 0;
}

struct ks_msg ks_finding(const struct ks_decide *d)
{
	const struct ks_report *r = d->report;
	const struct ks_refused *why = NULL;

	if (!d->top)
		return nothing(d);
	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].id == KS_VERDICT_KERNEL_TIME)
			why = d->row[i].refused;
	ks_str *arg = KS_ARENA_NEWS(d->arena, ks_str, 7);

	if (!arg)
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	arg[0] = spoken_name(r, d->top);
	if (why) {
		arg[1] = ks_refused_slug(why);
		return (struct ks_msg){ .id = KS_TEXT_VD_FIND_REFUSED, .n = 2, .arg = arg };
	}
	arg[1] = ks_arena_fmt(d->arena, "%.1f", d->top->share_pct);
	arg[2] = duration(d->arena, d->top->total_ns);
	arg[3] = u64(d->arena, d->top->launches);
	bool device = r->n_gpus_used == 1 && r->gpu[0].label >= 0;

	if (device)
		arg[4] = u64(d->arena, (uint64_t)r->gpu[0].label);
	size_t last = limit(d, &arg[5], &arg[6]);
	enum ks_text id = sentences[d->top->launches > 1][device][last];

	return (struct ks_msg){ .id = id, .n = 7, .arg = arg };
}
