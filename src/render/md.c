/* SPDX-License-Identifier: Apache-2.0
 *
 * The Markdown report: one kernel, the one with most time of those selected, in sections 0 to 6 of
 * contract 03 §7. It prints numbers the report has; those of other kernels are never borrowed.
 */
#include "evidence/run_row.h"
#include "render/md_pen.h"

#define MD_TMP_MAX ((size_t)1 << 30)

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	/* a document is as wide as it is, whatever the terminal */
	const struct ks_term page = { .utf8 = true, .cols = 160, .rows = 1000 };
	struct ks_arena tmp;
	struct ks_md m = {
		.pen = { .out = out, .term = &page, .lang = v->lang, .tmp = &tmp },
		.r = r,
		.v = v,
		.vd = r->verdicts,
		.device = ks_run_row_owner(r),
	};

	(void)ctx;
	if (m.vd == NULL || m.vd->advice == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_MD_NO_KERNEL, NULL);
	m.k = m.vd->advice->kernel;
	ks_arena_init(&tmp, MD_TMP_MAX);
	ks_md_setup(&m);
	ks_md_dimensions(&m);
	ks_md_summary(&m);
	ks_md_directions(&m);
	ks_md_confidence(&m);
	ks_md_again(&m);
	enum ks_status st = ks_pen_done(&m.pen, err);

	ks_arena_release(&tmp);
	return st;
}

const struct ks_render_ops ks_render_md = {
	.format = KS_FORMAT_MD,
	.render = render,
};
