/* SPDX-License-Identifier: Apache-2.0
 *
 * One CSV line per NVTX phase: every name in every domain, with both readings of its kernel time.
 * What was not asked for or not recorded is an empty cell, never 0.
 */
#include "base/csvw.h"
#include "render/render.h"

static const char *const columns[] = {
	"name",
	"domain",
	"domain_id",
	"type",
	"instances",
	"wall_ns",
	"min_ns",
	"max_ns",
	"kernels",
	"kernel_ns",
	"own_ns",
	"worst_kernel_ns",
	"overlap_ns",
	"overlap_same_process_ns",
	"overlap_of_union_ns",
	"overlap_kernels",
	"provenance",
};

static void number(struct ks_csvw *w, int64_t v)
{
	if (v == KS_UNKNOWN)
		ks_csvw_empty(w);
	else
		ks_csvw_i64(w, v);
}

/* Numbers of NVTX_EVENTS.eventType that make ranges (contract 05 §1.11); others as recorded. */
static void type(struct ks_csvw *w, int64_t v)
{
	enum { PUSH_POP = 59, START_END = 60 };

	if (v == PUSH_POP)
		ks_csvw_cstr(w, "push_pop");
	else if (v == START_END)
		ks_csvw_cstr(w, "start_end");
	else
		number(w, v);
}

static void line(struct ks_csvw *w, const struct ks_phase *p, bool by_overlap)
{
	ks_csvw_str(w, p->name);
	ks_csvw_str(w, p->domain);
	number(w, p->domain_id);
	type(w, p->type);
	ks_csvw_i64(w, (int64_t)p->instances);
	number(w, p->wall_ns);
	number(w, p->min_ns);
	number(w, p->max_ns);
	/* no launch calls recorded: nothing is known of who launched what */
	number(w, by_overlap ? KS_UNKNOWN : (int64_t)p->kernels);
	number(w, by_overlap ? KS_UNKNOWN : p->kernel_ns);
	number(w, by_overlap ? KS_UNKNOWN : p->own_ns);
	number(w, by_overlap ? KS_UNKNOWN : p->worst_kernel_ns);
	number(w, p->overlap_ns);
	number(w, p->overlap_process_ns);
	number(w, p->overlap_union_ns);
	number(w, p->overlap_kernels == UINT64_MAX ? KS_UNKNOWN : (int64_t)p->overlap_kernels);
	ks_csvw_cstr(w, ks_prov_name(KS_PROV_DERIVED));
	ks_csvw_end(w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	const struct ks_phase_log *log = r->timeline != NULL ? r->timeline->phases : NULL;
	struct ks_phase row;
	struct ks_csvw w;
	bool got = true;

	(void)ctx;
	(void)v;
	if (log == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_PHASES, NULL);
	ks_csvw_init(&w, out);
	for (size_t i = 0; i < KS_ARRAY_LEN(columns); i++)
		ks_csvw_cstr(&w, columns[i]);
	ks_csvw_end(&w);
	KS_TRY(log->rewind(log->self, err));
	while (!ks_out_failed(out)) {
		KS_TRY(log->next(log->self, &row, &got, err));
		if (!got)
			break;
		line(&w, &row, r->timeline->by_overlap);
	}
	return KS_OK;
}

const struct ks_render_ops ks_render_nvtx_csv = {
	.format = KS_FORMAT_NVTX_CSV,
	.render = render,
};
