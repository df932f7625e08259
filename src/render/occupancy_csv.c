/* SPDX-License-Identifier: Apache-2.0
 *
 * The points of the occupancy curves, one CSV line each. 0 blocks: such a block cannot run. Where
 * the curves are refused there is the header alone.
 */
#include "base/csvw.h"
#include "render/render.h"

static const char *const columns[] = { "axis",		"value",   "blocks_per_sm", "warps_per_sm",
				       "occupancy_pct", "limiter", "current",	    "step_up" };
static const char *const axes[KS_OCC_AXIS_COUNT] = {
	[KS_OCC_AXIS_BLOCK] = "threads_per_block",
	[KS_OCC_AXIS_REGS] = "registers_per_thread",
	[KS_OCC_AXIS_SMEM] = "shared_mem_per_block",
};

static void line(struct ks_csvw *w, const char *axis, const struct ks_occ_point *p)
{
	ks_csvw_cstr(w, axis);
	ks_csvw_i64(w, p->value);
	ks_csvw_i64(w, p->blocks);
	ks_csvw_i64(w, p->warps);
	ks_csvw_double(w, p->pct);
	ks_csvw_str(w, p->limiter);
	ks_csvw_i64(w, p->current);
	ks_csvw_i64(w, p->step_up);
	ks_csvw_end(w);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_csvw w;

	(void)ctx;
	(void)v;
	if (r->occupancy == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_OCCUPANCY, NULL);
	ks_csvw_init(&w, out);
	for (size_t i = 0; i < KS_ARRAY_LEN(columns); i++)
		ks_csvw_cstr(&w, columns[i]);
	ks_csvw_end(&w);
	for (int axis = 0; axis < KS_OCC_AXIS_COUNT; axis++)
		for (size_t i = 0; i < r->occupancy->curve[axis].n; i++)
			line(&w, axes[axis], &r->occupancy->curve[axis].point[i]);
	return KS_OK;
}

const struct ks_render_ops ks_render_occupancy_csv = {
	.format = KS_FORMAT_OCCUPANCY_CSV,
	.render = render,
};
